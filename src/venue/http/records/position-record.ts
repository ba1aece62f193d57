import type { Market } from '../../../model/market.js';
import { type Money, rateNumber } from '../../../model/money.js';
import type { Account, CompletedPosition } from '../../core/account.js';
import { fillsOf } from '../../core/completed-positions.js';
import type { PositionFacts } from '../../core/position-facts.js';
import type { VenueCore } from '../../core/venue-core.js';
import { moneyOnWire, rounded, stepsOnWire } from '../wire-number.js';
import { encodeFill, fillText } from './fill-record.js';

interface Whose {
  readonly core: VenueCore;
  readonly account: Account;
}

const NO_STATS = {
  size: 0,
  notional: 0,
  margin: 0,
  pnl: 0,
  upnl: 0,
  rpnl: 0,
  equity: 0,
  roe: 0,
  mark: 0,
  avg_entry: 0,
  leverage: 0,
  lp: 0,
  bankrupt: 0,
  direction: 'BUY',
};

/** The record of a pair without a position, such as a spot pair. */
const NO_POSITION = { size: 0, free: 0, locked: 0, realized: 0, funding: 0, fees: 0, stats: NO_STATS };

/**
 * Specification: Position. `size` is signed, `stats.size` is not. `realized`, `funding` and `fees` are P&L, so an
 * amount that the account paid is negative (`dialect.md` §6, `money.md` §6).
 */
export function positionRecord(whose: Whose, market: Market) {
  if (market.contract !== 'linear') return NO_POSITION;
  const facts = whose.core.positionFacts(whose.account, market.pair);
  return encodeFacts(market, facts);
}

/** Like `positionRecord`, as JSON text and with the fills that built the position, newest first. */
export function positionWithFillsText(whose: Whose, market: Market): string {
  const facts = whose.core.positionFacts(whose.account, market.pair);
  const opened = JSON.stringify(encodeFacts(market, facts)).slice(0, -1);
  return `${opened},"fills":[${facts.fills.map((fill) => fillText(whose, fill)).join(',')}]}`;
}

/** All positions of the account that are open or isolated, keyed by pair, each with its pair. */
export function positionsRecord(whose: Whose, markets: Iterable<Market>) {
  const shown = [...markets].filter(({ pair }) => {
    const holding = whose.account.holdings.get(pair);
    return holding !== undefined && (holding.lots !== 0 || holding.leverage !== undefined);
  });
  return Object.fromEntries(
    shown.map((market) => [market.pair, { pair: market.pair, ...positionRecord(whose, market) }]),
  );
}

/** A position that has returned to 0: size 0, its final P&L, and as `mark` the price that closed it. */
export function completedPositionRecord(whose: Whose, position: CompletedPosition) {
  const { market } = whose.core.market(position.pair);
  const money = (amount: Money) => moneyOnWire(amount, market.quotePrecision);
  const rpnl = money(position.realised + position.funding + position.fees);
  return {
    [position.pair]: {
      ...NO_POSITION,
      realized: money(position.realised),
      funding: money(position.funding),
      fees: money(position.fees),
      stats: {
        ...NO_STATS,
        pnl: rpnl,
        rpnl,
        mark: stepsOnWire(market.priceGrid, position.exitTicks),
        leverage: position.leverage === undefined ? 0 : rounded(rateNumber(position.leverage)),
        direction: position.direction === 'buy' ? 'BUY' : 'SELL',
      },
      fills: fillsOf(whose.account, position).map((fill) => encodeFill(whose, fill)),
    },
  };
}

function encodeFacts({ priceGrid, quantityGrid, quotePrecision }: Market, facts: PositionFacts) {
  const money = (amount: Money) => moneyOnWire(amount, quotePrecision);
  return {
    size: stepsOnWire(quantityGrid, facts.lots),
    free: money(facts.margin),
    locked: money(facts.reserved),
    realized: money(facts.realised),
    funding: money(facts.funding),
    fees: money(facts.fees),
    stats: {
      size: stepsOnWire(quantityGrid, Math.abs(facts.lots)),
      notional: money(facts.notional),
      margin: money(facts.margin),
      pnl: money(facts.pnl),
      upnl: money(facts.upnl),
      rpnl: money(facts.rpnl),
      equity: money(facts.equity),
      roe: rounded(facts.roe),
      mark: facts.mark === undefined ? 0 : stepsOnWire(priceGrid, facts.mark),
      avg_entry: rounded(facts.averageEntry),
      leverage: rounded(facts.effectiveLeverage),
      lp: stepsOnWire(priceGrid, facts.liquidationTicks),
      bankrupt: stepsOnWire(priceGrid, facts.bankruptcyTicks),
      direction: facts.lots < 0 ? 'SELL' : 'BUY',
    },
  };
}
