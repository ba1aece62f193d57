import { describe, expect, it } from 'vitest';
import type { FundingRules } from '../../../src/model/market.js';
import { rateNumber, rateOf } from '../../../src/model/money.js';
import { TapeFunding } from '../../../src/venue/tape/tape-funding.js';
import { PLAIN } from './desk.js';

const HOUR = 3_600_000;

/** A rate is the mean premium. */
const every = (hours: number): FundingRules => ({
  ...PLAIN.funding,
  intervalMs: hours * HOUR,
  timeWindowMs: hours * HOUR,
  min: rateOf('-1'),
  max: rateOf('1'),
});

describe('funding that is worked out', () => {
  it('falls on multiples of the interval, also after that changed', () => {
    const funding = new TapeFunding(false);
    funding.sample(0.5 * HOUR, 101, 100, every(1));
    const hours: number[] = [];
    for (const rules of [every(1), every(1), every(4), every(4), every(8), every(1)]) {
      funding.turn((hours.at(-1) ?? 0.5) * HOUR + 1, rules);
      hours.push(funding.nextTime / HOUR);
      funding.take(rules);
    }
    expect(hours).toEqual([1, 2, 4, 8, 16, 17]);
    expect(funding.nextTime / HOUR).toBe(18);
  });

  it('goes by the new interval at the moment of the change, but once only', () => {
    const funding = new TapeFunding(false);
    funding.sample(0.5 * HOUR, 101, 100, every(8));
    funding.turn(4 * HOUR, every(4));
    expect(funding.nextTime / HOUR).toBe(4);
    funding.take(every(4));
    funding.turn(4 * HOUR, every(1));
    expect(funding.nextTime / HOUR).toBe(5);
  });

  it('counts the premiums of the interval that ends, of one that became longer those not charged for yet', () => {
    const rateAt = (turn: number, rules: FundingRules) => {
      const funding = new TapeFunding(false);
      // A premium of 0.01 in the first hour, of 0.03 in the second, of 0.05 in the third.
      for (let half = 1; half < turn * 2; half++) {
        const hour = half / 2;
        while (funding.nextTime < hour * HOUR) funding.take(every(2));
        funding.sample(hour * HOUR, 101 + 2 * Math.ceil(hour - 1), 100, every(2));
      }
      funding.turn(turn * HOUR, rules);
      return [funding.nextTime / HOUR, rateNumber(funding.take(rules))];
    };
    expect(rateAt(1.75, every(1))).toEqual([2, 0.03]);
    expect(rateAt(1.75, every(2))).toEqual([2, 0.01666667]);
    // At 2 the first two hours were charged for.
    expect(rateAt(2.75, every(4))).toEqual([4, 0.05]);
  });

  it('is none where rates are recorded, be it before the first of them', () => {
    const funding = new TapeFunding(true);
    funding.sample(0.5 * HOUR, 101, 100, PLAIN.funding);
    expect(funding.nextTime).toBe(Number.POSITIVE_INFINITY);
  });
});
