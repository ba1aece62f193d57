import { expect, test } from 'vitest';
import { addedMatrices, addedTallies, quantileOf, roughSeconds, sumOf } from '../../src/simulation/tally.js';

test('tallies add up by name, with their names in order', () => {
  const total = addedTallies([{ b: 1, a: 2 }, { b: 3 }, {}]);
  expect(Object.entries(total)).toEqual([
    ['a', 2],
    ['b', 4],
  ]);
  expect(sumOf(total)).toBe(6);
});

test('matrices add up cell by cell', () => {
  const first = { lost: { SYNCED: 1, down: 2 } };
  const second = { lost: { SYNCED: 4 }, reset: { BOOT: 1 } };
  expect(addedMatrices([first, second])).toEqual({ lost: { SYNCED: 5, down: 2 }, reset: { BOOT: 1 } });
});

test('a quantile is the smallest length that so many are not above', () => {
  const lengths = { '100': 1, '2': 50, '9': 49 };
  expect(quantileOf(lengths, 0.5)).toBe(2);
  expect(quantileOf(lengths, 0.51)).toBe(9);
  expect(quantileOf(lengths, 0.99)).toBe(9);
  expect(quantileOf(lengths, 1)).toBe(100);
  expect(quantileOf({}, 0.5)).toBeUndefined();
});

test.each([
  [0, 0],
  [1, 1],
  [999, 1],
  [1_001, 2],
  [98_500, 99],
  [101_000, 110],
  [1_234_000, 1_300],
])('%i ms are %i s, rounded up to two digits', (ms, seconds) => {
  expect(roughSeconds(ms)).toBe(seconds);
});
