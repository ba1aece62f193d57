import { describe, expect, test } from 'vitest';
import { FrozenTape } from '../../src/market-data/frozen-tape.js';
import type { Ticker } from '../../src/model/ticker.js';
import { seededRandom } from '../../src/model/random.js';
import { BTC } from '../support/markets.js';

const SECOND = 1_000;
const LAST = 'the tape stands still while the last price moves';
const MARK = 'the tape stands still while the mark price moves';

/** A trade each second at 100 up to second 0, read until then. */
function busyTape() {
  const tape = new FrozenTape(BTC);
  for (let second = -60; second <= 0; second++) tape.trade(1e9 + second * SECOND, 100);
  return {
    tape,
    /** At `second`: the ticker, then a poll that shows nothing new. */
    at: (second: number, ticker: { lastPrice?: number; markPrice?: number } | undefined) => {
      const now = 1e9 + second * SECOND;
      if (ticker !== undefined) tape.ticker(ticker as Ticker, now);
      tape.polled(now);
      return tape.reason;
    },
  };
}

describe('a tape that brings nothing new', () => {
  test('is quiet while the ticker brings nothing new either', () => {
    const { at } = busyTape();
    for (let second = 1; second < 100_000; second += 100) {
      expect(at(second, { lastPrice: 100, markPrice: 100 })).toBeUndefined();
    }
  });

  test('is frozen when the last price has moved and twenty usual pauses are over', () => {
    const { at } = busyTape();
    expect(at(5, { lastPrice: 101 })).toBeUndefined();
    expect(at(20, undefined)).toBeUndefined();
    expect(at(21, undefined)).toBe(LAST);
  });

  test('is frozen when the mark has moved by more than a tick', () => {
    const { at } = busyTape();
    at(1, { lastPrice: 100, markPrice: 100 });
    expect(at(21, { lastPrice: 100, markPrice: 100.1 })).toBeUndefined();
    expect(at(22, { lastPrice: 100, markPrice: 100.2 })).toBe(MARK);
  });

  test('is not judged by what the ticker says after it was read', () => {
    const { tape, at } = busyTape();
    at(30, { lastPrice: 100 });
    tape.ticker({ lastPrice: 101 } as Ticker, 1e9 + 31 * SECOND);
    expect(tape.reason).toBeUndefined();
    expect(at(32, undefined)).toBe(LAST);
  });

  test('is fine again with the next trade', () => {
    const { tape, at } = busyTape();
    expect(at(30, { lastPrice: 101 })).toBe(LAST);
    tape.trade(1e9 + 29 * SECOND, 101);
    expect(at(31, { lastPrice: 101 })).toBeUndefined();
  });

  test('may rest three times as long as it lately did, whatever the mark does', () => {
    const tape = new FrozenTape(BTC);
    const start = 1e9;
    // A pause of a minute among fifty of a second.
    for (let second = 0; second <= 50; second++) tape.trade(start + second * SECOND, 100);
    tape.trade(start + 110 * SECOND, 100);
    tape.ticker({ lastPrice: 100, markPrice: 100 } as Ticker, start + 111 * SECOND);
    tape.ticker({ lastPrice: 100, markPrice: 105 } as Ticker, start + 112 * SECOND);
    tape.polled(start + 290 * SECOND);
    expect(tape.reason).toBeUndefined();
    tape.polled(start + 291 * SECOND);
    expect(tape.reason).toBe(MARK);
  });
});

describe('a tape from the future', () => {
  test('is not believed', () => {
    const { tape, at } = busyTape();
    tape.trade(1e9 + 3_600 * SECOND, 100);
    expect(at(10, undefined)).toBe("the newest trade is ahead of the venue's clock");
  });
});

test('a quiet market looks frozen in less than a thousandth of its time, though its mark never rests', () => {
  const random = seededRandom('quiet');
  const tape = new FrozenTape(BTC);
  const start = 1e9;
  let next = start;
  let stale = 0;
  let polls = 0;
  for (let now = start; now < start + 200 * 3_600_000; now += 5 * SECOND) {
    while (next <= now) {
      tape.trade(next, 100);
      // Half a minute on average, and now and then ten times as long: what gaps of quiet markets look like.
      next += Math.ceil(30 * SECOND * random.exponential() * Math.exp(random.normal()));
    }
    tape.ticker({ lastPrice: 100, markPrice: 100 + 50 * random.normal() } as Ticker, now);
    tape.polled(now);
    polls++;
    if (tape.reason !== undefined) stale++;
  }
  expect(stale / polls).toBeLessThan(0.001);
});
