import type { Lots, Ticks } from '../../model/grid.js';
import { divCeil, type Money } from '../../model/money.js';
import { execute } from '../../model/position.js';
import type { Side } from '../../model/side.js';
import type { Holding } from './account.js';
import { ceilShare, evenShare } from './amounts.js';

/** One side of a fill; `amount` is quantity × price in units. */
export interface Execution {
  readonly side: Side;
  readonly lots: Lots;
  readonly ticks: Ticks;
  readonly amount: Money;
}

/** Updates size and cost of the position; returns the realised P&L. */
export function move(holding: Holding, execution: Execution): Money {
  const { side, lots, amount } = execution;
  const before = holding.lots;
  const isBuy = side === 'buy';
  const after = (isBuy ? before + lots : before - lots) as Lots;
  if (before === 0 || before > 0 === isBuy) {
    holding.lots = after;
    if (isBuy) holding.cost += amount;
    else holding.cost -= amount;
    return 0n;
  }
  if (after === 0) {
    const realised = isBuy ? -amount - holding.cost : amount - holding.cost;
    holding.lots = after;
    holding.cost = 0n;
    return realised;
  }
  const moved = execute(holding.state.market, before, holding.cost, execution);
  holding.lots = moved.lots;
  holding.cost = moved.cost;
  return moved.realised;
}

/**
 * `move` and `count` in doubles, for a cross position. Returns NaN, without any change, where bigints are needed.
 * `amount` and `fee` must be safe integers.
 */
export function moveUnits(
  holding: Holding,
  side: Side,
  lots: Lots,
  ticks: Ticks,
  amount: number,
  fee: number,
  time: number,
): number {
  const { costUnits, feesUnits, lots: before } = holding;
  const isBuy = side === 'buy';
  const after = (isBuy ? before + lots : before - lots) as Lots;
  if (before === 0 || before > 0 === isBuy) {
    costUnits.add(isBuy ? amount : -amount);
    if (before === 0) open(holding, time);
    if (fee !== 0) feesUnits.add(-fee);
    holding.lots = after;
    return 0;
  }
  if (!costUnits.isExact) return Number.NaN;
  const cost = costUnits.number;
  const held = Math.abs(before);
  if (lots < held) {
    const out = evenShare(cost, lots, held);
    const realised = (isBuy ? -amount : amount) - out;
    if (!Number.isSafeInteger(realised)) return Number.NaN;
    costUnits.add(-out);
    if (realised !== 0) holding.realisedUnits.add(realised);
    if (fee !== 0) feesUnits.add(-fee);
    holding.lots = after;
    return realised;
  }
  const opening = after === 0 ? 0 : holding.state.unitsOf(Math.abs(after) as Lots, ticks);
  const closing = amount - opening;
  const realised = (isBuy ? -closing : closing) - cost;
  const closingFee = after === 0 ? fee : ceilShare(fee, held, lots);
  if (!Number.isSafeInteger(realised) || Number.isNaN(closingFee)) return Number.NaN;
  if (holding.account.completedPositions.limit > 0) {
    complete(holding, before, ticks, BigInt(realised), BigInt(closingFee), time);
  }
  restart(holding, 0n);
  costUnits.clear();
  holding.lots = after;
  if (after === 0) return realised;
  costUnits.add(isBuy ? opening : -opening);
  if (closingFee !== fee) feesUnits.add(closingFee - fee);
  open(holding, time);
  return realised;
}

/**
 * Updates the position's own P&L after a fill that `move` has already booked. It restarts when the position passes
 * through 0, and the finished position is recorded. Of a flip's fee, the share of the closing part, rounded up, belongs
 * to the position that ended (`dialect.md` §6). It takes separate arguments because it runs for each fill.
 */
export function count(
  holding: Holding,
  before: Lots,
  execution: Execution,
  realised: Money,
  fee: Money,
  time: number,
): void {
  const after = holding.lots;
  if (before === 0) {
    open(holding, time);
  } else if (after === 0) {
    complete(holding, before, execution.ticks, realised, fee, time);
    restart(holding, 0n);
    return;
  } else if (before > 0 !== after > 0) {
    const closing = divCeil(fee * BigInt(Math.abs(before)), BigInt(execution.lots));
    complete(holding, before, execution.ticks, realised, closing, time);
    restart(holding, closing - fee);
    open(holding, time);
    return;
  }
  if (realised !== 0n) holding.realised += realised;
  if (fee !== 0n) holding.fees -= fee;
}

export function open(holding: Holding, time: number): void {
  holding.openedAt = time;
  holding.openedFill = holding.account.fills.pushed;
}

/** Records a finished position. Must be called before its last fill is added to the account's fills. */
export function complete(
  holding: Holding,
  before: Lots,
  exitTicks: Ticks,
  realised: Money,
  fee: Money,
  time: number,
): void {
  const { account, state } = holding;
  if (account.completedPositions.limit === 0) return;
  account.completedPositions.push({
    pair: state.market.pair,
    direction: before > 0 ? 'buy' : 'sell',
    openedAt: holding.openedAt,
    closedAt: time,
    exitTicks,
    leverage: holding.leverage,
    realised: realised === 0n ? holding.realised : holding.realised + realised,
    fees: fee === 0n ? holding.fees : holding.fees - fee,
    funding: holding.funding,
    firstFill: holding.openedFill,
    lastFill: account.fills.pushed,
  });
}

/** Begins the next position with its share of the last fee. */
export function restart(holding: Holding, fees: Money): void {
  holding.realisedUnits.clear();
  holding.feesUnits.clear();
  if (fees !== 0n) holding.fees = fees;
  if (holding.funding !== 0n) holding.funding = 0n;
}
