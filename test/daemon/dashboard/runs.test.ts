import { expect, it } from 'vitest';
import { runRows } from '../../../src/daemon/dashboard/runs.js';
import { RUNS } from './facts.js';

it('a run is a row with the range of its fill models, from the most careful to the most hopeful', () => {
  expect(runRows(RUNS)[0]).toEqual({
    id: '7f3a91c2d0e4',
    strategy: 'market-maker',
    pair: 'USD_BTC_PERP',
    period: '2026-04-01 to 2026-05-01',
    range: ['-120.40', '1890.02'],
    quote: 'USD',
    verdict: 'undecided',
    sharpe: '1.27',
    drawdown: '−1.83 %',
    roundTrips: '1\u202f204',
  });
  expect(runRows(RUNS)[2]).toMatchObject({ sharpe: '–', verdict: 'profit' });
});

it('files of any content make rows, or none', () => {
  expect(runRows(undefined)).toEqual([]);
  expect(runRows([17, null, 'x', []])).toEqual([]);
  const [row] = runRows([
    {
      strategy: { toString: 1 },
      pair: 'x'.repeat(10_000),
      pnl: { a: 'NaN', b: 5 },
      maxDrawdown: 'x',
      from: 1e300,
      to: 0,
    },
  ]);
  expect(row).toMatchObject({
    strategy: '',
    range: undefined,
    drawdown: '–',
    period: '????-??-?? to 1970-01-01',
  });
  expect(row?.pair.length).toBeLessThan(64);
});

it('of many runs only the first hundred are shown', () => {
  expect(runRows(Array.from({ length: 1_000 }, () => ({})))).toHaveLength(100);
});
