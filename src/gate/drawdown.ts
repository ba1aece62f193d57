import { Decimal, plain } from '../model/decimal.js';

/** The `by` of the halt that a drawdown causes; the halt is recognised by it later. */
export const FALL_BY = 'max-drawdown';

/** The reason of that halt. `bound`: quote units; `undefined`: the configuration has no bound any more since the fall. */
export function fallReason(bound: number | undefined, quote: string): string {
  const which = bound === undefined ? '' : `the ${plain(new Decimal(bound))} ${quote} of `;
  return `the fall of the equity from its highest reached ${which}limits.maxDrawdown`;
}

export interface DrawdownOptions {
  /** Quote units. */
  readonly bound: number;
  /** Digits after the point of the quote asset. */
  readonly precision: number;
  /** The highest equity that an earlier session noted, decimal text in the quote asset; `undefined`: none is noted. */
  readonly peak: string | undefined;
  /** In an earlier session the fall from `peak` reached the bound, and nobody has resumed since. */
  readonly tripped: boolean;
  /** Called when the peak has risen by enough to be noted, or the fall has reached the bound. */
  readonly tell: () => void;
}

/** A peak is noted once it has risen by this fraction of the bound: a restart loses no more than that. */
const NOTED_STEP = 0.01;

/** The fall of the equity from its highest value ever. A fall that reached the bound stays tripped until `resumed`. */
export class Drawdown {
  readonly bound: number;
  readonly #options: DrawdownOptions;
  readonly #grain: number;
  #peak: number | undefined;
  #noted: number;
  #tripped: boolean;
  #fall = 0;
  #worst: number;

  constructor(options: DrawdownOptions) {
    const { bound, peak, tripped, precision } = options;
    this.bound = bound;
    this.#options = options;
    this.#grain = 0.5 * 10 ** -precision;
    this.#peak = peak === undefined ? undefined : Number(peak);
    this.#noted = this.#peak ?? Number.NEGATIVE_INFINITY;
    this.#tripped = tripped;
    this.#worst = tripped ? bound : 0;
  }

  /** A peak is known to count the fall from. */
  get isKnown(): boolean {
    return this.#peak !== undefined;
  }

  get tripped(): boolean {
    return this.#tripped;
  }

  /** How far the equity is below the peak now, quote units. */
  get fall(): number {
    return this.#fall;
  }

  /** The largest fall so far, quote units. */
  get worst(): number {
    return this.#worst;
  }

  /** The highest equity, decimal text in the quote asset; `undefined`: no equity is known yet. */
  get peak(): string | undefined {
    if (this.#peak === undefined) return undefined;
    return plain(new Decimal(this.#peak).toDecimalPlaces(this.#options.precision));
  }

  /** The fall has reached the bound by the count of another session of the account, which may have begun before this one. */
  reached(): void {
    if (this.#tripped) return;
    this.#tripped = true;
    if (this.#worst < this.bound) this.#worst = this.bound;
    this.#options.tell();
  }

  /** A person has resumed: a tripped fall is over, and the next equity is the new peak. */
  resumed(): void {
    if (!this.#tripped) return;
    this.#tripped = false;
    this.#peak = undefined;
    this.#noted = Number.NEGATIVE_INFINITY;
    this.#fall = 0;
    this.#worst = 0;
  }

  /** Takes the equity as of now, quote units; `undefined`: not known, which changes nothing. */
  look(equity: number | undefined): void {
    if (equity === undefined) return;
    if (this.#peak === undefined || equity > this.#peak) this.#peak = equity;
    this.#fall = this.#peak - equity;
    if (this.#fall > this.#worst) this.#worst = this.#fall;
    if (!this.#tripped && this.#fall >= this.bound - this.#grain) this.#tripped = true;
    else if (this.#peak < this.#noted + NOTED_STEP * this.bound) return;
    this.#noted = this.#peak;
    this.#options.tell();
  }
}
