/**
 * A linear position by cost, exactly (`money.md` §5): size, the signed cost of the open part, and what was realised.
 * The average entry is cost / size: shown, never stored.
 */
import { Decimal } from './decimal.js';
import type { Fill } from './fill.js';
import { type Lots, NO_LOTS, stepsNear, type Ticks } from './grid.js';
import { type Market, notional } from './market.js';
import { divHalfEven, type Money } from './money.js';
import { type Side, signOf } from './side.js';
import type { PositionRecord } from './venue-records.js';

/** Money in units of the quote asset; signs as on the wire: fees and funding paid are negative P&L. */
export interface Position {
  /** Signed: negative is short. */
  readonly lots: Lots;
  /** Signed sum of quantity × price of the open part. */
  readonly cost: Money;
  readonly realised: Money;
  readonly fees: Money;
  readonly funding: Money;
}

export const FLAT: Position = { lots: NO_LOTS, cost: 0n, realised: 0n, fees: 0n, funding: 0n };

/** What one execution does to (size, cost): the closing part first, the rest opens at the fill's price. */
export interface Execution {
  readonly lots: Lots;
  readonly cost: Money;
  /** Realised P&L of the closing part, before fees. */
  readonly realised: Money;
}

/** `money.md` §5: K_out = K·c/|s| half-even to the unit; the division's residue stays in the cost. */
export function execute(
  market: Market,
  lots: Lots,
  cost: Money,
  execution: { readonly side: Side; readonly lots: Lots; readonly ticks: Ticks },
): Execution {
  const signed = signOf(execution.side) * execution.lots;
  if (lots === 0 || lots > 0 === signed > 0) {
    const amount = notional(market, signed as Lots, execution.ticks);
    return { lots: (lots + signed) as Lots, cost: cost + amount, realised: 0n };
  }
  // To flat, as most executions that close do: nothing is divided and nothing is left.
  if (lots + signed === 0) {
    return { lots: NO_LOTS, cost: 0n, realised: -notional(market, signed as Lots, execution.ticks) - cost };
  }
  const price = BigInt(execution.ticks) * market.unitsPerTickLot;
  const held = Math.abs(lots);
  const closing = Math.min(execution.lots, held);
  const costOut = closing === held ? cost : divHalfEven(cost * BigInt(closing), BigInt(held));
  const signedClosing = signOf(execution.side) * closing;
  const realised = -BigInt(signedClosing) * price - costOut;
  const opening = signed - signedClosing;
  return {
    lots: (lots + signed) as Lots,
    cost: cost - costOut + BigInt(opening) * price,
    realised,
  };
}

export function applyFill(market: Market, position: Position, fill: Fill): Position {
  const { lots, cost, realised } = execute(market, position.lots, position.cost, fill);
  return {
    lots,
    cost,
    realised: realised === 0n ? position.realised : position.realised + realised,
    fees: position.fees - fill.fee,
    funding: position.funding,
  };
}

/** Lots of a position as the venue printed it; `undefined` when it is off the grid, or its direction says the opposite. */
export function positionLots(
  { quantityGrid }: Market,
  { size, direction }: Pick<PositionRecord, 'size' | 'direction'>,
): Lots | undefined {
  // Noise around flat has a sign and may be negative: neither is the position's.
  const lots = stepsNear(quantityGrid, size) + 0;
  const contradicts = lots !== 0 && direction !== undefined && lots > 0 !== (direction === 'buy');
  return Number.isNaN(lots) || contradicts ? undefined : (lots as Lots);
}

/** size × mark − cost. */
export function unrealised(market: Market, position: Pick<Position, 'lots' | 'cost'>, mark: Ticks): Money {
  return BigInt(position.lots) * BigInt(mark) * market.unitsPerTickLot - position.cost;
}

/** What the position has brought in cash: realised + fees + funding. */
export function settled({ realised, fees, funding }: Position): Money {
  const net = realised + fees;
  return funding === 0n ? net : net + funding;
}

/** Realised + unrealised + fees + funding (wire: stats.pnl). */
export function totalPnl(market: Market, position: Position, mark: Ticks): Money {
  return position.realised + unrealised(market, position, mark) + position.fees + position.funding;
}

/** cost / size in quote units; `undefined` when flat. */
export function averageEntry(market: Market, position: Pick<Position, 'lots' | 'cost'>): Decimal | undefined {
  if (position.lots === 0) return undefined;
  const unitsPerTick = new Decimal(position.lots).times(market.unitsPerTickLot.toString());
  return new Decimal(position.cost.toString()).div(unitsPerTick).div(market.priceGrid.scale);
}
