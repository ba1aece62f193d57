import { describe, expect, test } from 'vitest';
import { PrintGuard } from '../../src/market-data/print-guard.js';
import type { Ticker } from '../../src/model/ticker.js';
import { BTC } from '../support/markets.js';

const MINUTE = 60_000;

/** Prints at one a second, judged in order; `story` has a letter for each: g(ood) or b(ad). */
function tapeOf(...before: number[]) {
  const guard = new PrintGuard(BTC);
  let time = 1_000_000;
  const trade = (price: number, quantity = 1) => ({
    id: String(time),
    time: (time += 1_000),
    price,
    quantity,
    isBuyerMaker: false,
  });
  guard.expect(before.map((price) => trade(price)));
  const judge = (price: number, quantity?: number) => guard.judge(trade(price, quantity));
  return {
    guard,
    judge,
    story: (...prices: number[]) => prices.map((price) => (judge(price) === undefined ? 'g' : 'b')).join(''),
    mark: (markPrice: number | undefined, ageMs = 0) => guard.ticker({ markPrice } as Ticker, time - ageMs),
  };
}

describe('a print', () => {
  test.each([
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('of price %d is none, nor is one of that quantity', (odd) => {
    expect(tapeOf(100).judge(odd)).toMatch(/^a price must be a number above 0, received/);
    expect(tapeOf(100).judge(100, odd)).toMatch(/^a quantity must be a number above 0, received/);
  });

  test('outside the filter of its market is none', () => {
    // 0.1 to 1 000 000.
    expect(tapeOf(0.1).judge(0.05)).toBe('a price must be from 0.1 to 1000000, received 0.05');
    expect(tapeOf(1_000_000).judge(1_000_001)).toMatch(/from 0.1 to 1000000/);
    expect(tapeOf(0.1).judge(0.1)).toBeUndefined();
    expect(tapeOf(1_000_000).judge(1_000_000)).toBeUndefined();
  });

  test('within a tenth of the one before it is believed, beyond that it is not', () => {
    expect(tapeOf(100).story(110, 99, 89.2)).toBe('ggg');
    expect(tapeOf(100).story(110.2)).toBe('b');
    expect(tapeOf(100).story(89.9)).toBe('b');
    expect(tapeOf(100).judge(25_000)).toBe(
      'a price must be within 10 % of the good print before it, 100, received 25000',
    );
  });

  test('is held against the last good one, not against a bad one', () => {
    expect(tapeOf(100).story(25_000, 101, 1, 102)).toBe('bgbg');
  });

  test('beyond the collar is believed when the next one agrees, where no mark is known', () => {
    expect(tapeOf(100).story(120, 121, 122)).toBe('bgg');
  });

  test('beyond the collar needs the mark to have moved too, where it is known', () => {
    const { story, mark } = tapeOf(100);
    mark(100);
    expect(story(120, 121, 122)).toBe('bbb');
    mark(119);
    expect(story(121, 122)).toBe('gg');
  });

  test('beyond the collar is not believed for one that lies further back', () => {
    expect(tapeOf(100).story(120, 100, 121)).toBe('bgb');
    expect(tapeOf(100).story(120, 150, 180)).toBe('bbb');
  });

  test('far from the mark is not believed, though the tape agrees', () => {
    const { judge, mark } = tapeOf(100);
    mark(120);
    expect(judge(100)).toBe('a price must be within 10 % of the mark, 120, received 100');
    mark(undefined);
    expect(judge(100)).toBeUndefined();
  });

  test('is not held against a mark of another time', () => {
    const { judge, mark } = tapeOf(100);
    mark(200, MINUTE + 1_000);
    expect(judge(100)).toBeUndefined();
  });

  test('that is bad does not become what the others are held against, though it is the first of all', () => {
    expect(tapeOf(25_000, 100, 101, 99, 100).story(25_000, 100, 101, 99)).toBe('bggg');
    expect(tapeOf(0, 100, 101).story(0, 100)).toBe('bg');
  });

  test('contradicts the ticker once 17 in a row, over more than 10 s, fail by the mark alone', () => {
    const { guard, judge, mark, story } = tapeOf(100);
    mark(100);
    story(104, 108);
    for (let n = 1; n <= 16; n++) judge(112);
    expect(guard.contradiction).toBeUndefined();
    judge(112);
    expect(guard.contradiction).toBe('the tape and the mark price contradict each other');
    judge(0);
    expect(guard.contradiction).toBeDefined();
    judge(105);
    expect(guard.contradiction).toBeUndefined();
    judge(112);
    expect(guard.contradiction).toBeUndefined();
  });

  test('contradicts a ticker no more that has come to it, though nobody trades', () => {
    const { guard, judge, mark } = tapeOf(100);
    mark(100);
    for (let price = 102; price <= 116; price += 7) judge(price);
    for (let n = 0; n < 20; n++) judge(116);
    expect(guard.contradiction).toBeDefined();
    mark(100);
    expect(guard.contradiction).toBeDefined();
    mark(115);
    expect(guard.contradiction).toBeUndefined();
  });

  test('contradicts nothing by a burst, nor by misprints that agree with no other', () => {
    const burst = tapeOf(100);
    burst.mark(100);
    for (let n = 0; n < 40; n++) burst.judge(108 + (n % 2) * 4);
    expect(burst.guard.contradiction).toBeUndefined();
    for (let n = 0; n < 40; n++) burst.judge(n % 2 === 0 ? 1_000 : 10_000);
    expect(burst.guard.contradiction).toBeUndefined();
    const quick = tapeOf(108);
    quick.mark(100);
    for (let n = 0; n < 40; n++) {
      quick.guard.judge({
        id: `${n}`,
        time: 1_000_000 + n * 250,
        price: 112,
        quantity: 1,
        isBuyerMaker: false,
      });
    }
    expect(quick.guard.contradiction).toBeUndefined();
  });
});
