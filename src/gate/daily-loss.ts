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
 * The loss since 00:00 UTC of the event time. Once it reached the bound it stays reached for that day, whatever the
 * profit after it. Equity comes from floats: half a unit of the asset is the grain.
 */
export class DailyLoss {
  readonly bound: number;
  readonly #options: DailyLossOptions;
  readonly #grain: number;
  #day = NO_DAY;
  #baseline: number | undefined;
  #tripped = false;
  #loss = 0;
  #worst = 0;

  constructor(options: DailyLossOptions) {
    this.bound = options.bound;
    this.#options = options;
    this.#grain = 0.5 * 10 ** -options.precision;
  }

  /** No baseline yet: nobody knows what was lost. */
  get isKnown(): boolean {
    return this.#baseline !== undefined;
  }

  get tripped(): boolean {
    return this.#tripped;
  }

  /** Quote units; negative is a profit. */
  get loss(): number {
    return this.#loss;
  }

  /** The largest loss of the day so far. */
  get worst(): number {
    return this.#worst;
  }

  /** When the next day begins, venue ms. */
  get endsAt(): number {
    return (this.#day + 1) * DAY_MS;
  }

  /** For a later session; `undefined` before losses count. */
  get words(): DayBaseline | undefined {
    return this.#baseline === undefined ? undefined : this.#wordsFrom(this.#baseline);
  }

  /** An event of this time comes; `equity` is what there was before it, `undefined` when that is not known. */
  turn(time: number, equity: number | undefined): void {
    const day = dayOf(time);
    if (day > this.#day && Number.isFinite(day)) this.#begin(day);
    if (equity !== undefined) this.#start(equity);
  }

  /** What there is now. */
  look(equity: number | undefined): void {
    const baseline = equity === undefined ? undefined : this.#start(equity);
    if (equity === undefined || baseline === undefined) return;
    this.#loss = baseline - equity;
    if (this.#loss > this.#worst) this.#worst = this.#loss;
    if (this.#tripped || this.#loss < this.bound - this.#grain) return;
    this.#tripped = true;
    this.#tell(baseline);
  }

  /** Losses count from here on, unless they do already; `undefined` before the first day. */
  #start(equity: number): number | undefined {
    if (this.#baseline !== undefined || this.#day === NO_DAY) return this.#baseline;
    this.#baseline = Number(this.#text(equity));
    this.#tell(this.#baseline);
    return this.#baseline;
  }

  #tell(equity: number): void {
    this.#options.tell(this.#wordsFrom(equity));
  }

  #wordsFrom(equity: number): DayBaseline {
    return { day: dayName(this.#day), equity: this.#text(equity), tripped: this.#tripped };
  }

  #text(equity: number): string {
    return plain(new Decimal(equity).toDecimalPlaces(this.#options.precision));
  }

  #begin(day: number): void {
    const { baseline } = this.#options;
    const known = baseline?.day === dayName(day) ? baseline : undefined;
    this.#day = day;
    this.#baseline = known && Number(known.equity);
    this.#tripped = known?.tripped ?? false;
    this.#loss = 0;
    // Of a trip in an earlier session only this much is known.
    this.#worst = this.#tripped ? this.bound : 0;
  }
}
