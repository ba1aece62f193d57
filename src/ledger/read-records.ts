/** Converts records of the venue for the ledger: printed numbers become whole units of it. */
import type { Fill } from '../model/fill.js';
import { type Lots, stepsNear, stepsOf, type Ticks, wholeSteps } from '../model/grid.js';
import { type Market, notional } from '../model/market.js';
import { divCeil, type Money } from '../model/money.js';
import type {
  BalanceRecord,
  FillRecord,
  PositionRecord,
  TransferRecord,
  AssetRecord,
} from '../model/venue-records.js';
import { compareTrades } from '../model/trade.js';
import { type LedgerFacts, marketOf, precisionOf } from './book-entry.js';
import type { Cut, CutBalance, CutPosition } from './cut.js';
import type { FillEntry, RoundTripEntry, TransferEntry } from './entry.js';
import { LEDGER_DIGITS, ledgerScale, ledgerUnitsOf, lossOf, unitsOf } from './units.js';

/**
 * Digits that amounts of each asset have: as many as the money of any market that is quoted in it, or as the venue lists
 * with the asset where there is none.
 */
export function precisionsOf(
  markets: Iterable<Market>,
  assets: Iterable<Pick<AssetRecord, 'key' | 'precision'>>,
): ReadonlyMap<string, number> {
  const precisions = new Map<string, number>();
  for (const { quote, quotePrecision } of markets) {
    precisions.set(quote, Math.max(quotePrecision, precisions.get(quote) ?? 0));
  }
  for (const { key, precision } of assets) {
    if (!precisions.has(key)) precisions.set(key, Math.min(precision, LEDGER_DIGITS));
  }
  return precisions;
}

/** The venue's figures at a cut. `isEveryPair`: `positions` are all open positions, and not only those of some pairs. */
export function cutOf(
  facts: LedgerFacts,
  shown: {
    readonly time: number;
    readonly balances: readonly BalanceRecord[];
    readonly positions: readonly PositionRecord[];
    readonly isEveryPair: boolean;
  },
): Cut {
  return {
    time: shown.time,
    balances: shown.balances.map((balance) => cutBalance(facts, balance)),
    positions: shown.positions
      .filter(({ pair, size }) => size !== 0 || marketOf(facts, pair).contract === 'linear')
      .map((position) => cutPosition(marketOf(facts, position.pair), position)),
    isEveryPair: shown.isEveryPair,
  };
}

function cutBalance(facts: LedgerFacts, balance: BalanceRecord): CutBalance {
  const { asset, free, locked, margin, withdrawn } = balance;
  const precision = precisionOf(facts, asset);
  const parts = [free, locked, margin, withdrawn];
  const counters = [balance.pnl, balance.fees];
  // Counters that are too large for 15 digits are not exact to the unit, so they are left out.
  const areExact = counters.every((value) => lossOf(value, precision) === 0n);
  return {
    asset,
    total: parts.reduce((sum, part) => sum + ledgerUnitsOf(part, precision), 0n),
    withdrawing: ledgerUnitsOf(withdrawn, precision),
    realised: areExact ? ledgerUnitsOf(balance.pnl, precision) : undefined,
    fees: areExact ? ledgerUnitsOf(balance.fees, precision) : undefined,
    tolerance: parts.reduce((sum, part) => sum + lossOf(part, precision), 0n) * ledgerScale(precision),
  };
}

function cutPosition(market: Market, position: PositionRecord): CutPosition {
  const { pair, quotePrecision: precision, priceGrid, quantityGrid } = market;
  const { size, markPrice, unrealized, averageEntry } = position;
  const lots = (Math.sign(size) * wholeSteps(quantityGrid, Math.abs(size))) as Lots;
  const mark = stepsOf(priceGrid, markPrice);
  // The cost follows from upnl = size · mark − cost, if the other three are exact on the wire.
  const isExact = mark > 0 && lossOf(unrealized, precision) === 0n;
  const worth = isExact ? notional(market, lots, mark as Ticks) : 0n;
  const cost = lots === 0 ? 0n : isExact ? worth - unitsOf(unrealized, precision) : undefined;
  const margin = isExact ? isolatedMargin(market, position, worth) : undefined;
  const scale = ledgerScale(precision);
  return {
    pair,
    lots,
    cost: cost === undefined ? undefined : cost * scale,
    roughCost: ledgerUnitsOf(size * averageEntry, precision),
    funding: ledgerUnitsOf(position.funding, precision),
    margin: margin === undefined ? undefined : margin * scale,
  };
}

/**
 * Units of the market's money, in which the venue rounds. For a cross position, the shown margin is im(N) (`money.md` §6);
 * any other value means an isolated position.
 */
function isolatedMargin(market: Market, position: PositionRecord, worth: Money): Money | undefined {
  const { free } = position;
  if (free === undefined) return undefined;
  const { quotePrecision: precision } = market;
  const { initial, initialRiskLimit } = market.margin;
  const notionalUnits = worth < 0n ? -worth : worth;
  const one = 10n ** BigInt(precision);
  const denominator = initial.denominator * initialRiskLimit.denominator * one;
  const cross = divCeil(
    notionalUnits *
      (initial.numerator * initialRiskLimit.denominator * one +
        initialRiskLimit.numerator * initial.denominator * notionalUnits),
    denominator,
  );
  const shown = unitsOf(free, precision);
  return shown === cross ? undefined : shown;
}

/** `undefined` when the record is not on the market's grids, or does not say its side. */
export function fillEntryOf(
  facts: LedgerFacts,
  record: FillRecord,
  orderId = '',
): Omit<FillEntry, 'kind'> | undefined {
  const market = marketOf(facts, record.pair);
  const { side, netCommissionAsset: asset, netCommission } = record;
  const lots = stepsNear(market.quantityGrid, record.quantity);
  const ticks = stepsNear(market.priceGrid, record.price);
  if (side === undefined || !(lots > 0) || Number.isNaN(ticks)) return undefined;
  const isQuote = asset === undefined || asset === market.quote;
  const fill: Fill = {
    id: record.id,
    orderId,
    time: record.time,
    side,
    lots: lots as Lots,
    ticks: ticks as Ticks,
    liquidity: record.isBuyerMaker === (side === 'buy') ? 'maker' : 'taker',
    fee: isQuote ? unitsOf(netCommission, market.quotePrecision) : 0n,
  };
  return {
    pair: record.pair,
    fill,
    liquidation: record.liquidation,
    ...(isQuote ? {} : { fee: { asset, amount: ledgerUnitsOf(netCommission, precisionOf(facts, asset)) } }),
  };
}

/** `undefined` until the transfer is completed. */
export function transferEntryOf(
  facts: LedgerFacts,
  kind: TransferEntry['kind'],
  record: TransferRecord,
): TransferEntry | undefined {
  if (record.status !== 'COMPLETED') return undefined;
  const { id, asset, time } = record;
  const precision = precisionOf(facts, asset);
  const quantity = ledgerUnitsOf(record.quantity, precision);
  const net = record.net === undefined ? quantity : ledgerUnitsOf(record.net, precision);
  return { kind, id, asset, time, quantity, fee: quantity - net };
}

/** From a record of /completed_positions; `undefined` when it does not list the fill that ended the position. */
export function roundTripEntryOf(
  facts: LedgerFacts,
  record: PositionRecord,
): Omit<RoundTripEntry, 'kind'> | undefined {
  const last = lastFillOf(record);
  if (last === undefined) return undefined;
  const { quotePrecision } = marketOf(facts, record.pair);
  return { pair: record.pair, closingFill: last.id, funding: ledgerUnitsOf(record.funding, quotePrecision) };
}

/** The fill that opened a position, of those that the venue lists with it. */
export function firstFillOf({ fills = [] }: PositionRecord): FillRecord | undefined {
  return [...fills].sort(compareTrades)[0];
}

/** The fill that ended a completed position. */
export function lastFillOf({ fills = [] }: PositionRecord): FillRecord | undefined {
  return [...fills].sort(compareTrades).at(-1);
}
