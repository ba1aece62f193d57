import { type Grid, type Lots, type Ticks, wholeSteps } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { Side } from '../../model/side.js';
import type { RecordedLevel } from '../../model/world-fact.js';
import type { LiquidityOrder, TapeLiquidity, TapePrints, TapeSink, Touch } from '../liquidity.js';
import { type FillModel, QUEUE, slippageOf, UNKNOWN_QUEUE } from './fill-model.js';
import { RestingOrders } from './resting-orders.js';
import { TapeEstimates } from './tape-estimates.js';
import { roundToTick } from './touch-estimate.js';
import { type Plan, type Taker, WaitingTakers } from './waiting-takers.js';

export interface QueueModelOptions {
  readonly market: Market;
  readonly sink: TapeSink;
  /** How much worse than the print a taker trades, in ticks of the price filter, before the model's factor. Default 0. */
  readonly slippageTicks?: number;
  readonly model?: FillModel | undefined;
}

/**
 * Recorded prints as liquidity: each print's quantity is used once, by resting orders first, then by takers.
 *
 * - A resting order fills at its own limit: from prints beyond it whatever their aggressor, and from prints of the
 *   aggressor that hits it exactly at it once the street's volume ahead was eaten. What the street eats is used up.
 * - A taker eats prints of its own aggressor side, by age, at the print's price worsened by slippage and by rounding
 *   to the tick, never beyond its limit.
 * - A fill-or-kill order holds what it would have got. At the print by which that is all of it, it executes, so that
 *   nobody can wait for the next prices and take it back; at its deadline it has come to nothing.
 * - A taker whose account has a resting order at the taker's price or better ends (self-trade); a fill-or-kill order in
 *   this place finds no more.
 *
 * An order that came at `now` meets prints with a later time only, and never those that an order of ours had made when
 * the tape was recorded.
 */
export class QueueModel implements TapeLiquidity {
  #market: Market;
  readonly #sink: TapeSink;
  readonly #model: FillModel;
  /** Ticks of the price filter by which a taker pays more than the print. */
  readonly #slippageTicks: number;
  readonly #estimates: TapeEstimates;
  readonly #bids: RestingOrders;
  readonly #asks: RestingOrders;
  readonly #takers = new WaitingTakers();
  /** The taker whose window is just ending. If its rest becomes a resting order, it is first in its queue. */
  #released: LiquidityOrder | undefined;
  #measured = 0;
  #guessed = 0;
  /** What the core itself wants to see; see `heed`. */
  #heedAbove = Number.NEGATIVE_INFINITY;
  #heedBelow = Number.POSITIVE_INFINITY;
  /** A print strictly between these two reaches neither that nor a resting order. */
  #passAbove = Number.NEGATIVE_INFINITY;
  #passBelow = Number.POSITIVE_INFINITY;
  quietAbove = Number.NEGATIVE_INFINITY;
  quietBelow = Number.POSITIVE_INFINITY;

  constructor({ market, sink, slippageTicks = 0, model = QUEUE }: QueueModelOptions) {
    this.#market = market;
    this.#sink = sink;
    this.#model = model;
    this.#slippageTicks = slippageOf(model, slippageTicks);
    this.#estimates = new TapeEstimates(market);
    this.#bids = new RestingOrders('buy', market.priceGrid.scale);
    this.#asks = new RestingOrders('sell', market.priceGrid.scale);
  }

  /** No order waits as a taker or rests. */
  get idle(): boolean {
    return this.#takers.size === 0 && this.#bids.size === 0 && this.#asks.size === 0;
  }

  get nextDeadline(): number {
    return this.#takers.nextDeadline;
  }

  /** The source of the queue positions of resting orders so far; `undefined` when none needed one. */
  get queueAhead(): 'recorded' | 'estimated' | undefined {
    if (this.#guessed > 0) return 'estimated';
    return this.#measured > 0 ? 'recorded' : undefined;
  }

  touch(now: number = Number.POSITIVE_INFINITY): Touch {
    return this.#estimates.touchAt(now);
  }

  /** Changes the market's filters; the grids must stay the same. */
  turn(market: Market): void {
    this.#market = market;
    this.#estimates.turn(market);
  }

  /** Notes best prices at `time`, quote units. */
  seeTouch(time: number, bid: number, ask: number): void {
    this.#estimates.see(time, bid, ask);
  }

  /**
   * Notes the order book at `time`: its best prices, if it has both, and that no resting order can have more volume ahead
   * of it than the book shows.
   */
  seeDepth(time: number, bids: readonly RecordedLevel[], asks: readonly RecordedLevel[]): void {
    const { depth } = this.#estimates;
    const [bid, ask] = [bids[0], asks[0]];
    if (bid !== undefined && ask !== undefined) this.#estimates.see(time, bid[0], ask[0]);
    depth.see(time, bids, asks, this.#estimates.passed);
    const { scale } = this.#market.priceGrid;
    for (const side of [this.#bids, this.#asks]) {
      for (const resting of side) {
        const shown = depth.shown(side === this.#bids, resting.order.limitTicks / scale);
        if (shown !== undefined && shown < resting.ahead) resting.ahead = shown;
      }
    }
  }

  displayed(side: Side): Lots | undefined {
    const meanRun = side === 'buy' ? this.#estimates.sold : this.#estimates.bought;
    const { step } = this.#market.filters.quantity;
    return meanRun === undefined ? undefined : ((Math.max(1, Math.round(meanRun / step)) * step) as Lots);
  }

  rest(order: LiquidityOrder, now: number): void {
    const isBid = order.side === 'buy';
    const ahead = order === this.#released ? 0 : this.#queueAhead(order, isBid, now);
    (isBid ? this.#bids : this.#asks).add(order, now, ahead);
    this.#watch();
  }

  take(order: LiquidityOrder, now: number, deadline: number, fillOrKill: boolean): void {
    this.#takers.add(order, now, deadline, fillOrKill);
    this.#watch();
  }

  /** Does nothing for an order that is not here. */
  remove(order: LiquidityOrder): void {
    const side = order.side === 'buy' ? this.#bids : this.#asks;
    if (this.#takers.remove(order) || side.remove(order)) this.#watch();
  }

  heed(above: number, below: number): void {
    this.#heedAbove = above;
    this.#heedBelow = below;
    this.#watch();
  }

  advance(now: number): void {
    while (this.#takers.nextDeadline <= now) this.#endWindow();
  }

  endWindows(now: number): void {
    // No more than there are: a liquidation puts its next slice in the place of the one before.
    for (let left = this.#takers.size; left > 0 && this.#takers.size > 0; left--) this.#endWindow(now);
  }

  print(time: number, price: number, lots: number, isBuyerMaker: boolean): void {
    const isQuiet = price > this.quietAbove && price < this.quietBelow;
    if (!isQuiet) while (this.#takers.nextDeadline < time) this.#endWindow();
    this.#estimates.print(price, lots, isBuyerMaker);
    this.#estimates.depth.print(time, price, lots, isBuyerMaker);
    if (!isQuiet) this.#execute(time, price, lots, isBuyerMaker);
  }

  /**
   * Whether a print cannot fill anything although takers may wait: it is between the resting orders and between the
   * prices that the core heeds, and no taker waits for its aggressor. Asked for prints outside of the quiet bounds, most of
   * which have the wrong aggressor.
   */
  isPassing(time: number, price: number, isBuyerMaker: boolean): boolean {
    return (
      price > this.#passAbove &&
      price < this.#passBelow &&
      this.#takers.countOf(isBuyerMaker) === 0 &&
      this.#takers.nextDeadline >= time
    );
  }

  /** The price for a taker at a print of its side, its limit at worst; `undefined` when the print is beyond the limit. */
  takerTicks(price: number, side: Side, limitTicks: Ticks): Ticks | undefined {
    const { priceGrid, filters } = this.#market;
    const tick = filters.price.tickSize;
    const limit = limitTicks / priceGrid.scale;
    if (side === 'buy') {
      if (price > limit) return undefined;
      const worsened = roundToTick(priceGrid, tick, price, 1) + this.#slippageTicks * tick;
      return (worsened < limitTicks ? worsened : limitTicks) as Ticks;
    }
    if (price < limit) return undefined;
    const worsened = roundToTick(priceGrid, tick, price, -1) - this.#slippageTicks * tick;
    return (worsened > limitTicks ? worsened : limitTicks) as Ticks;
  }

  /** The grid in which the quantities of prints are counted. */
  get quantityGrid(): Grid {
    return this.#market.quantityGrid;
  }

  openRows(prints: TapePrints): void {
    this.#estimates.open(prints);
  }

  passRows(count: number): void {
    this.#estimates.pass(count);
  }

  printRow(row: number): void {
    const { time: times, price: prices, quantity, isBuyerMaker, isOwn } = this.#estimates.rows;
    const time = times[row] as number;
    const price = prices[row] as number;
    while (this.#takers.nextDeadline < time) this.#endWindow();
    this.#estimates.pass(row + 1);
    // The quantity is read only when needed, as it costs a cache miss.
    if (isOwn?.[row] === 1 || this.isPassing(time, price, isBuyerMaker[row] === 1)) return;
    const lots = wholeSteps(this.#market.quantityGrid, quantity[row] as number);
    this.#execute(time, price, lots, isBuyerMaker[row] === 1);
  }

  closeRows(): void {
    this.#estimates.close();
  }

  #execute(time: number, price: number, lots: number, isBuyerMaker: boolean): void {
    let left = lots;
    if (price <= this.#bids.bestPrice) left = this.#fillResting(this.#bids, time, price, left, isBuyerMaker);
    if (price >= this.#asks.bestPrice) left = this.#fillResting(this.#asks, time, price, left, !isBuyerMaker);
    if (this.#takers.size > 0) left = this.#fillTakers(time, price, left, isBuyerMaker);
    // In the last place, so that no order gets less of a print than in a model without this rule.
    if (this.#model.atLimit === 'fills' && left > 0) {
      const passed = isBuyerMaker ? this.#asks : this.#bids;
      if (price === passed.bestPrice) this.#fillPassed(passed, time, price, left);
    }
  }

  /** Returns the lots of the print that are left. */
  #fillResting(side: RestingOrders, time: number, price: number, lots: number, isHit: boolean): number {
    const scale = this.#market.priceGrid.scale;
    let left = lots;
    /** Lots of the street at exactly this price that the print has taken so far. */
    let eaten = 0;
    for (const resting of side.touchedBy(price)) {
      if (resting.isGone || resting.since >= time) continue;
      const { order } = resting;
      /** An iceberg shows one slice at its limit; a print beyond the limit takes all slices. */
      let slice = Number.POSITIVE_INFINITY;
      if (order.limitTicks / scale !== price) resting.ahead = 0;
      else if (isHit && this.#model.atLimit !== 'nothing') {
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

  /** Fills orders at exactly the price of a print whose aggressor took the other side. */
  #fillPassed(side: RestingOrders, time: number, price: number, lots: number): void {
    let left = lots;
    for (const { order, since, isGone } of side.touchedBy(price)) {
      if (left === 0) return;
      if (isGone || since >= time) continue;
      left -= this.#fill(order, Math.min(left, shownBy(order)), order.limitTicks, 'maker', time);
    }
  }

  /** Returns the lots of the print that are left. */
  #fillTakers(time: number, price: number, lots: number, isBuyerMaker: boolean): number {
    const takers = this.#takers.of(isBuyerMaker ? 'sell' : 'buy');
    if (takers.length === 0) return lots;
    let left = lots;
    for (const taker of takers) {
      const { order } = taker;
      if (taker.isGone || taker.since >= time) continue;
      const ticks = this.takerTicks(price, order.side, order.limitTicks);
      if (ticks === undefined) continue;
      if (taker.isStopped || this.#meetsItself(taker, price, time)) continue;
      if (left === 0) continue;
      left -=
        taker.plan === undefined
          ? this.#fill(order, left, ticks, 'taker', time)
          : this.#reserve(order, taker.plan, { ticks, lots: left, time });
    }
    return left;
  }

  /**
   * Whether an own resting order stands at the print's price or better. Then the taker ends, or, if fill-or-kill, finds
   * no more. The street's volume ahead and slippage are ignored, so that all models agree on it.
   */
  #meetsItself(taker: Taker, price: number, time: number): boolean {
    const direction = taker.order.side === 'buy' ? 1 : -1;
    const side = direction === 1 ? this.#asks : this.#bids;
    if (side.size === 0) return false;
    const { priceGrid, filters } = this.#market;
    const ticks = roundToTick(priceGrid, filters.price.tickSize, price, direction);
    for (const resting of side) {
      const better = direction * (ticks - resting.order.limitTicks);
      if (better < 0) return false;
      if (resting.order.account !== taker.order.account || resting.since >= time) continue;
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

  /**
   * Reserves a part of a print for a fill-or-kill order, and executes the order if that completes it. Returns the number
   * of lots.
   */
  #reserve(
    order: LiquidityOrder,
    plan: Plan,
    print: { readonly ticks: Ticks; readonly lots: number; readonly time: number },
  ): number {
    const { ticks, time } = print;
    const lots = Math.min(print.lots, order.leaves - plan.total);
    if (lots <= 0) return 0;
    const last = plan.parts.at(-1);
    if (last?.ticks === ticks) last.lots += lots;
    else plan.parts.push({ ticks, lots });
    plan.total += lots;
    if (plan.total === order.leaves) {
      for (const part of plan.parts) this.#fill(order, part.lots, part.ticks, 'taker', time);
    }
    return lots;
  }

  /** Executes up to `lots`; returns the number of executed lots. */
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

  /** `at`: earlier than its deadline. */
  #endWindow(at?: number): void {
    const { order, deadline } = this.#takers.takeFirstDue();
    this.#watch();
    this.#released = order;
    this.#sink.windowOver(order, at ?? deadline);
    this.#released = undefined;
  }

  #watch(): void {
    const { bestPrice: bid } = this.#bids;
    const { bestPrice: ask } = this.#asks;
    this.#passAbove = bid > this.#heedAbove ? bid : this.#heedAbove;
    this.#passBelow = ask < this.#heedBelow ? ask : this.#heedBelow;
    this.quietAbove = this.#takers.size > 0 ? Number.POSITIVE_INFINITY : this.#passAbove;
    this.quietBelow = this.#passBelow;
  }

  /**
   * Puts the next slice of an iceberg at the end of the queue, behind the street's volume as it is estimated at this
   * time.
   */
  #requeue(side: RestingOrders, order: LiquidityOrder, time: number): void {
    if (!side.remove(order)) return;
    side.add(order, time, this.#queueAhead(order, order.side === 'buy', time));
  }

  #queueAhead(order: LiquidityOrder, isBid: boolean, now: number): number {
    if (this.#model.atLimit !== 'eats') return 0;
    // Displayed volume at the price comes before hidden orders, and its future amount is unknown.
    if (order.isHidden === true) return UNKNOWN_QUEUE;
    const { bid, ask } = this.#estimates.touchAt(now);
    const isInside =
      bid !== undefined && ask !== undefined && bid < order.limitTicks && order.limitTicks < ask;
    if (isInside) return 0;
    const seen = this.#estimates.aheadInDepth(isBid, order.limitTicks / this.#market.priceGrid.scale, now);
    if (seen !== undefined) {
      this.#measured++;
      return seen;
    }
    this.#guessed++;
    const meanRun = isBid ? this.#estimates.sold : this.#estimates.bought;
    // Rounded up, as part of a lot ahead blocks the order like a whole lot.
    return meanRun === undefined ? UNKNOWN_QUEUE : Math.ceil(meanRun);
  }
}

/** The lots that a print exactly at the order's limit can take of it at once. */
function shownBy(order: LiquidityOrder): Lots {
  return order.isHidden === true ? order.leaves : (order.displayed ?? order.leaves);
}
