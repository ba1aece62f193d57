import type { StretchWatch, WatchedRows } from './stretch-watch.js';
import { Drawdown } from './drawdown.js';
import { EquityCloses } from './equity-closes.js';
import { ExposureWatch } from './exposure-watch.js';

const HOUR_MS = 3_600_000;
const FIRST_CURVE_MS = 1_000;
const MOST_CURVE_POINTS = 2_048;

/** Value of the position on one market of an account at its newest print; quote units. */
export interface MarketWorth {
  /** P&L so far with the open position, net of fees and funding. */
  readonly pnl: number;
  /** Value of the open position; negative for a short. */
  readonly notional: number;
  /** What may have stayed when the venue closed the position, which is flat since; see `AccountWatch`. */
  readonly residue: number;
}

/** Equity without the other markets is `own` + quantity × price; quote and base units. */
interface Held {
  readonly own: number;
  readonly quantity: number;
}

/**
 * Follows an account with several markets. Its equity is marked at every print of each market, with the other markets at
 * their newest prints. Leverage is gross: a long and a short do not offset each other.
 */
export class SharedWatch implements StretchWatch {
  readonly drawdown: Drawdown;
  /** At the end of every hour. */
  readonly closes = new EquityCloses(HOUR_MS);
  /** At most 2 048 points, as close together as that allows. */
  readonly curve = new EquityCloses(FIRST_CURVE_MS, MOST_CURVE_POINTS);
  readonly exposure: ExposureWatch;
  readonly #capital: number;
  #parts: readonly MarketWorth[] = [];
  /** The market whose prints come at present, and the value of all others. */
  #market: MarketWorth | undefined;
  #elsewhere = 0;
  #grossElsewhere = 0;
  /** The state of each market as of its newest stretch. */
  readonly #held = new Map<MarketWorth | undefined, Held>();
  #lastTime = Number.NaN;

  /** What sums over several markets may be off by. */
  readonly #inexact: number;

  /** `capital`: quote units; `unitsPerQuote`: units of money in one unit of the quote asset. */
  constructor(capital: number, unitsPerQuote: number) {
    this.#capital = capital;
    // Half a unit of money, or the rounding error of sums of this size.
    this.#inexact = Math.max(0.5 / unitsPerQuote, capital * 1e-12);
    this.drawdown = new Drawdown(capital);
    this.exposure = new ExposureWatch(capital);
  }

  /** Sets the markets of the account; to be called before the first print. */
  follow(parts: readonly MarketWorth[]): void {
    this.#parts = parts;
  }

  /** Equity with each market at its newest print, quote units. */
  get equity(): number {
    let equity = this.#capital;
    for (const { pnl } of this.#parts) equity += pnl;
    return equity;
  }

  get nothing(): number {
    let residue = 0;
    for (const part of this.#parts) {
      if (part.notional !== 0) return this.#inexact;
      residue += part.residue;
    }
    return Math.max(residue, this.#inexact);
  }

  /** The account is ruined. */
  get isNothing(): boolean {
    return this.equity <= this.nothing;
  }

  /** Whether there was a print. */
  get hasBegun(): boolean {
    return !Number.isNaN(this.#lastTime);
  }

  /** `turn` must be called before any event at or after this time, ms. */
  get nextTime(): number {
    return this.hasBegun ? Math.min(this.closes.next, this.curve.next) : Number.NEGATIVE_INFINITY;
  }

  /** To be called for the first print, and for the first event after the end of an hour or of a step of the curve. */
  turn(time: number): void {
    if (Number.isNaN(this.#lastTime)) {
      this.#lastTime = time;
      this.closes.open(time);
      this.curve.open(time);
      this.exposure.hold(time, 0, this.#capital);
      return;
    }
    const { equity } = this;
    if (time >= this.closes.next) this.exposure.hold(this.closes.next, this.#gross, equity);
    const close = { equity, price: Number.NaN, printed: this.#lastTime };
    this.closes.closeUntil(time, close);
    this.curve.closeUntil(time, close);
  }

  /** Prints of this market come next. Returns the value of all others, quote units. */
  begin(part: MarketWorth): number {
    let elsewhere = 0;
    let gross = 0;
    for (const other of this.#parts) {
      if (other === part) continue;
      elsewhere += other.pnl;
      gross += Math.abs(other.notional);
    }
    this.#market = part;
    this.#elsewhere = elsewhere;
    this.#grossElsewhere = gross;
    return elsewhere;
  }

  stretch(
    { time, price: prices }: WatchedRows,
    from: number,
    to: number,
    { base: own, quantity, low, high }: Parameters<StretchWatch['stretch']>[3],
  ): void {
    const base = own + this.#elsewhere;
    const gross = this.#grossElsewhere;
    const { drawdown, exposure } = this;
    this.#lastTime = time[to - 1] as number;
    this.#hold(time[from] as number, prices[from] as number, { own, quantity });
    const [atLow, atHigh] = [base + quantity * low, base + quantity * high];
    const lowest = Math.min(atLow, atHigh);
    if (lowest > 0) {
      exposure.peak(gross + Math.abs(quantity) * low, atLow);
      exposure.peak(gross + Math.abs(quantity) * high, atHigh);
      if (drawdown.isQuiet(lowest, Math.max(atLow, atHigh))) return;
    }
    for (let at = from; at < to; at++) {
      const held = quantity === 0 ? 0 : quantity * (prices[at] as number);
      if (lowest <= 0) exposure.peak(gross + Math.abs(held), base + held);
      drawdown.mark(base + held, time[at] as number);
    }
  }

  /** As of a change only: where a stretch goes on from a print to the next, nobody can tell how it was cut. */
  #hold(time: number, price: number, { own, quantity }: Held): void {
    const held = this.#held.get(this.#market);
    if (held?.own === own && held.quantity === quantity) return;
    this.#held.set(this.#market, { own, quantity });
    const value = quantity === 0 ? 0 : quantity * price;
    this.exposure.hold(time, this.#grossElsewhere + Math.abs(value), own + this.#elsewhere + value);
  }

  /** The position changed without a print of its market. */
  mark(time: number): void {
    this.drawdown.mark(this.equity, time);
  }

  /** The recordings are over. */
  end(): void {
    if (!Number.isNaN(this.#lastTime)) this.exposure.hold(this.#lastTime, this.#gross, this.equity);
  }

  get #gross(): number {
    let gross = 0;
    for (const { notional } of this.#parts) gross += Math.abs(notional);
    return gross;
  }
}
