import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headlineIdOf } from '../../src/backtest/result.js';
import { TrialCounter } from '../../src/backtest/search/trial-counter.js';
import { runTrial } from '../../src/backtest/search/trial.js';
import { addTrial, readTrials, trialOf, trialVerdict } from '../../src/backtest/trials.js';
import { nodeFiles as files } from '../../src/platform/files.js';
import { barColumns } from '../../src/storage/rows/bar-columns.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import smaCross from '../../strategies/sma-cross.js';
import { inMemory } from '../support/in-memory-recording.js';
import { run, START, walk } from '../support/walk.js';

let registry = '';
beforeEach(async () => {
  registry = await files.temporaryDirectory('tickwright-trials-');
});
afterEach(() => rm(registry, { recursive: true }));

describe('a run by all fill models', async () => {
  const recording = inMemory(walk(45));
  const [{ result: all }, { result: alone }, { result: other }] = [
    await run(recording, { fill: 'all' }),
    await run(recording, { fill: 'queue' }),
    await run(recording, { fill: 'touch' }),
  ];
  const byAll = { ...all, headlineId: headlineIdOf(all) };

  it('knows the id of the one by its headline model alone', () => {
    expect(all.headline).toBe('queue');
    expect(byAll.headlineId).toBe(alone.runId);
    expect(headlineIdOf(alone)).toBe(alone.runId);
    expect(headlineIdOf(other)).toBe(other.runId);
  });

  it.each([
    ['behind it', [alone, byAll]],
    ['before it', [byAll, alone]],
  ])('is one trial with it, %s', async (_, judged) => {
    for (const each of judged) await addTrial(files, registry, trialOf(each));
    expect(await readTrials(files, registry)).toHaveLength(1);
    const counter = await TrialCounter.open(files, registry);
    for (const each of judged) await counter.add(trialOf(each));
    const trials = await readTrials(files, registry);
    expect(trials).toHaveLength(1);
    for (const each of judged) expect(trialVerdict(each, trials).trials).toBe(1);
  });

  it('is another trial than one by another model', async () => {
    for (const each of [byAll, other]) await addTrial(files, registry, trialOf(each));
    expect(trialVerdict(byAll, await readTrials(files, registry)).trials).toBe(2);
  });

  it('is judged beside lines that a person has written into the ledger: they count, and what is no figure is none', async () => {
    await addTrial(files, registry, trialOf(byAll));
    const { data, days } = trialOf(byAll);
    const lines = [
      { runId: 'a', data, days, dailySharpe: 'high' },
      { runId: 'b', data: 'other', pairs: 5, from: 0, to: 1 },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await appendFile(join(registry, 'trials.ndjson'), text);
    const alone = trialVerdict(byAll, []);
    const verdict = trialVerdict(byAll, await readTrials(files, registry));
    expect(alone.deflatedSharpe).not.toBeNull();
    expect(verdict).toMatchObject({ trials: 2, comparedTrials: 1, overlappingTrials: 0 });
    expect(verdict.deflatedSharpe).toBeLessThan(alone.deflatedSharpe as number);
  });

  it('is known in a ledger that has but its own id', async () => {
    await addTrial(files, registry, trialOf(all));
    await addTrial(files, registry, trialOf(byAll));
    const trials = await readTrials(files, registry);
    expect(trials).toHaveLength(1);
    expect(trialVerdict(byAll, trials).trials).toBe(1);
  });
});

it('on bars runs by all models, by through and by queue, which bars do not know, are one trial', async () => {
  const barMs = 60_000;
  const bar = { open: 100, high: 101, low: 99, close: 100, volume: 1 };
  const rows = [0, 1, 2, 3].map((row) => ({ time: START + row * barMs, ...bar }));
  const onBars: Recording = {
    ...inMemory([]),
    kind: 'bars',
    barMs,
    async *bars() {
      yield barColumns(rows, barMs);
    },
  };
  const options = { capital: '1000', latencyMs: 50, jitterMs: 0, slippageTicks: 0, seed: 1, limits: {} };
  const task = { definition: smaCross, strategyHash: '', engineVersion: 'test', fixed: {} };
  for (const fill of ['queue', 'through', 'all', 'touch'] as const) {
    const { judged } = await runTrial({ ...task, options: { ...options, fill } }, onBars, { bars: '1m' });
    await addTrial(files, registry, trialOf(judged));
    expect(await readTrials(files, registry)).toHaveLength(fill === 'touch' ? 2 : 1);
  }
});
