import { expect, it } from 'vitest';
import { figure } from '../../src/backtest/metrics.js';

it('a figure is plain decimal text, or null where there can be none', () => {
  expect([0.1, -0, 1_200, 100, -1e-9, 12.345678949, 1e20].map(figure)).toEqual([
    '0.1',
    '0',
    '1200',
    '100',
    '0',
    '12.34567895',
    '100000000000000000000',
  ]);
  expect([Number.NaN, Number.POSITIVE_INFINITY, 1e21, -1e30].map(figure)).toEqual([null, null, null, null]);
});
