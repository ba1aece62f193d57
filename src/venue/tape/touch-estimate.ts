import { type Grid, stepsOf, type Ticks } from '../../model/grid.js';
import type { Touch } from '../liquidity.js';

/**
 * Best bid and ask as a tape tells them: the ask is the price of the last buy-aggressor print, the bid of the last
 * sell-aggressor print; if they meet, the older one stands one tick beside the newer. A price off the filter's tick
 * moves away from the spread: the ask up, the bid down.
 *
 * Only the last two prices are kept; the estimate is made when somebody asks, so that a print costs one store.
 */
export class TouchEstimate {
  readonly #grid: Grid;
  /** The filter's tick, in grid steps; it may change in flight. */
  tick: number;
  /** Prices as printed; NaN before the first one. */
  #lastBuy = Number.NaN;
  #lastSell = Number.NaN;
  #newestIsBuy = false;

  constructor(grid: Grid, tick: number) {
    this.#grid = grid;
    this.tick = tick;
  }

  print(price: number, isBuyerMaker: boolean): void {
    if (isBuyerMaker) this.#lastSell = price;
    else this.#lastBuy = price;
    this.#newestIsBuy = !isBuyerMaker;
  }

  /** Each side is `undefined` until its aggressor printed. */
  get touch(): Touch {
    const ask = this.#outward(this.#lastBuy, 1);
    const bid = this.#outward(this.#lastSell, -1);
    if (ask !== undefined && bid !== undefined && bid >= ask) {
      return this.#newestIsBuy
        ? { bid: (ask - this.tick) as Ticks, ask }
        : { bid, ask: (bid + this.tick) as Ticks };
    }
    return { bid, ask };
  }

  #outward(price: number, direction: 1 | -1): Ticks | undefined {
    return Number.isNaN(price) ? undefined : roundToTick(this.#grid, this.tick, price, direction);
  }
}

/** Grid steps of the filter's tick at or next to `price`: above it (1) or below it (-1). Exact for every double. */
export function roundToTick(grid: Grid, tick: number, price: number, direction: 1 | -1): Ticks {
  const steps = stepsBeside(grid, price, direction);
  const multiples = steps / tick;
  return ((direction === 1 ? Math.ceil(multiples) : Math.floor(multiples)) * tick) as Ticks;
}

/** Whole grid steps of `price`, or the nearest above (1) or below (-1) when it is off the grid. */
export function stepsBeside(grid: Grid, price: number, direction: 1 | -1): number {
  const exact = stepsOf(grid, price);
  if (!Number.isNaN(exact)) return exact;
  // `k / scale` is the double of a grid price, so comparing it with the print decides exactly where the print lies.
  const nearest = Math.round(price * grid.scale);
  const isBelow = nearest / grid.scale < price;
  if (direction === 1) return isBelow ? nearest + 1 : nearest;
  return isBelow ? nearest : nearest - 1;
}
