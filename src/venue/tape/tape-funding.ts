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
  /** Since the last funding, in columns. Which of them the next one counts depends on the interval that it ends. */
  #times: number[] = [];
  #marks: number[] = [];
  #indexes: number[] = [];
  #hasRates: boolean;
  #lastTime = Number.NEGATIVE_INFINITY;
  /** Venue ms of the next funding that is worked out; Infinity while there is nothing to work it out from. */
  nextTime = Number.POSITIVE_INFINITY;

  /** `hasRates`: it is known beforehand that rates are recorded. */
  constructor(hasRates: boolean) {
    this.#hasRates = hasRates;
  }

  /** Mark and index in whole steps of the price grid. */
  sample(time: number, mark: number, index: number, { intervalMs }: FundingRules): void {
    if (this.#hasRates || index <= 0) return;
    this.#times.push(time);
    this.#marks.push(mark);
    this.#indexes.push(index);
    if (this.nextTime === Number.POSITIVE_INFINITY) this.nextTime = after(time, intervalMs);
  }

  /** The rules are others from `time` on, that moment included: what was due before it was taken. */
  turn(time: number, { intervalMs }: FundingRules): void {
    if (this.nextTime === Number.POSITIVE_INFINITY) return;
    this.nextTime = after(Math.max(time - 1, this.#lastTime), intervalMs);
  }

  /** Rates are recorded: nothing is worked out from now on. */
  recorded(): void {
    this.#hasRates = true;
    this.nextTime = Number.POSITIVE_INFINITY;
    this.#forget();
  }

  /**
   * The rate of the period that ends at `nextTime`; the next one begins. A period that became shorter counts what lies
   * inside of it, and one that became longer nothing that was charged for already.
   */
  take(rules: FundingRules): Rate {
    const from = this.nextTime - rules.intervalMs;
    let sum = 0n;
    let count = 0;
    for (let i = this.#times.length - 1; i >= 0 && (this.#times[i] as number) > from; i--) {
      const index = this.#indexes[i] as number;
      sum += divHalfEven(BigInt((this.#marks[i] as number) - index) * FINE, BigInt(index));
      count++;
    }
    this.#forget();
    this.#lastTime = this.nextTime;
    this.nextTime = after(this.nextTime, rules.intervalMs);
    return count === 0 ? NO_FUNDING : fundingRate(rules, { sum, count });
  }

  #forget(): void {
    this.#times = [];
    this.#marks = [];
    this.#indexes = [];
  }
}
