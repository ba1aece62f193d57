import type { Market } from '../model/market.js';
import type { Ticker } from '../model/ticker.js';
import type { Trade } from '../model/trade.js';

/** How far a print may lie from the mark and from the good print before it, as a fraction. */
const COLLAR = 0.1;
/** A print is compared with the mark only when the two are this close in time, venue ms. */
const MARK_MS = 60_000;
/** The first reference is the median of so many prints, so that one misprint among them cannot become it. */
const FIRST_PRINTS = 9;

/** After more prints than this in a row, over more than so many venue ms, that fail by the mark alone, tape and mark disagree. */
const MOST_DISPUTED = 16;
const LEAST_DISPUTE_MS = 10_000;

/** Why a price or quantity cannot be that of a trade on any market; `undefined`: it can. */
export function unsoundness({ price, quantity }: Pick<Trade, 'price' | 'quantity'>): string | undefined {
  if (!(price > 0 && price < Number.POSITIVE_INFINITY)) {
    return `a price must be a number above 0, received ${price}`;
  }
  if (!(quantity > 0 && quantity < Number.POSITIVE_INFINITY)) {
    return `a quantity must be a number above 0, received ${quantity}`;
  }
  return undefined;
}

/**
 * Tells prints from misprints (`reliability.md` row 53). A good print lies inside the market's price filter and within the
 * collar (10 %) of the mark and of the last good print. A larger real move is believed once two prints in a row agree on it
 * and so does the mark, where one is known.
 */
export class PrintGuard {
  readonly #min: number;
  readonly #max: number;
  readonly #collar: number;
  #mark: number | undefined;
  #markTime = Number.NEGATIVE_INFINITY;
  #good: number | undefined;
  /** Price of the print before this one, if it was not believed; the print after it may confirm it. */
  #doubted: number | undefined;
  /** Since the last print that was believed: those that failed by the mark alone, and venue ms of their first and newest. */
  #disputed = 0;
  #disputedFrom = 0;
  #disputedTo = 0;

  constructor({ filters: { price }, priceGrid }: Market, collar = COLLAR) {
    this.#min = price.min / priceGrid.scale;
    this.#max = price.max / priceGrid.scale;
    this.#collar = collar;
  }

  /** A ticker that had arrived by `seenAt`, venue ms. */
  ticker({ markPrice }: Ticker, seenAt: number): void {
    this.#mark = markPrice;
    this.#markTime = seenAt;
    const doubted = this.#doubted;
    // Where nobody trades, no print can settle it.
    if (markPrice === undefined || (doubted !== undefined && this.#isNear(doubted, markPrice)))
      this.#disputed = 0;
  }

  /** Called with the prints of a poll, in order, before they are judged: the first ones ever give the first reference. */
  expect(trades: readonly Trade[]): void {
    if (this.#good !== undefined) return;
    const prices: number[] = [];
    for (const trade of trades) {
      if (prices.length >= FIRST_PRINTS) break;
      if (this.#impossible(trade) === undefined) prices.push(trade.price);
    }
    this.#good = prices.sort((a, b) => a - b)[(prices.length - 1) >> 1];
  }

  /** Why a print is not believed; `undefined`: it is. Prints must come in the order of the tape. */
  judge(trade: Trade): string | undefined {
    const reason = this.#impossible(trade) ?? this.#unlikely(trade);
    if (reason === undefined) {
      this.#good = trade.price;
      this.#disputed = 0;
    }
    return reason;
  }

  /**
   * Why neither the tape nor the mark is to be traded on: prints that agree with each other lie far from the mark, one after
   * the other, as when a ticker is answered from a cache. `undefined`: they do not contradict each other.
   */
  get contradiction(): string | undefined {
    const lasts = this.#disputedTo - this.#disputedFrom > LEAST_DISPUTE_MS;
    return this.#disputed > MOST_DISPUTED && lasts
      ? 'the tape and the mark price contradict each other'
      : undefined;
  }

  #impossible(trade: Trade): string | undefined {
    const unsound = unsoundness(trade);
    if (unsound !== undefined) return unsound;
    if (trade.price >= this.#min && trade.price <= this.#max) return undefined;
    return `a price must be from ${this.#min} to ${this.#max}, received ${trade.price}`;
  }

  #unlikely({ price, time }: Trade): string | undefined {
    const doubted = this.#doubted;
    this.#doubted = undefined;
    const mark = Math.abs(time - this.#markTime) <= MARK_MS ? this.#mark : undefined;
    const agreesWithMark = mark === undefined || this.#isNear(price, mark);
    const agreesWithGood = this.#good === undefined || this.#isNear(price, this.#good);
    const agreesWithTape = agreesWithGood || (doubted !== undefined && this.#isNear(price, doubted));
    if (agreesWithMark && agreesWithTape) return undefined;
    this.#doubted = price;
    if (agreesWithTape) this.#dispute(time);
    const [what, reference] = agreesWithMark ? ['good print before it', this.#good] : ['mark', mark];
    return `a price must be within ${this.#collar * 100} % of the ${what}, ${reference}, received ${price}`;
  }

  #dispute(time: number): void {
    if (this.#disputed++ === 0) this.#disputedFrom = time;
    this.#disputedTo = time;
  }

  #isNear(price: number, reference: number): boolean {
    return Math.abs(price - reference) <= this.#collar * reference;
  }
}
