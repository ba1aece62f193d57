import { wholeSteps } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { TapePrints, Touch } from '../liquidity.js';
import { RUNS_KEPT, RunVolumes } from './run-volumes.js';
import { FRESH_MS, RecordedDepth } from './recorded-depth.js';
import { KeptPrints, type LearnedPrints } from './kept-prints.js';
import { roundToTick, TouchEstimate } from './touch-estimate.js';

const NO_ROWS: TapePrints = {
  time: new Float64Array(0),
  price: new Float64Array(0),
  quantity: new Float64Array(0),
  isBuyerMaker: new Uint8Array(0),
};

/** Up to this many rows are learned completely; of more, the first row that still matters is searched for. */
const FEW_ROWS = 12_288;
const FIRST_WINDOW = 4_096;

/**
 * What a tape tells about the street: the touch, and how much trades at a price. Learning costs some 20 ns a print
 * (processors cannot predict the new run at every third print), and most prints of a backtest are never asked about. So
 * columns are learned only when an estimate is asked for, and of a long stretch only the end that still matters. That end
 * is copied before the columns are reused.
 */
export class TapeEstimates {
  #market: Market;
  readonly #runs = new RunVolumes();
  readonly #estimate: TouchEstimate;
  readonly depth: RecordedDepth;
  #seen: Touch | undefined;
  #seenAt = Number.NEGATIVE_INFINITY;
  /** Rows of earlier columns, learned only when an estimate is asked for. */
  readonly #kept = new KeptPrints();
  #rows = NO_ROWS;
  #learned = 0;
  #passed = 0;

  constructor(market: Market) {
    this.#market = market;
    this.#estimate = new TouchEstimate(market.priceGrid, market.filters.price.tickSize);
    this.depth = new RecordedDepth(market.quantityGrid);
  }

  /** Changes the market's filters; the grids must stay the same. */
  turn(market: Market): void {
    this.#market = market;
    this.#estimate.tick = market.filters.price.tickSize;
  }

  /** Notes recorded best prices at `time`, quote units; the newest count. */
  see(time: number, bid: number, ask: number): void {
    const { priceGrid, filters } = this.#market;
    this.#seenAt = time;
    this.#seen = {
      bid: roundToTick(priceGrid, filters.price.tickSize, bid, -1),
      ask: roundToTick(priceGrid, filters.price.tickSize, ask, 1),
    };
  }

  /** The recorded touch while it is fresh, else the estimate from prints. */
  touchAt(now: number): Touch {
    if (this.#seen !== undefined && now - this.#seenAt <= FRESH_MS) return this.#seen;
    this.#learn();
    return this.#estimate.touch;
  }

  /** Lots ahead of an order that arrives, by the recorded depth; `undefined` where the depth does not tell. */
  aheadInDepth(isBid: boolean, price: number, now: number): number | undefined {
    return this.depth.ahead(isBid, price, now, this.#rows, this.#passed);
  }

  /** Number of rows that were printed so far. */
  get passed(): number {
    return this.#passed;
  }

  /** Mean lots of the runs that hit bids (`sold`) and of those that lifted asks (`bought`); see `RunVolumes`. */
  get sold(): number | undefined {
    this.#learn();
    return this.#runs.sold;
  }

  get bought(): number | undefined {
    this.#learn();
    return this.#runs.bought;
  }

  /** Notes a print that is not in any columns. */
  print(price: number, lots: number, isBuyerMaker: boolean): void {
    // The touch depends on the last price of each aggressor, which only a new run changes.
    if (this.#runs.print(price, lots, isBuyerMaker)) this.#estimate.print(price, isBuyerMaker);
  }

  get rows(): TapePrints {
    return this.#rows;
  }

  open(prints: TapePrints): void {
    this.#rows = prints;
    this.#learned = 0;
    this.#passed = 0;
  }

  /** Rows below `count` have been printed. */
  pass(count: number): void {
    this.#passed = count;
  }

  close(): void {
    const from = this.#firstThatMatters(this.#passed);
    if (from > this.#learned) this.#kept.keep(this.#rows, from, this.#passed);
    else this.#learn();
    this.depth.close(this.#rows, this.#passed);
    this.open(NO_ROWS);
  }

  #learn(): void {
    const to = this.#passed;
    const from = this.#firstThatMatters(to);
    // What was kept does not matter either where the open rows push all before them out.
    if (from === this.#learned) this.#learnRows(this.#kept, 0, this.#kept.count);
    this.#kept.clear();
    this.#learnRows(this.#rows, from, to);
    this.#learned = to;
  }

  #learnRows({ price, quantity, isBuyerMaker, isOwn }: LearnedPrints, from: number, to: number): void {
    const { quantityGrid } = this.#market;
    for (let row = from; row < to; row++) {
      if (isOwn?.[row] === 1) continue;
      this.print(
        price[row] as number,
        wholeSteps(quantityGrid, quantity[row] as number),
        isBuyerMaker[row] === 1,
      );
    }
  }

  /**
   * Where learning up to `to` may begin with the same outcome: far enough back that the runs since then push all others
   * out, the first one included, whose beginning is not seen.
   */
  #firstThatMatters(to: number): number {
    const { price, isBuyerMaker, isOwn } = this.#rows;
    // Which of them end a run is more than a look at two rows then.
    if (to - this.#learned <= FEW_ROWS || isOwn !== undefined) return this.#learned;
    for (let rows = FIRST_WINDOW; rows < to - this.#learned; rows *= 2) {
      let sold = 0;
      let bought = 0;
      for (let row = to - rows + 1; row < to; row++) {
        if (price[row] === price[row - 1] && isBuyerMaker[row] === isBuyerMaker[row - 1]) continue;
        if (isBuyerMaker[row - 1] === 1) sold++;
        else bought++;
      }
      // One run more than is kept, for the one that was cut.
      if (sold > RUNS_KEPT && bought > RUNS_KEPT) return to - rows;
    }
    return this.#learned;
  }
}
