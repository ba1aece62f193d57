import { UsageError } from '../../model/errors.js';
import type { Lots, Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { Side } from '../../model/side.js';
import type { LiquidityOrder, TapeLiquidity, TapePrints, TapeSink, Touch } from '../liquidity.js';
import { type FillModel, QUEUE, UNKNOWN_QUEUE } from './fill-model.js';
import { RestingOrders } from './resting-orders.js';
import { TapeEstimates } from './tape-estimates.js';
import { roundToTick } from './touch-estimate.js';
import { WaitingTakers, type Taker } from './waiting-takers.js';

export interface QueueModelOptions {
  readonly market: Market;
  readonly sink: TapeSink;
  /** How much worse than the print a taker trades, in ticks of the price filter, before the model's factor. Default 0. */
  readonly slippageTicks?: number;
  readonly model?: FillModel;
}

/**
 * Recorded prints as liquidity: each print's quantity is used once, by resting orders first, then by takers.
 *
 * - A resting order fills at its own limit: from prints beyond it whatever their aggressor, and from prints of the
 *   aggressor that hits it exactly at it once the street's volume ahead was eaten. What the street eats is used up.
 * - A taker eats prints of its own aggressor side, by age, at the print's price worsened by slippage and by rounding
 *   to the tick, never beyond its limit.
 * - A fill-or-kill order holds what it would have got until its deadline; then it executes all of it or nothing.
 * - A taker whose account has a resting order that stands before the street's at the taker's price ends (self-trade);
 *   a fill-or-kill order in this place finds no more.
 *
 * An order that came at `now` meets prints with a later time only.
 */
export class QueueModel implements TapeLiquidity {
  readonly #market: Market;
  readonly #sink: TapeSink;
  readonly #model: FillModel;
  /** Grid steps that a taker pays beyond the print. */
  readonly #slippage: number;
  readonly #estimates: TapeEstimates;
  readonly #bids: RestingOrders;
  readonly #asks: RestingOrders;
  readonly #takers = new WaitingTakers();
  /** The taker whose window is just ending: if its rest goes on to rest, it is first in its queue. */
  #released: LiquidityOrder | undefined;
  quietAbove = Number.NEGATIVE_INFINITY;
  quietBelow = Number.POSITIVE_INFINITY;

  constructor({ market, sink, slippageTicks = 0, model = QUEUE }: QueueModelOptions) {
    this.#market = market;
    this.#sink = sink;
    this.#model = model;
    if (!Number.isSafeInteger(slippageTicks) || slippageTicks < 0) {
      throw new UsageError(
        'TICKWRIGHT_E_SLIPPAGE',
        `slippage must be whole ticks of 0 or above, received ${slippageTicks}`,
      );
    }
    const tick = market.filters.price.tickSize;
    this.#slippage = Math.round(slippageTicks * model.slippageFactor) * tick;
    this.#estimates = new TapeEstimates(market);
    this.#bids = new RestingOrders('buy', market.priceGrid.scale);
    this.#asks = new RestingOrders('sell', market.priceGrid.scale);
  }

  /** No order waits or rests. */
  get idle(): boolean {
    return this.#takers.size === 0 && this.#bids.size === 0 && this.#asks.size === 0;
  }

  get nextDeadline(): number {
    return this.#takers.nextDeadline;
  }

  touch(): Touch {
    return this.#estimates.touch;
  }

  displayed(side: Side): Lots | undefined {
    const meanRun = side === 'buy' ? this.#estimates.sold : this.#estimates.bought;
    const { step } = this.#market.filters.quantity;
    return meanRun === undefined ? undefined : ((Math.max(1, Math.round(meanRun / step)) * step) as Lots);
  }

  rest(order: LiquidityOrder, now: number): void {
    const isBid = order.side === 'buy';
    const ahead = order === this.#released ? 0 : this.#queueAhead(order, isBid);
    (isBid ? this.#bids : this.#asks).add(order, now, ahead);
    this.#watch();
  }

  take(order: LiquidityOrder, now: number, deadline: number, fillOrKill: boolean): void {
    this.#takers.add(order, now, deadline, fillOrKill);
    this.#watch();
  }

  /** Harmless for an order that is not here. */
  remove(order: LiquidityOrder): void {
    if (!this.#takers.remove(order)) (order.side === 'buy' ? this.#bids : this.#asks).remove(order);
    this.#watch();
  }

  advance(now: number): void {
    while (this.#takers.nextDeadline <= now) this.#endWindow();
  }

  print(time: number, price: number, lots: number, isBuyerMaker: boolean): void {
    const isQuiet = price > this.quietAbove && price < this.quietBelow;
    if (!isQuiet) while (this.#takers.nextDeadline < time) this.#endWindow();
    this.#estimates.print(price, lots, isBuyerMaker);
    if (!isQuiet) this.#execute(time, price, lots, isBuyerMaker);
  }

  openRows(prints: TapePrints): void {
    this.#estimates.open(prints);
  }

  passRows(count: number): void {
    this.#estimates.pass(count);
  }

  printRow(row: number, lots: number): void {
    const { time, price, isBuyerMaker } = this.#estimates.rows;
    while (this.#takers.nextDeadline < (time[row] as number)) this.#endWindow();
    this.#estimates.pass(row + 1);
    this.#execute(time[row] as number, price[row] as number, lots, isBuyerMaker[row] === 1);
  }

  closeRows(): void {
    this.#estimates.close();
  }

  #execute(time: number, price: number, lots: number, isBuyerMaker: boolean): void {
    let left = lots;
    if (price <= this.#bids.bestPrice) left = this.#fillResting(this.#bids, time, price, left, isBuyerMaker);
    if (price >= this.#asks.bestPrice) left = this.#fillResting(this.#asks, time, price, left, !isBuyerMaker);
    if (this.#takers.size > 0) this.#fillTakers(time, price, left, isBuyerMaker);
  }

  /** Returns what is left of the print. */
  #fillResting(side: RestingOrders, time: number, price: number, lots: number, isHit: boolean): number {
    const scale = this.#market.priceGrid.scale;
    let left = lots;
    /** Lots of the street at this very price that the print has eaten so far. */
    let eaten = 0;
    for (const resting of side.touchedBy(price)) {
      if (resting.isGone || resting.since >= time) continue;
      const { order } = resting;
      /** Only at its limit: a print beyond it takes all slices. */
      let slice = Number.POSITIVE_INFINITY;
      if (order.limitTicks / scale !== price) resting.ahead = 0;
      else if (this.#model.reaches(isHit)) {
        const bite = Math.min(left, Math.max(0, resting.ahead - eaten));
        left -= bite;
        eaten += bite;
        resting.ahead = Math.max(0, resting.ahead - eaten);
        slice = shownBy(order);
      } else continue;
      if (left === 0) continue;
      const isReplaced = slice <= left && slice < order.leaves;
      const executed = this.#fill(order, Math.min(left, slice), order.limitTicks, 'maker', time);
      left -= executed;
      if (isReplaced && executed === slice) this.#requeue(side, order, time);
    }
    return left;
  }

  #fillTakers(time: number, price: number, lots: number, isBuyerMaker: boolean): void {
    const takers = this.#takers.of(isBuyerMaker ? 'sell' : 'buy');
    if (takers.length === 0) return;
    const direction = isBuyerMaker ? -1 : 1;
    const scale = this.#market.priceGrid.scale;
    const tick = this.#market.filters.price.tickSize;
    const worsened = roundToTick(this.#market.priceGrid, tick, price, direction) + direction * this.#slippage;
    let left = lots;
    for (const taker of takers) {
      const { order } = taker;
      if (taker.isGone || taker.since >= time) continue;
      if (direction * (price - order.limitTicks / scale) > 0) continue;
      const ticks = (
        direction === 1 ? Math.min(worsened, order.limitTicks) : Math.max(worsened, order.limitTicks)
      ) as Ticks;
      if (taker.isStopped || this.#meetsItself(taker, ticks, time)) continue;
      if (left === 0) continue;
      left -=
        taker.plan === undefined
          ? this.#fill(order, left, ticks, 'taker', time)
          : reserve(taker, ticks, left);
    }
  }

  /** True when an own resting order would trade before the street at `ticks`; then the taker is over, or goes on empty. */
  #meetsItself(taker: Taker, ticks: Ticks, time: number): boolean {
    const direction = taker.order.side === 'buy' ? 1 : -1;
    for (const resting of direction === 1 ? this.#asks : this.#bids) {
      const better = direction * (ticks - resting.order.limitTicks);
      if (better < 0) return false;
      if (resting.order.account !== taker.order.account || resting.since >= time) continue;
      if (better === 0 && resting.ahead > 0) continue;
      if (taker.plan !== undefined) {
        taker.isStopped = true;
      } else {
        this.remove(taker.order);
        this.#sink.selfTrade(taker.order, time);
      }
      return true;
    }
    return false;
  }

  /** Executes up to `lots`; returns how many were. */
  #fill(
    order: LiquidityOrder,
    lots: number,
    ticks: Ticks,
    liquidity: 'maker' | 'taker',
    time: number,
  ): number {
    const executed = this.#sink.execute(order, Math.min(lots, order.leaves) as Lots, ticks, liquidity, time);
    if (order.leaves <= 0) this.remove(order);
    return executed;
  }

  #endWindow(): void {
    const { order, deadline, plan } = this.#takers.takeFirstDue();
    this.#watch();
    if (plan !== undefined && plan.total >= order.leaves) {
      for (const { lots, ticks } of plan.parts) this.#fill(order, lots, ticks, 'taker', deadline);
      if (order.leaves <= 0) return;
    }
    this.#released = order;
    this.#sink.windowOver(order, deadline);
    this.#released = undefined;
  }

  #watch(): void {
    this.quietAbove = this.#takers.size > 0 ? Number.POSITIVE_INFINITY : this.#bids.bestPrice;
    this.quietBelow = this.#asks.bestPrice;
  }

  /** The next slice of an iceberg stands behind what the street is taken to show by now. */
  #requeue(side: RestingOrders, order: LiquidityOrder, time: number): void {
    if (!side.remove(order)) return;
    side.add(order, time, this.#queueAhead(order, order.side === 'buy'));
  }

  #queueAhead(order: LiquidityOrder, isBid: boolean): number {
    // What is displayed at a price comes first, and nobody knows how much that will be.
    if (order.isHidden === true) return UNKNOWN_QUEUE;
    const { bid, ask } = this.#estimates.touch;
    const isInside =
      bid !== undefined && ask !== undefined && bid < order.limitTicks && order.limitTicks < ask;
    return this.#model.queueAhead(isInside, isBid ? this.#estimates.sold : this.#estimates.bought);
  }
}

/** What a print exactly at its limit can take of an order at once. */
function shownBy(order: LiquidityOrder): Lots {
  return order.isHidden === true ? order.leaves : (order.displayed ?? order.leaves);
}

/** A fill-or-kill order keeps its part of a print for its deadline; returns how much. */
function reserve(taker: Taker, ticks: Ticks, left: number): number {
  const plan = taker.plan;
  if (plan === undefined) return 0;
  const lots = Math.min(left, taker.order.leaves - plan.total);
  if (lots <= 0) return 0;
  const last = plan.parts.at(-1);
  if (last?.ticks === ticks) last.lots += lots;
  else plan.parts.push({ ticks, lots });
  plan.total += lots;
  return lots;
}
