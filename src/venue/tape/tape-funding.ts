import type { FundingRules } from '../../model/market.js';
import { divHalfEven, type Rate } from '../../model/money.js';
import { fundingRate, NO_FUNDING } from '../core/funding.js';
import { after } from '../core/schedule.js';

/** What premiums are summed in: 10^-18 of 1. */
const FINE = 10n ** 18n;

/**
 * When a recorded market funds, and at which rate: recorded rates if there are any, else `money.md` §7 over the recorded
 * marks and indexes, so that there is none without those. What is recorded is not mixed with what is worked out.
 */
export class TapeFunding {
  #sum = 0n;
  #count = 0;
  #hasRates: boolean;
  /** Venue ms of the next funding that is worked out; Infinity while there is nothing to work it out from. */
  nextTime = Number.POSITIVE_INFINITY;

  /** `hasRates`: it is known beforehand that rates are recorded. */
  constructor(hasRates: boolean) {
    this.#hasRates = hasRates;
  }

  /** Mark and index in whole steps of the price grid. */
  sample(time: number, mark: number, index: number, { intervalMs }: FundingRules): void {
    if (this.#hasRates || index <= 0) return;
    this.#sum += divHalfEven(BigInt(mark - index) * FINE, BigInt(index));
    this.#count++;
    if (this.nextTime === Number.POSITIVE_INFINITY) this.nextTime = after(time, intervalMs);
  }

  /** Rates are recorded: nothing is worked out from now on. */
  recorded(): void {
    this.#hasRates = true;
    this.nextTime = Number.POSITIVE_INFINITY;
  }

  /** The rate of the period that ends at `nextTime`; the next one begins. */
  take(rules: FundingRules): Rate {
    const rate = this.#count === 0 ? NO_FUNDING : fundingRate(rules, { sum: this.#sum, count: this.#count });
    this.#sum = 0n;
    this.#count = 0;
    this.nextTime = after(this.nextTime, rules.intervalMs);
    return rate;
  }
}
