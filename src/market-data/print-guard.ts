import type { Market } from '../model/market.js';
import type { Ticker } from '../model/ticker.js';
import type { Trade } from '../model/trade.js';

/** How far a print may lie from the mark and from the good print before it, as a fraction. */
const COLLAR = 0.1;
/** A mark speaks for prints this close to it in time, venue ms. */
const MARK_MS = 60_000;
/** Prints that a first reference is the median of: one bad one among them does not make it. */
const FIRST_PRINTS = 9;

/** Why numbers are no trade at all, whatever the market; `undefined` when they may be one. */
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
 * Tells prints from misprints (`reliability.md` row 53): inside the market's filter and within 10 % of the mark and of
 * the last good print. A real move that is larger is believed when two prints in a row agree on it and the mark, where
 * one is known, went along.
 */
export class PrintGuard {
  readonly #min: number;
  readonly #max: number;
  readonly #collar: number;
  #mark: number | undefined;
  #markTime = Number.NEGATIVE_INFINITY;
  #good: number | undefined;
  /** The price of the newest print, when it was not believed. */
  #doubted: number | undefined;

  constructor({ filters: { price }, priceGrid }: Market, collar = COLLAR) {
    this.#min = price.min / priceGrid.scale;
    this.#max = price.max / priceGrid.scale;
    this.#collar = collar;
  }

  /** A ticker that had arrived by `seenAt`, venue ms. */
  ticker({ markPrice }: Ticker, seenAt: number): void {
    this.#mark = markPrice;
    this.#markTime = seenAt;
  }

  /** The prints of a poll before they are judged, in order: the first ones ever are what the others are held against. */
  expect(trades: readonly Trade[]): void {
    if (this.#good !== undefined) return;
    const prices: number[] = [];
    for (const trade of trades) {
      if (prices.length >= FIRST_PRINTS) break;
      if (this.#impossible(trade) === undefined) prices.push(trade.price);
    }
    this.#good = prices.sort((a, b) => a - b)[(prices.length - 1) >> 1];
  }

  /** Why a print is not believed, or `undefined`. Trades are judged in the order of the tape. */
  judge(trade: Trade): string | undefined {
    const reason = this.#impossible(trade) ?? this.#unlikely(trade);
    if (reason === undefined) this.#good = trade.price;
    return reason;
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
    const agreesWithTape = this.#good === undefined || this.#isNear(price, this.#good);
    if (agreesWithMark && (agreesWithTape || (doubted !== undefined && this.#isNear(price, doubted)))) {
      return undefined;
    }
    this.#doubted = price;
    const [what, reference] = agreesWithMark ? ['good print before it', this.#good] : ['mark', mark];
    return `a price must be within ${this.#collar * 100} % of the ${what}, ${reference}, received ${price}`;
  }

  #isNear(price: number, reference: number): boolean {
    return Math.abs(price - reference) <= this.#collar * reference;
  }
}
