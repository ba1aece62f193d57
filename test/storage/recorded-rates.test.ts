import { describe, expect, it } from 'vitest';
import type { Market } from '../../src/model/market.js';
import type { DatedRate } from '../../src/storage/facts/rare-facts.js';
import { recordedRates } from '../../src/storage/facts/recorded-rates.js';
import { BTC } from '../support/markets.js';

const HOUR = 3_600_000;
const EIGHT = 8 * HOUR;
const START = Date.UTC(2026, 0, 1);

const paidAt = (...hours: readonly number[]): DatedRate[] =>
  hours.map((hour) => ({ time: START + hour * HOUR, rate: '0.0001' }));
const marketOf = (intervalMs: number): Market => ({ ...BTC, funding: { ...BTC.funding, intervalMs } });
const every = (intervalMs: number, time = Number.NEGATIVE_INFINITY) => ({
  time,
  market: marketOf(intervalMs),
});

describe('funding rates of a recording', () => {
  it('misses those that were due after the first and have none, the last moment included', () => {
    const rates = recordedRates(paidAt(8, 16, 40), [every(EIGHT)]);
    expect(rates.from).toBe(START + EIGHT);
    expect(rates.missing(START + 16 * HOUR)).toBe(0);
    // At 24 and 32.
    expect(rates.missing(START + 24 * HOUR - 1)).toBe(0);
    expect(rates.missing(START + 24 * HOUR)).toBe(1);
    expect(rates.missing(START + 40 * HOUR)).toBe(2);
    // And at 48: nobody recorded when it ended.
    expect(rates.missing(START + 50 * HOUR)).toBe(3);
  });

  it('misses none of a recording that has none, or before the first, or when nothing was read', () => {
    expect(recordedRates([], [every(EIGHT)])).toMatchObject({ from: undefined });
    expect(recordedRates([], [every(EIGHT)]).missing(START + 50 * HOUR)).toBe(0);
    expect(recordedRates(paidAt(40), [every(EIGHT)]).missing(START + 40 * HOUR)).toBe(0);
    expect(recordedRates(paidAt(8), [every(EIGHT)]).missing(Number.NaN)).toBe(0);
  });

  it('goes by the interval of the market as of then', () => {
    const markets = [every(EIGHT), every(4 * HOUR, START + 20 * HOUR + 1)];
    // From 24 on every four hours: 28 and 36 are missing.
    const rates = recordedRates(paidAt(8, 16, 24, 32, 40), markets);
    expect(rates.missing(START + 40 * HOUR)).toBe(2);
    expect(rates.missing(START + 30 * HOUR)).toBe(1);
  });

  it('goes by a new interval at once, at the moment of the change included', () => {
    // At 16 as before, at 20 and at 24 by the new one.
    const shorter = recordedRates(paidAt(8), [every(EIGHT), every(4 * HOUR, START + 20 * HOUR)]);
    expect(shorter.missing(START + 20 * HOUR - 1)).toBe(1);
    expect(shorter.missing(START + 20 * HOUR)).toBe(2);
    expect(shorter.missing(START + 24 * HOUR)).toBe(3);
    // None at 12 nor at 16: the next one is at midnight.
    const longer = recordedRates(paidAt(8), [every(4 * HOUR), every(24 * HOUR, START + 12 * HOUR)]);
    expect(longer.missing(START + 24 * HOUR - 1)).toBe(0);
    expect(longer.missing(START + 24 * HOUR)).toBe(1);
    const twice = [every(4 * HOUR), every(24 * HOUR, START + 9 * HOUR), every(HOUR, START + 10 * HOUR + 1)];
    expect(recordedRates(paidAt(8), twice).missing(START + 12 * HOUR)).toBe(2);
  });

  it('says when the next one is due', () => {
    const markets = [every(4 * HOUR), every(24 * HOUR, START + 12 * HOUR)];
    const rates = recordedRates(paidAt(24), markets);
    expect(rates.dueAfter(START + HOUR)).toBe(START + 4 * HOUR);
    expect(rates.dueAfter(START + 9 * HOUR)).toBe(START + 24 * HOUR);
    expect(rates.dueAfter(START + 24 * HOUR)).toBe(START + 48 * HOUR);
  });
});
