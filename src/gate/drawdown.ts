import { Decimal, plain } from '../model/decimal.js';

/** Who halts then: by the name it is known again. */
export const FALL_BY = 'max-drawdown';

/** Why. `bound`: quote units; of a fall of an earlier life, whose bound may not be there any more, it may be absent. */
export function fallReason(bound: number | undefined, quote: string): string {
  const which = bound === undefined ? '' : `the ${plain(new Decimal(bound))} ${quote} of `;
  return `the fall of the equity from its highest reached ${which}limits.maxDrawdown`;
}

export interface DrawdownOptions {
  /** Quote units. */
  readonly bound: number;
  /** Digits after the point of the quote asset. */
  readonly precision: number;
  /** The highest equity that an earlier session noted, decimal text. */
  readonly peak: string | undefined;
  /** The fall from it reached its bound then, and nobody has resumed. */
  readonly tripped: boolean;
  /** The peak has risen by enough to be written down, or the bound was reached. */
  readonly tell: () => void;
}

/** A peak is written down when it has risen by this part of the bound: a restart forgets no more than that. */
const NOTED_STEP = 0.01;

/** How far the equity has fallen from the highest that it ever was. Once at its bound it stays so, whatever comes. */
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

  /** There is a peak to fall from. */
  get isKnown(): boolean {
    return this.#peak !== undefined;
  }

  get tripped(): boolean {
    return this.#tripped;
  }

  /** Quote units below the peak, now. */
  get fall(): number {
    return this.#fall;
  }

  /** The deepest fall from its peak that was seen. */
  get worst(): number {
    return this.#worst;
  }

  /** Decimal text in the quote asset; `undefined` before anything is known. */
  get peak(): string | undefined {
    if (this.#peak === undefined) return undefined;
    return plain(new Decimal(this.#peak).toDecimalPlaces(this.#options.precision));
  }

  /** Somebody has looked at the fall: it is over, and counted from what there is at the next look. */
  resumed(): void {
    if (!this.#tripped) return;
    this.#tripped = false;
    this.#peak = undefined;
    this.#noted = Number.NEGATIVE_INFINITY;
    this.#fall = 0;
    this.#worst = 0;
  }

  /** What there is now, quote units. */
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
