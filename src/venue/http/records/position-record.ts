import { Decimal } from '../../../model/decimal.js';
import type { Market } from '../../../model/market.js';
import { type Money, moneyText, rateNumber } from '../../../model/money.js';
import { unrealised } from '../../../model/position.js';
import type { Account, Holding } from '../../core/account.js';
import type { VenueCore } from '../../core/venue-core.js';
import { moneyOnWire, rounded, stepsOnWire } from '../wire-number.js';
import {
  bankruptcyPrice,
  type LiquidationFacts,
  liquidationPrice,
  maintenanceMargin,
} from './liquidation-price.js';

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

/**
 * Specification: Position, of a cross margin group. `size` is signed, `stats.size` is not; `realized`, `funding` and
 * `fees` are P&L, so what was paid is negative (`dialect.md` §6, `money.md` §6).
 */
export function positionRecord(
  { core, account }: { readonly core: VenueCore; readonly account: Account },
  market: Market,
) {
  const holding = account.holdings.get(market.pair);
  if (holding === undefined) {
    return { size: 0, free: 0, locked: 0, realized: 0, funding: 0, fees: 0, stats: NO_STATS };
  }
  const money = (amount: Money) => moneyOnWire(amount, market.quotePrecision);
  const margin = core.margin(account, market.pair);
  return {
    size: stepsOnWire(market.quantityGrid, holding.lots),
    free: money(margin.position),
    locked: money(margin.reserved),
    realized: money(holding.realised),
    funding: money(holding.funding),
    fees: money(holding.fees),
    stats: positionStats(holding, margin.position),
  };
}

function positionStats(holding: Holding, margin: Money) {
  const { state, lots } = holding;
  const { market, mark } = state;
  const rpnl = holding.realised + holding.funding + holding.fees;
  const money = (amount: Money) => moneyOnWire(amount, market.quotePrecision);
  if (lots === 0 || mark === undefined) {
    return {
      ...NO_STATS,
      pnl: money(rpnl),
      rpnl: money(rpnl),
      mark: mark === undefined ? 0 : stepsOnWire(market.priceGrid, mark),
    };
  }
  const upnl = unrealised(market, holding, mark);
  const size = BigInt(Math.abs(lots)) * BigInt(mark) * market.unitsPerTickLot;
  const equity = margin + upnl;
  const facts = liquidationFacts(holding);
  const { initial, initialRiskLimit } = market.margin;
  const initialOf = (x: number) => x * (rateNumber(initial) + rateNumber(initialRiskLimit) * x);
  return {
    size: stepsOnWire(market.quantityGrid, Math.abs(lots)),
    notional: money(size),
    margin: money(margin),
    pnl: money(rpnl + upnl),
    upnl: money(upnl),
    rpnl: money(rpnl),
    equity: money(equity),
    roe: rounded(money(rpnl + upnl) / initialOf(facts.cost.toNumber())),
    mark: stepsOnWire(market.priceGrid, mark),
    avg_entry: rounded(facts.cost.div(facts.quantity).toNumber()),
    leverage: equity <= 0n ? 0 : rounded(money(size) / money(equity)),
    lp: rounded(liquidationPrice(facts).toNumber()),
    bankrupt: rounded(bankruptcyPrice(facts).toNumber()),
    direction: lots < 0 ? 'SELL' : 'BUY',
  };
}

function liquidationFacts(holding: Holding): LiquidationFacts {
  const { state, lots, cost, cash } = holding;
  const { market } = state;
  let othersUpnl = new Decimal(0);
  let othersMaintenance = new Decimal(0);
  for (const other of cash.holdings) {
    const mark = other.state.mark;
    if (other === holding || other.lots === 0 || mark === undefined) continue;
    const { market: its } = other.state;
    othersUpnl = othersUpnl.plus(amount(unrealised(its, other, mark), cash.precision));
    const size = BigInt(Math.abs(other.lots)) * BigInt(mark) * its.unitsPerTickLot;
    othersMaintenance = othersMaintenance.plus(maintenanceMargin(its, amount(size, cash.precision)));
  }
  return {
    market,
    isLong: lots > 0,
    quantity: new Decimal(Math.abs(lots)).div(market.quantityGrid.scale),
    cost: amount(cost, cash.precision).abs(),
    mark: new Decimal(state.mark ?? 0).div(market.priceGrid.scale),
    cash: amount(cash.cash, cash.precision),
    othersUpnl,
    othersMaintenance,
  };
}

function amount(units: Money, precision: number): Decimal {
  return new Decimal(moneyText(units, precision));
}
