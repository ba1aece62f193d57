import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FailedRun, figuresOf, type StoredRun, unbroken } from './parts/simulation.js';
import { Store } from './store.js';
import { brokenOf, runOf } from './stored-runs.js';

function figures(runs: readonly (StoredRun | FailedRun)[]): ReturnType<typeof figuresOf> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-figures-'));
  try {
    const store = new Store<StoredRun | FailedRun>(join(folder, 'runs.ndjson'), 'c0ffee');
    for (const run of runs) store.add(run);
    return figuresOf(store, { hours: 24, climate: 'mixed' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('only seeds without a missing one before them are counted: an end must not favour the short runs', () => {
  const results = [3, 1, 2, 5, 6].map((seed) => ({ seed }));
  expect(unbroken(results).map(({ seed }) => seed)).toEqual([1, 2, 3]);
  expect(unbroken([{ seed: 2 }])).toEqual([]);
  expect(unbroken([])).toEqual([]);
});

test('what a run broke counts also behind a seed that is missing; how much was run ends before that', () => {
  const whole = [runOf(1), runOf(2)];
  expect(figures([...whole, brokenOf(4)])).toMatchObject({
    runs: 2,
    runsJudged: 3,
    days: 2,
    faults: 6,
    doubts: 10,
    crashes: 4,
    seeds: [[1, 2]],
    traceHash: figures(whole).traceHash,
    duplicates: 1,
    orphans: 2,
    unexplainedSynced: 3,
    secrets: 4,
    worst: 1.5,
    beyondLimit: 1,
    violations: ['I4 seed 4'],
  });
  expect(figures([brokenOf(2)])).toMatchObject({
    runs: 0,
    runsJudged: 1,
    days: 0,
    violations: ['I4 seed 2'],
  });
});

test('of a program that is only there to be compared with, no more is counted against it than was run', () => {
  const found = figures([runOf(1, 'blind-retry'), brokenOf(3, 'blind-retry')]);
  expect(found).toMatchObject({ runs: 1, runsJudged: 1, duplicates: 0, orphans: 0, worst: 0.5 });
});
