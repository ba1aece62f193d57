import { type Grid, wholeSteps } from '../../model/grid.js';
import type { RecordedLevel } from '../../model/world-fact.js';
import type { TapePrints } from '../liquidity.js';

/** A snapshot or a best price that is older than this is ignored, ms. */
export const FRESH_MS = 5_000;

/** One side of the newest snapshot. */
interface Side {
  readonly lots: ReadonlyMap<number, number>;
  /** The worst price of the snapshot, and the lots there; NaN and 0 for an empty side. */
  readonly deepest: number;
  readonly deepestLots: number;
}

/**
 * The newest recorded order book of a tape and the prints since then. It tells what is ahead of an order that arrives.
 * Prices as printed, quote units.
 */
export class RecordedDepth {
  readonly #quantityGrid: Grid;
  #time = Number.NEGATIVE_INFINITY;
  #bids: Side | undefined;
  #asks: Side | undefined;
  /** Lots that printed since the snapshot, by price and aggressor; without the rows from `#from` on. */
  readonly #sold = new Map<number, number>();
  readonly #bought = new Map<number, number>();
  #from = 0;

  constructor(quantityGrid: Grid) {
    this.#quantityGrid = quantityGrid;
  }

  isFresh(now: number): boolean {
    return now - this.#time <= FRESH_MS;
  }

  /** `row`: the first row of the open columns that was not printed yet. */
  see(time: number, bids: readonly RecordedLevel[], asks: readonly RecordedLevel[], row: number): void {
    this.#time = time;
    this.#bids = this.#side(bids);
    this.#asks = this.#side(asks);
    this.#sold.clear();
    this.#bought.clear();
    this.#from = row;
  }

  /** Notes a print that is not in any columns. */
  print(time: number, price: number, lots: number, isBuyerMaker: boolean): void {
    if (this.isFresh(time)) addTo(isBuyerMaker ? this.#sold : this.#bought, price, lots);
  }

  /** The columns are about to be reused; `count` of their rows were printed. */
  close(prints: TapePrints, count: number): void {
    if (this.#from < count && this.isFresh(prints.time[this.#from] as number)) {
      for (let row = this.#from; row < count; row++) {
        if (prints.isOwn?.[row] === 1) continue;
        const lots = wholeSteps(this.#quantityGrid, prints.quantity[row] as number);
        addTo(prints.isBuyerMaker[row] === 1 ? this.#sold : this.#bought, prints.price[row] as number, lots);
      }
    }
    this.#from = 0;
  }

  /**
   * Lots of the street ahead of an order that arrives at `now`: the displayed lots at its price, less what printed there
   * since. For a price deeper than the snapshot, the lots of its deepest level. `undefined` without a fresh snapshot of
   * the side.
   */
  ahead(isBid: boolean, price: number, now: number, prints: TapePrints, printed: number): number | undefined {
    const side = isBid ? this.#bids : this.#asks;
    if (side === undefined || Number.isNaN(side.deepest) || !this.isFresh(now)) return undefined;
    if (isBid ? price < side.deepest : price > side.deepest) return side.deepestLots;
    const shown = side.lots.get(price) ?? 0;
    if (shown === 0) return 0;
    return Math.max(0, shown - this.#hitAt(isBid, price, prints, printed));
  }

  /** The lots that the snapshot shows at a price; `undefined` for a price deeper than the snapshot. */
  shown(isBid: boolean, price: number): number | undefined {
    const side = isBid ? this.#bids : this.#asks;
    if (side === undefined || Number.isNaN(side.deepest)) return undefined;
    if (isBid ? price < side.deepest : price > side.deepest) return undefined;
    return side.lots.get(price) ?? 0;
  }

  #hitAt(isBid: boolean, price: number, prints: TapePrints, printed: number): number {
    let lots = (isBid ? this.#sold : this.#bought).get(price) ?? 0;
    const hitting = isBid ? 1 : 0;
    for (let row = this.#from; row < printed; row++) {
      if (prints.price[row] !== price || prints.isBuyerMaker[row] !== hitting) continue;
      if (prints.isOwn?.[row] === 1) continue;
      lots += wholeSteps(this.#quantityGrid, prints.quantity[row] as number);
    }
    return lots;
  }

  #side(levels: readonly RecordedLevel[]): Side {
    const lots = new Map(
      levels.map(([price, quantity]) => [price, wholeSteps(this.#quantityGrid, quantity)] as const),
    );
    const [deepest, quantity] = levels.at(-1) ?? [Number.NaN, 0];
    return { lots, deepest, deepestLots: wholeSteps(this.#quantityGrid, quantity) };
  }
}

function addTo(volumes: Map<number, number>, price: number, lots: number): void {
  volumes.set(price, (volumes.get(price) ?? 0) + lots);
}
