import type { Market } from '../model/market.js';
import type { Ticker } from '../model/ticker.js';

/** The usual pause between trades is the median of the newest `PAUSES`; below `LEAST_PAUSES` it is not known. */
const PAUSES = 300;
const LEAST_PAUSES = 10;
/** A silence longer than so many usual pauses is suspicious. */
const SILENCE = 20;
/** Where only the mark has moved, which needs no trade, the silence must also exceed so many of the longest pauses. */
const LONG_SILENCE = 3;
/** A silence up to this is never suspicious, venue ms. */
const LEAST_SILENCE_MS = 10_000;
/** No trade is dated further ahead of the venue's clock than this, venue ms. */
const AHEAD_MS = 60_000;

interface Lately {
  readonly usual: number;
  readonly longest: number;
}

/**
 * Detects a tape that has stopped while the market goes on (`reliability.md` row 51): 200 OK, the same newest trade, and a
 * ticker that contradicts it. A quiet market is no such case: while the ticker does not move, no silence is too long. A last
 * price that differs proves trades that the tape does not show. The mark may move without a trade, so for the mark the
 * silence must also be three times as long as any recent pause.
 */
export class FrozenTape {
  readonly #tick: number;
  readonly #pauses: number[] = [];
  #next = 0;
  /** Median and maximum of `#pauses`; `undefined`: to be worked out, since the newest pause has changed them. */
  #lately: Lately | undefined;
  #time: number | undefined;
  #price = Number.NaN;
  /** The first mark that came after the newest trade; quote units. */
  #mark: number | undefined;
  /** Venue ms at which, since the newest trade, a ticker first showed another last price, and another mark. */
  #lastMovedAt: number | undefined;
  #markMovedAt: number | undefined;
  #covered = Number.NEGATIVE_INFINITY;

  constructor({ filters, priceGrid }: Market) {
    this.#tick = filters.price.tickSize / priceGrid.scale;
  }

  /** A trade of the tape; misprints count, since they too show that the tape moves. */
  trade(time: number, price: number): void {
    const newest = this.#time;
    if (newest !== undefined && time < newest) return;
    if (newest !== undefined && time > newest) {
      this.#pauses[this.#next] = time - newest;
      this.#next = (this.#next + 1) % PAUSES;
      this.#lately = undefined;
    }
    this.#time = time;
    this.#price = price;
    this.#mark = undefined;
    this.#lastMovedAt = undefined;
    this.#markMovedAt = undefined;
  }

  /** A ticker that had arrived by `seenAt`, venue ms. */
  ticker({ lastPrice, markPrice }: Ticker, seenAt: number): void {
    if (this.#time === undefined || seenAt < this.#time) return;
    if (this.#hasMoved(lastPrice, this.#price)) this.#lastMovedAt ??= seenAt;
    this.#mark ??= markPrice;
    if (this.#hasMoved(markPrice, this.#mark)) this.#markMovedAt ??= seenAt;
  }

  /** The tape was read and is complete up to `covered`, venue ms. */
  polled(covered: number): void {
    this.#covered = covered;
  }

  /** Why the tape is not believed; `undefined`: it is. A move of the ticker counts only once a later poll has covered it. */
  get reason(): string | undefined {
    const time = this.#time;
    if (time === undefined || this.#covered === Number.NEGATIVE_INFINITY) return undefined;
    const silence = this.#covered - time;
    if (silence < -AHEAD_MS) return "the newest trade is ahead of the venue's clock";
    if (silence <= LEAST_SILENCE_MS) return undefined;
    const lastMoved = this.#isBefore(this.#lastMovedAt);
    if (!lastMoved && !this.#isBefore(this.#markMovedAt)) return undefined;
    this.#lately ??= this.#pausesLately();
    const { usual, longest } = this.#lately;
    if (silence <= SILENCE * usual) return undefined;
    if (lastMoved) return 'the tape stands still while the last price moves';
    return silence > LONG_SILENCE * longest ? 'the tape stands still while the mark price moves' : undefined;
  }

  #isBefore(at: number | undefined): boolean {
    return at !== undefined && at <= this.#covered;
  }

  #pausesLately(): Lately {
    if (this.#pauses.length < LEAST_PAUSES) return { usual: 0, longest: 0 };
    const sorted = [...this.#pauses].sort((a, b) => a - b);
    return { usual: sorted[sorted.length >> 1] ?? 0, longest: sorted.at(-1) ?? 0 };
  }

  #hasMoved(price: number | undefined, from: number | undefined): boolean {
    return price !== undefined && from !== undefined && Math.abs(price - from) > this.#tick * 1.5;
  }
}
