/** A search of a stretch of which nothing is recorded. */
import { expect, it } from 'vitest';
import { gridSampler } from '../../../src/backtest/search/grid.js';
import { optimize } from '../../../src/backtest/search/optimize.js';
import { spaceOf } from '../../../src/backtest/search/space.js';
import type { TrialEnd } from '../../../src/backtest/search/trial.js';
import { resultOf } from '../../../src/cli/optimize/result-of-trial.js';
import { UsageError } from '../../../src/model/errors.js';
import { integer } from '../../../src/strategy/params.js';

/** A trial without a print. */
const EMPTY = { kind: 'done', outcome: { judged: { from: Number.NaN, to: Number.NaN } } } as TrialEnd;

it('blames what was asked for, and not the code of the strategy', async () => {
  const space = spaceOf('demo', { level: integer({ default: 1 }) }, { level: '1..3' });
  const stretch = { from: Date.UTC(2024, 7, 8), to: Date.UTC(2024, 7, 9) };
  const ended = optimize({
    space,
    samplerOf: () => gridSampler(space.dimensions),
    budget: 10,
    objective: 'pnl',
    stretch,
    folds: [],
    attempt: (_, within) => Promise.resolve(resultOf(EMPTY, 'USD_BTC_PERP', within)),
  });
  await expect(ended).rejects.toThrow(UsageError);
  await expect(ended).rejects.toThrow(
    'received 3 that all failed: nothing is recorded of USD_BTC_PERP from 2024-08-08',
  );
});
