import { DAY_MS, dayName, dayOf } from '../model/calendar.js';
import { Decimal, plain } from '../model/decimal.js';
import type { RiskMemory } from '../model/journal-record.js';

/** Equity that the losses of a UTC day count from, and whether they reached their bound. Outlives a restart. */
export interface DayBaseline {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Decimal text in the quote asset. */
  readonly equity: string;
  /** No order may add risk for the rest of the day. */
  readonly tripped: boolean;
  /** What limits remember beyond a day; absent where no limit does. */
  readonly memory?: RiskMemory | undefined;
}

export interface DailyLossOptions {
  /** Quote units. */
  readonly bound: number;
  /** Digits after the point of the quote asset. */
  readonly precision: number;
  /** What an earlier session noted; counts if it is of the day on which this one starts. */
  readonly baseline: DayBaseline | undefined;
  /** Told of each new baseline and of its trip, so that it can be written down. */
  readonly tell: (baseline: DayBaseline) => void;
}

const NO_DAY = Number.NEGATIVE_INFINITY;
/**
 * How far before the day's start an event may lie and still belong to it, venue ms: trades show late by seconds. An event
 * further back means that the venue's clock was ahead when the day was turned.
 */
const LATE_MS = 60_000;

/** What is known of one UTC day, by its number. */
interface Day {
  readonly number: number;
  baseline: number | undefined;
  tripped: boolean;
  loss: number;
  worst: number;
}

/**
 * The loss since 00:00 UTC of the event time. Once it reached the bound it stays reached for that day, whatever the
 * profit after it; a clock that was ahead for a moment and in another day frees nothing when it is taken back. Equity
 * comes from floats: half a unit of the asset is the grain.
 */
export class DailyLoss {
  readonly bound: number;
  readonly #options: DailyLossOptions;
  readonly #grain: number;
  /** What an earlier session noted, until it is used for another day than its own. */
  #earlier: DayBaseline | undefined;
  #day: Day = dayOfLoss(NO_DAY);
  /** The one before it. */
  #before: Day | undefined;

  constructor(options: DailyLossOptions) {
    this.bound = options.bound;
    this.#options = options;
    this.#earlier = options.baseline;
    this.#grain = 0.5 * 10 ** -options.precision;
  }

  /** No baseline yet: nobody knows what was lost. */
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

  /** The largest loss of the day so far. */
  get worst(): number {
    return this.#day.worst;
  }

  /** When the next day begins, venue ms. */
  get endsAt(): number {
    return (this.#day.number + 1) * DAY_MS;
  }

  /** For a later session; `undefined` before losses count. */
  get words(): DayBaseline | undefined {
    const { baseline } = this.#day;
    return baseline === undefined ? undefined : this.#wordsFrom(baseline);
  }

  /** An event of this time comes; `equity` is what there was before it, `undefined` when that is not known. */
  turn(time: number, equity: number | undefined): void {
    const number = dayOf(time);
    if (number !== this.#day.number && Number.isFinite(number)) this.#turnTo(number, time);
    if (equity !== undefined) this.#start(equity);
  }

  /** What there is now. */
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

  /** Losses count from here on, unless they do already; `undefined` before the first day. */
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
    // Only the day before this one is remembered.
    if (isBack && known === undefined) return;
    // Going back drops the day that was turned to too early: it begins anew when it really comes.
    this.#before = isBack ? undefined : this.#day;
    this.#day = known ?? this.#begun(number);
    // One of a later day was noted by a clock that was ahead: what was lost up to then counts all the same.
    const isAhead = known === undefined && this.#earlier !== undefined && this.#earlier.day > dayName(number);
    if (isAhead) this.#earlier = undefined;
    // What a later session is to begin with is this day again.
    const { baseline } = this.#day;
    if ((isBack || isAhead) && baseline !== undefined) this.#tell(baseline);
  }

  #begun(number: number): Day {
    const earlier = this.#earlier;
    const day = dayOfLoss(number);
    if (earlier === undefined || earlier.day < dayName(number)) return day;
    day.baseline = Number(earlier.equity);
    day.tripped = earlier.tripped;
    // Of a trip in an earlier session only this much is known.
    day.worst = day.tripped ? this.bound : 0;
    return day;
  }
}

function dayOfLoss(number: number): Day {
  return { number, baseline: undefined, tripped: false, loss: 0, worst: 0 };
}
