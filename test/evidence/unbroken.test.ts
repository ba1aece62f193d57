import { expect, test } from 'vitest';
import { unbroken } from './parts/simulation.js';

test('only seeds without a missing one before them are counted: an end must not favour the short runs', () => {
  const results = [3, 1, 2, 5, 6].map((seed) => ({ seed }));
  expect(unbroken(results).map(({ seed }) => seed)).toEqual([1, 2, 3]);
  expect(unbroken([{ seed: 2 }])).toEqual([]);
  expect(unbroken([])).toEqual([]);
});
