import type { Lots, Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { LiquidityOrder, TapeLiquidity, TapeSink, Touch } from '../liquidity.js';
import { type FillModel, slippageOf, THROUGH } from './fill-model.js';
import { RestingOrders } from './resting-orders.js';
import { roundToTick } from './touch-estimate.js';

/** Share of a bar's volume that a resting order may get when the price must go beyond its limit. */
const MOST_OF_VOLUME = 0.1;

/** A bar as liquidity sees it: its extremes in quote units, and its volume in whole lots. */
export interface BarRange {
  readonly low: number;
  readonly high: number;
  readonly lots: number;
}

/**
 * Liquidity from recorded bars. What happened inside a bar is unknown. A taker therefore trades at the open of the first
 * bar after it became effective, or at the price at which a stop fires inside a bar, worsened by slippage, up to the bar's
 * volume. An order that already rested at the open trades at its limit, out of the volume that takers left: with the model
 * `touch` if the bar reached the limit, from all of that volume; otherwise only if the bar went beyond the limit, from a
 * tenth of it.
 */
export class BarLiquidity implements TapeLiquidity {
  readonly #market: Market;
  readonly #sink: TapeSink;
  readonly #slippageTicks: number;
  /** A bar that reaches a limit without going beyond it fills the order. */
  readonly #isTouch: boolean;
  readonly #bids: RestingOrders;
  readonly #asks: RestingOrders;
  #takers: { readonly order: LiquidityOrder; readonly isWhole: boolean }[] = [];
  /** Lots of the open bar that nobody has got yet. */
  #left = 0;
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

  /** Whether takers wait for the next open. */
  get hasTakers(): boolean {
    return this.#takers.length > 0;
  }

  /** Sets the present price of the market, quote units. */
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

  /** Does nothing for an order that is not here. */
  remove(order: LiquidityOrder): void {
    this.#takers = this.#takers.filter((taker) => taker.order !== order);
    (order.side === 'buy' ? this.#bids : this.#asks).remove(order);
  }

  /** A bar with this volume opens: takers trade at the present price, the oldest first. */
  open(lots: number, time: number): void {
    this.#left = this.#serve(lots, time);
  }

  /** Inside of the bar, takers trade at the present price, out of what is left of its volume. */
  reach(time: number): void {
    this.#left = this.#serve(this.#left, time);
  }

  /**
   * Executes orders of the venue itself (take-overs, liquidations). No bar bounds their volume, because no other order
   * gets it.
   */
  force(time: number): void {
    this.#serve(Number.POSITIVE_INFINITY, time);
  }

  /** Executes takers, never beyond their limits; what they do not get ends. Returns the lots that are left. */
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
   * The bar is over: orders that rested at its open or before trade at their own limits. Orders that the bar went beyond
   * come first, as in every model, so that orders which it only reached take no volume from them.
   */
  pass({ low, high, lots }: BarRange, time: number): void {
    const most = this.#isTouch ? this.#left : Math.min(this.#left, Math.floor(lots * MOST_OF_VOLUME));
    let left = most;
    for (const isBeyond of this.#isTouch ? [true, false] : [true]) {
      left = this.#fill(this.#bids, low, isBeyond, left, time);
      left = this.#fill(this.#asks, high, isBeyond, left, time);
    }
    this.#left -= most - left;
  }

  /**
   * Fills the orders of a side that the bar went beyond, or those that it only reached. Returns the lots that are left.
   */
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
