import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/backtest/backtest.js';
import { gridSampler } from '../../../src/backtest/search/grid.js';
import { objectiveOf, pickObjective } from '../../../src/backtest/search/objective.js';
import { optimize, type OptimizeOptions } from '../../../src/backtest/search/optimize.js';
import { spaceOf } from '../../../src/backtest/search/space.js';
import type { Stretch } from '../../../src/backtest/search/stretches.js';
import { runTrial, type TrialEnd, type TrialOutcome } from '../../../src/backtest/search/trial.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { openRecording } from '../../../src/storage/recording/recording.js';
import { bindStrategy } from '../../../src/strategy/instance.js';
import { integer } from '../../../src/strategy/params.js';
import smaCross from '../../../strategies/sma-cross.js';
import { UsageError } from '../../../src/model/errors.js';

const SAMPLE = ['backtest/sample'];

function outcome(figures: Partial<TrialOutcome>): TrialOutcome {
  return {
    judged: {
      runId: 'x',
      strategy: 'demo',
      from: 0,
      to: 1,
      data: { hash: 'x' },
      metrics: { days: 0, sharpe: null, skewness: null, kurtosis: null },
    },
    pnl: '0',
    sharpe: null,
    calmar: null,
    maxDrawdown: '0',
    fills: 1,
    roundTrips: 1,
    decisionHash: 'x',
    returns: [],
    isRuined: false,
    ...figures,
  };
}

const space = spaceOf('demo', { level: integer({ default: 1 }) }, { level: '1..5' });
const whole = { from: 0, to: 400 };

/** A strategy whose P&L is best at one level before 200 and at another one after that. */
function options(over: Partial<OptimizeOptions> = {}): OptimizeOptions {
  return {
    space,
    samplerOf: () => gridSampler(space.dimensions),
    budget: 10,
    objective: 'pnl',
    stretch: whole,
    folds: [],
    attempt: ({ level }, { from, to }) => {
      const best = (from + to) / 2 < 200 ? 2 : 4;
      return Promise.resolve<TrialEnd>({
        kind: 'done',
        outcome: outcome({ pnl: String(10 - Math.abs(Number(level) - best)) }),
      });
    },
    ...over,
  };
}

describe('optimize', () => {
  it('ranks the best first, of equal ones the earlier', async () => {
    const { ranking } = await optimize(options());
    expect(ranking.map(({ texts, score }) => [texts['level'], score])).toEqual([
      ['4', 10],
      ['3', 9],
      ['5', 9],
      ['2', 8],
      ['1', 7],
    ]);
  });

  it('walks forward: what was best on all before is tried on what came then, and on nothing else', async () => {
    const seen: Stretch[] = [];
    const { attempt } = options();
    const folds = [
      { inside: { from: 0, to: 200 }, outside: { from: 200, to: 300 } },
      { inside: { from: 0, to: 399 }, outside: { from: 399, to: 400 } },
    ];
    const { folds: ends } = await optimize(
      options({
        folds,
        attempt: (texts, stretch) => {
          seen.push(stretch);
          return attempt(texts, stretch);
        },
      }),
    );
    expect(ends.map(({ end }) => ('chosen' in end ? end.chosen.texts : end.why))).toEqual([
      { level: '2' },
      { level: '2' },
    ]);
    expect(ends.map(({ end }) => ('chosen' in end ? end.outside : end.why))).toMatchObject([
      { kind: 'done', outcome: { pnl: '8' } },
      { kind: 'done', outcome: { pnl: '8' } },
    ]);
    const count = ({ from, to }: Stretch) =>
      seen.filter((each) => each.from === from && each.to === to).length;
    expect([whole, ...folds.flatMap(({ inside, outside }) => [inside, outside])].map(count)).toEqual([
      5, 5, 1, 5, 1,
    ]);
  });

  it('goes on where a fold has nothing to choose, and says why', async () => {
    const { attempt } = options();
    const { ranking, folds } = await optimize(
      options({
        objective: 'sharpe',
        folds: [{ inside: { from: 0, to: 50 }, outside: { from: 50, to: 400 } }],
        attempt: async (texts, stretch) => {
          const end = await attempt(texts, stretch);
          const isFlat = stretch.to === 50;
          const figures = isFlat ? { fills: 0, sharpe: null } : { sharpe: '1' };
          return {
            kind: 'done',
            outcome: outcome({ ...(end.kind === 'done' ? end.outcome : {}), ...figures }),
          };
        },
      }),
    );
    expect(ranking).toHaveLength(5);
    expect(folds.map(({ end }) => end)).toEqual([
      {
        why: expect.stringContaining('a search must have trials that trade, received 5 without a fill'),
      },
    ]);
  });

  it('goes on where a trial fails, and says why', async () => {
    const { attempt } = options();
    const { ranking, failed } = await optimize(
      options({
        attempt: async (texts, stretch) =>
          Number(texts['level']) > 3 ? { kind: 'failed', reason: 'too high' } : attempt(texts, stretch),
      }),
    );
    expect(ranking).toHaveLength(3);
    expect(failed).toEqual([
      { number: 4, texts: { level: '4' }, reason: 'too high', isUsage: false },
      { number: 5, texts: { level: '5' }, reason: 'too high', isUsage: false },
    ]);
  });

  it('refuses to choose where nothing came of any trial, or none has the figure', async () => {
    const failed = options({ attempt: async () => ({ kind: 'failed', reason: 'too high' }) });
    await expect(optimize(failed)).rejects.toThrow(
      'a search must have trials that come to something, received 5 that all failed: too high',
    );
    for (const objective of ['sharpe', 'pnl'] as const) {
      const idle = options({
        objective,
        attempt: async () => ({ kind: 'done', outcome: outcome({ fills: 0 }) }),
      });
      const error: unknown = await optimize(idle).catch((cause: unknown) => cause);
      expect(error).toMatchObject({
        message: expect.stringContaining('a search must have trials that trade, received 5 without a fill'),
      });
      // What was given is what it must be: no usage is wrong.
      expect(error).not.toBeInstanceOf(UsageError);
    }
    const still = options({
      objective: 'sharpe',
      attempt: async () => ({ kind: 'done', outcome: outcome({ sharpe: null }) }),
    });
    await expect(optimize(still)).rejects.toThrow(
      '--objective must be a figure that trials have, received sharpe, which none of 5 has',
    );
  });

  it('puts what has no figure last, whatever the others came to', async () => {
    const { ranking } = await optimize(
      options({
        objective: 'sharpe',
        attempt: async ({ level }) => ({
          kind: 'done',
          outcome: outcome({ sharpe: level === '2' ? null : String(-Number(level)) }),
        }),
      }),
    );
    expect(ranking.map(({ texts }) => texts['level'])).toEqual(['1', '3', '4', '5', '2']);
  });
});

describe('an objective', () => {
  it('is one of the figures', () => {
    const figures = outcome({ pnl: '12.5', sharpe: '1.5', calmar: null });
    expect(objectiveOf('pnl', figures)).toBe(12.5);
    expect(objectiveOf('sharpe', figures)).toBe(1.5);
    expect(objectiveOf('calmar', figures)).toBeUndefined();
  });

  it('of daily returns has 30 of them', () => {
    expect(pickObjective(undefined, 29)).toBe('pnl');
    expect(pickObjective(undefined, 30)).toBe('sharpe');
    expect(pickObjective('calmar', 30)).toBe('calmar');
    expect(pickObjective('pnl', 0)).toBe('pnl');
    expect(() => pickObjective('sharpe', 29)).toThrow('--objective sharpe must have at least 30 days');
  });
});

it('a trial is the backtest with these parameters, to its run id', async () => {
  const options = {
    capital: '5000',
    fill: 'touch',
    latencyMs: 80,
    jitterMs: 20,
    slippageTicks: 2,
    seed: 7,
    limits: { maxOpenOrders: 3 },
  } as const;
  const task = {
    definition: smaCross,
    strategyHash: 'abc',
    engineVersion: '1.2.3',
    options,
    fixed: { bars: '5s', fast: '3' },
  };
  const recording = await openRecording(nodeFiles, SAMPLE);
  const trial = await runTrial(task, recording, { fast: '7', slow: '20' });
  const { result } = await runBacktest({
    strategy: bindStrategy(smaCross, { bars: '5s', fast: '7', slow: '20' }),
    strategyHash: 'abc',
    engineVersion: '1.2.3',
    recording,
    capital: '5000',
    fill: 'touch',
    latencyMs: 80,
    jitterMs: 20,
    slippageTicks: 2,
    seed: '7',
    limits: { ...(await import('../../../src/gate/limits.js')).NO_LIMITS, maxOpenOrders: 3 },
  });
  expect(trial).toMatchObject({
    pnl: result.pnl.touch,
    maxDrawdown: result.maxDrawdown,
    fills: result.fills,
    roundTrips: result.roundTrips,
    decisionHash: result.decisionHash,
  });
  expect(trial.judged.runId).toBe(result.runId);
  expect(trial.roundTrips).toBeGreaterThan(5);
  await expect(runTrial(task, recording, { fast: 'x' })).rejects.toThrow(
    'sma-cross.fast must be a whole number',
  );
});
