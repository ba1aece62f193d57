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

/** Size and cost after an execution; returns what it realised. */
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
 * `move` and `count` in doubles, for a cross position. NaN, and nothing was done, where it takes bigints; `amount` and
 * `fee` are safe integers.
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
 * What a position shows of its own P&L, of a fill that `move` has already put into size and cost: it starts again when
 * the position passes through 0, and the finished one is kept. Of a flip's fee the closing part's share, rounded up,
 * belongs to the position that ended (`dialect.md` §6). Called for each fill, so nothing is wrapped up for it.
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

/** Before the fill that ended the position joins the account's fills. */
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

/** The next position starts with what of the last fee is its own. */
export function restart(holding: Holding, fees: Money): void {
  holding.realisedUnits.clear();
  holding.feesUnits.clear();
  if (fees !== 0n) holding.fees = fees;
  if (holding.funding !== 0n) holding.funding = 0n;
}
