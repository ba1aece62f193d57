import { DAY_MS, dayName, dayOf } from '../model/calendar.js';
import { Decimal, plain } from '../model/decimal.js';
import type { RiskMemory } from '../model/journal-record.js';

/** The equity from which the losses of a UTC day count, and whether they reached their bound. Kept over restarts. */
export interface DayBaseline {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Decimal text in the quote asset. */
  readonly equity: string;
  /** No order may add risk for the rest of the day. */
  readonly tripped: boolean;
  /** What drawdown and losing streak remember beyond the day; absent where neither is limited. */
  readonly memory?: RiskMemory | undefined;
}

export interface DailyLossOptions {
  /** Quote units. */
  readonly bound: number;
  /** Digits after the point of the quote asset. */
  readonly precision: number;
  /**
   * The baseline that an earlier session noted. It does not count on a later day; on an earlier day it does, since then the
   * clock of that session was ahead.
   */
  readonly baseline: DayBaseline | undefined;
  /** Called with each new baseline and each trip, so that it can be noted. */
  readonly tell: (baseline: DayBaseline) => void;
}

const NO_DAY = Number.NEGATIVE_INFINITY;
/**
 * How far before the day's start an event may lie and still belong to it, venue ms: trades show late by seconds. An event
 * further back means that the venue's clock was ahead when the day was turned.
 */
const LATE_MS = 60_000;

/** One UTC day: `number` counts days since the epoch; amounts are quote units. */
interface Day {
  readonly number: number;
  baseline: number | undefined;
  tripped: boolean;
  loss: number;
  worst: number;
}

/**
 * The loss since 00:00 UTC of event time. Once it reaches the bound it stays tripped for that day, whatever the profit after
 * it. A clock that was ahead and entered the next day for a moment does not reset that: when it is set back, the day before
 * holds again. Equity is a float, so half a unit of the asset is the tolerance.
 */
export class DailyLoss {
  readonly bound: number;
  readonly #options: DailyLossOptions;
  readonly #grain: number;
  /** The baseline of an earlier session, until it was used for an earlier day than its own. */
  #earlier: DayBaseline | undefined;
  #day: Day = dayOfLoss(NO_DAY);
  /** The day before `#day`, in case the clock is set back. */
  #before: Day | undefined;
  /** End of the newest day on which another session reached the bound, venue ms. */
  #reachedUntil: number | undefined;

  constructor(options: DailyLossOptions) {
    this.bound = options.bound;
    this.#options = options;
    this.#earlier = options.baseline;
    this.#grain = 0.5 * 10 ** -options.precision;
  }

  /** A baseline is known. Without one nobody knows what was lost. */
  get isKnown(): boolean {
    return this.#day.baseline !== undefined;
  }

  get tripped(): boolean {
    return this.#day.tripped;
  }

  /** Quote units; negative is a profit. */
  get loss(): number {
    return this.#day.loss;
  }

  /** The largest loss of the day so far, quote units. */
  get worst(): number {
    return this.#day.worst;
  }

  /** When the next day begins, venue ms. */
  get endsAt(): number {
    return (this.#day.number + 1) * DAY_MS;
  }

  /** The baseline to note for a later session; `undefined` before losses count. */
  get words(): DayBaseline | undefined {
    const { baseline } = this.#day;
    return baseline === undefined ? undefined : this.#wordsFrom(baseline);
  }

  /** Venue ms at which the day began; −Infinity before the first. */
  get beganAt(): number {
    return this.#day.number * DAY_MS;
  }

  /** Call before an event of this time (venue ms). `equity`: before that event, quote units; `undefined`: not known. */
  turn(time: number, equity: number | undefined): void {
    const number = dayOf(time);
    if (number !== this.#day.number && Number.isFinite(number)) this.#turnTo(number, time);
    if (equity !== undefined) this.#start(equity);
  }

  /** Takes the equity as of now, quote units; `undefined`: not known, which changes nothing. */
  look(equity: number | undefined): void {
    const baseline = equity === undefined ? undefined : this.#start(equity);
    if (equity === undefined || baseline === undefined) return;
    const day = this.#day;
    day.loss = baseline - equity;
    if (day.loss > day.worst) day.worst = day.loss;
    if (day.tripped || day.loss < this.bound - this.#grain) return;
    day.tripped = true;
    this.#tell(baseline);
  }

  /**
   * The loss of the day that ends then (venue ms) has reached the bound by the count of another session of the account, which
   * may have begun before this one.
   */
  reachedUntil(endsAt: number): void {
    this.#reachedUntil = endsAt;
    this.#takeOver();
  }

  /** It was at least the bound; how much it was is not told. */
  #takeOver(): void {
    const day = this.#day;
    if (day.tripped || this.#reachedUntil !== this.endsAt) return;
    day.tripped = true;
    if (day.worst < this.bound) day.worst = this.bound;
    if (day.baseline !== undefined) this.#tell(day.baseline);
  }

  /** Makes `equity` the baseline of the day if it has none. Returns the baseline; `undefined` before the first day. */
  #start(equity: number): number | undefined {
    const day = this.#day;
    if (day.baseline !== undefined || day.number === NO_DAY) return day.baseline;
    day.baseline = Number(this.#text(equity));
    this.#tell(day.baseline);
    return day.baseline;
  }

  #tell(equity: number): void {
    this.#options.tell(this.#wordsFrom(equity));
  }

  #wordsFrom(equity: number): DayBaseline {
    const { number, tripped } = this.#day;
    return { day: dayName(number), equity: this.#text(equity), tripped };
  }

  #text(equity: number): string {
    return plain(new Decimal(equity).toDecimalPlaces(this.#options.precision));
  }

  #turnTo(number: number, time: number): void {
    const isBack = number < this.#day.number;
    if (isBack && !(time < this.#day.number * DAY_MS - LATE_MS)) return;
    const known = isBack && this.#before?.number === number ? this.#before : undefined;
    // Only one earlier day is remembered: a step back to any other day changes nothing.
    if (isBack && known === undefined) return;
    // A day that was entered too early is dropped, and begins anew when it really comes.
    this.#before = isBack ? undefined : this.#day;
    this.#day = known ?? this.#begun(number);
    // A noted baseline of a later day comes from a clock that was ahead. `#begun` has used it for this day, so that losses
    // before the restart count; it must not be used for its own day again.
    const isAhead = known === undefined && this.#earlier !== undefined && this.#earlier.day > dayName(number);
    if (isAhead) this.#earlier = undefined;
    // A later session must begin with this day's baseline again.
    const { baseline } = this.#day;
    if ((isBack || isAhead) && baseline !== undefined) this.#tell(baseline);
    this.#takeOver();
  }

  #begun(number: number): Day {
    const earlier = this.#earlier;
    const day = dayOfLoss(number);
    if (earlier === undefined || earlier.day < dayName(number)) return day;
    day.baseline = Number(earlier.equity);
    day.tripped = earlier.tripped;
    // How much an earlier session lost at its trip is not noted: it was at least the bound.
    day.worst = day.tripped ? this.bound : 0;
    return day;
  }
}

function dayOfLoss(number: number): Day {
  return { number, baseline: undefined, tripped: false, loss: 0, worst: 0 };
}
