import type { Lots, Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { LiquidityOrder, TapeLiquidity, TapeSink, Touch } from '../liquidity.js';
import { type FillModel, slippageOf, THROUGH } from './fill-model.js';
import { RestingOrders } from './resting-orders.js';
import { roundToTick } from './touch-estimate.js';

/** What of a bar's volume a resting order can have been, where the price had to go through its limit. */
const MOST_OF_VOLUME = 0.1;

/** What a bar is to liquidity: its extremes, quote units, and what traded in it, whole lots. */
export interface BarRange {
  readonly low: number;
  readonly high: number;
  readonly lots: number;
}

/**
 * Recorded bars as liquidity. Nothing is known of what happened inside of one, so an order that takes trades at the open
 * of the bar that it is live from, worsened by slippage, up to what traded in the bar; and an order that rested when the
 * bar opened trades at its limit, from what takers left of that: with `touch` where the bar reached the limit, from all of
 * it; else where the bar went beyond it, from a tenth.
 */
export class BarLiquidity implements TapeLiquidity {
  readonly #market: Market;
  readonly #sink: TapeSink;
  readonly #slippageTicks: number;
  /** A bar that only reaches a limit fills it. */
  readonly #isTouch: boolean;
  readonly #bids: RestingOrders;
  readonly #asks: RestingOrders;
  #takers: { readonly order: LiquidityOrder; readonly isWhole: boolean }[] = [];
  /** Lots of the open bar that takers had. */
  #taken = 0;
  #price = Number.NaN;
  readonly nextDeadline = Number.POSITIVE_INFINITY;
  readonly quietAbove = Number.POSITIVE_INFINITY;
  readonly quietBelow = Number.NEGATIVE_INFINITY;

  constructor(options: {
    readonly market: Market;
    readonly sink: TapeSink;
    /** Ticks of the price filter, before the model's factor. */
    readonly slippageTicks: number;
    readonly model?: FillModel | undefined;
  }) {
    const { market, sink, slippageTicks, model = THROUGH } = options;
    this.#market = market;
    this.#sink = sink;
    this.#slippageTicks = slippageOf(model, slippageTicks);
    this.#isTouch = model.atLimit === 'fills';
    this.#bids = new RestingOrders('buy', market.priceGrid.scale);
    this.#asks = new RestingOrders('sell', market.priceGrid.scale);
  }

  /** Somebody waits to take. */
  get hasTakers(): boolean {
    return this.#takers.length > 0;
  }

  /** What the market trades at from now on, quote units. */
  stand(price: number): void {
    this.#price = price;
  }

  touch(): Touch {
    if (Number.isNaN(this.#price)) return { bid: undefined, ask: undefined };
    return { bid: this.#ticks(-1), ask: this.#ticks(1) };
  }

  rest(order: LiquidityOrder, now: number): void {
    (order.side === 'buy' ? this.#bids : this.#asks).add(order, now, 0);
  }

  take(order: LiquidityOrder, _now: number, _deadline: number, isWhole: boolean): void {
    this.#takers.push({ order, isWhole });
  }

  /** Harmless for an order that is not here. */
  remove(order: LiquidityOrder): void {
    this.#takers = this.#takers.filter((taker) => taker.order !== order);
    (order.side === 'buy' ? this.#bids : this.#asks).remove(order);
  }

  /** A bar with so many lots opens: whoever waits to take trades at what the market stands at, oldest first. */
  open(lots: number, time: number): void {
    this.#taken = 0;
    this.#taken = lots - this.#serve(lots, time);
  }

  /** The venue takes over or sells what it must: a part of the market that nobody else gets, so that no bar bounds it. */
  force(time: number): void {
    this.#serve(Number.POSITIVE_INFINITY, time);
  }

  /** Never beyond their limits; with what is left of them they are over. Gives what is left of the lots. */
  #serve(lots: number, time: number): number {
    let left = lots;
    for (let taker = this.#takers.shift(); taker !== undefined; taker = this.#takers.shift()) {
      const { order, isWhole } = taker;
      const direction = order.side === 'buy' ? 1 : -1;
      const ticks = this.#ticks(direction);
      const has = isWhole && left < order.leaves ? 0 : Math.min(left, order.leaves);
      if (has > 0 && direction * (ticks - order.limitTicks) <= 0) {
        const worsened = ticks + direction * this.#slippageTicks * this.#market.filters.price.tickSize;
        const limited = direction * Math.min(direction * worsened, direction * order.limitTicks);
        left -= this.#sink.execute(order, has as Lots, limited as Ticks, 'taker', time);
      }
      if (order.leaves > 0) this.#sink.windowOver(order, time);
    }
    return left;
  }

  /**
   * The bar happened: what rested since it opened, or before, trades at its own limit. First whatever the bar went beyond,
   * as in every model, so that what it only reached takes no volume from that.
   */
  pass({ low, high, lots }: BarRange, time: number): void {
    const rest = lots - this.#taken;
    let left = this.#isTouch ? rest : Math.min(rest, Math.floor(lots * MOST_OF_VOLUME));
    for (const isBeyond of this.#isTouch ? [true, false] : [true]) {
      left = this.#fill(this.#bids, low, isBeyond, left, time);
      left = this.#fill(this.#asks, high, isBeyond, left, time);
    }
  }

  /** The orders of a side that the bar went beyond, or those that it just reached. Gives what is left of the lots. */
  #fill(side: RestingOrders, reach: number, isBeyond: boolean, lots: number, time: number): number {
    let left = lots;
    for (const { order } of side.touchedBy(reach)) {
      if (left === 0) break;
      if ((order.limitTicks / this.#market.priceGrid.scale !== reach) !== isBeyond) continue;
      const has = Math.min(left, order.leaves) as Lots;
      left -= this.#sink.execute(order, has, order.limitTicks, 'maker', time);
    }
    return left;
  }

  #ticks(direction: 1 | -1): Ticks {
    return roundToTick(this.#market.priceGrid, this.#market.filters.price.tickSize, this.#price, direction);
  }

  // A bar has no prints.
  advance(): void {}
  print(): void {}
  openRows(): void {}
  passRows(): void {}
  printRow(): void {}
  closeRows(): void {}
}
