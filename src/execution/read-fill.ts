import { Decimal } from '../model/decimal.js';
import type { Fill } from '../model/fill.js';
import { type Lots, stepsNear, type Ticks } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { Money } from '../model/money.js';
import type { Side } from '../model/side.js';
import type { FillRecord } from '../model/venue-records.js';

const NO_FEE: Money = 0n;

/** The execution of an order of ours in exact steps; `undefined` when it is not on the market's grids. */
export function readFill(market: Market, orderId: string, side: Side, record: FillRecord): Fill | undefined {
  const lots = stepsNear(market.quantityGrid, record.quantity);
  const ticks = stepsNear(market.priceGrid, record.price);
  if (!(lots > 0) || Number.isNaN(ticks) || !Number.isFinite(record.netCommission)) return undefined;
  return {
    id: record.id,
    orderId,
    time: record.time,
    side,
    lots: lots as Lots,
    ticks: ticks as Ticks,
    liquidity: record.isBuyerMaker === (side === 'buy') ? 'maker' : 'taker',
    fee: isInQuote(market, record) ? feeUnits(record.netCommission, market.quotePrecision) : NO_FEE,
  };
}

/** A fee in another asset is left to the account's ledger: booked here, it would count as the same number of quote units. */
function isInQuote({ quote }: Market, { netCommissionAsset }: FillRecord): boolean {
  return netCommissionAsset === undefined || netCommissionAsset === quote;
}

/** Rounds to whole units: the venue books whole units as well, and prints them as a double. */
function feeUnits(commission: number, precision: number): Money {
  return BigInt(new Decimal(String(commission)).times(new Decimal(10).pow(precision)).toFixed(0));
}
