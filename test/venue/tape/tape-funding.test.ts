import { describe, expect, it } from 'vitest';
import type { FundingRules } from '../../../src/model/market.js';
import { TapeFunding } from '../../../src/venue/tape/tape-funding.js';
import { PLAIN } from './desk.js';

const HOUR = 3_600_000;

describe('funding that is worked out', () => {
  it('falls on multiples of the interval, also after that changed', () => {
    const every = (hours: number): FundingRules => ({ ...PLAIN.funding, intervalMs: hours * HOUR });
    const funding = new TapeFunding(false);
    funding.sample(0.5 * HOUR, 101, 100, every(1));
    const hours: number[] = [];
    for (const rules of [every(1), every(1), every(4), every(4), every(8), every(1)]) {
      hours.push(funding.nextTime / HOUR);
      funding.take(rules);
    }
    expect(hours).toEqual([1, 2, 3, 4, 8, 16]);
    expect(funding.nextTime / HOUR).toBe(17);
  });

  it('is none where rates are recorded, be it before the first of them', () => {
    const funding = new TapeFunding(true);
    funding.sample(0.5 * HOUR, 101, 100, PLAIN.funding);
    expect(funding.nextTime).toBe(Number.POSITIVE_INFINITY);
  });
});
