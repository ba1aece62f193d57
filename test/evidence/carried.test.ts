import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carriedIn, carryOver, LEAST_BOTH } from './parts/carried.js';
import type { FailedRun, StoredRun } from './parts/simulation.js';
import { Store } from './store.js';
import { brokenOf, runOf } from './stored-runs.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-carried-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Run = StoredRun | FailedRun;
const storeOf = (name: string, runs: readonly Run[]) => {
  const store = new Store<Run>(join(folder, `${name}.ndjson`), `commit of ${name}`);
  for (const run of runs) store.add(run);
  return store;
};
const runs = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => runOf(from + index));
const seedsOf = (store: Store<Run>) => store.results.map(({ seed }) => seed);

describe('runs of an earlier code', () => {
  test('are taken over where both do the same, with the commit that they are of, and outlive the program', () => {
    const store = storeOf('present', runs(1, LEAST_BOTH));
    const older = storeOf('older', runs(1, LEAST_BOTH + 3));
    expect(carryOver(store, older, 'old')).toBe(3);
    const again = new Store<Run>(store.path, 'another');
    expect(seedsOf(again)).toEqual(seedsOf(older));
    expect(again.commits).toEqual(['commit of present']);
    expect(carriedIn(again, () => older)).toEqual([
      { source: 'old', commits: ['commit of older'], runs: 3, both: LEAST_BOTH, mended: [] },
    ]);
    expect(carryOver(again, older, 'old')).toBe(0);
  });

  test('keep the code that they ran on when they are taken over once more', () => {
    const first = storeOf('first', runs(1, LEAST_BOTH + 2));
    const second = storeOf('second', runs(1, LEAST_BOTH));
    carryOver(second, first, 'one');
    const third = storeOf('third', runs(1, LEAST_BOTH));
    carryOver(third, second, 'two');
    expect(carriedIn(third, () => first).map(({ source, runs: count }) => [source, count])).toEqual([
      ['one', 2],
    ]);
  });

  test('are run anew where they broke something or came to no end', () => {
    const store = storeOf('present', runs(1, LEAST_BOTH));
    const [a, b, c] = [LEAST_BOTH + 1, LEAST_BOTH + 2, LEAST_BOTH + 3];
    const older = storeOf('older', [...runs(1, LEAST_BOTH), brokenOf(a), { seed: b, failed: 'x' }, runOf(c)]);
    expect(carryOver(store, older, 'old')).toBe(1);
    expect(seedsOf(store).slice(LEAST_BOTH)).toEqual([c]);
  });

  test('are none where a single seed came out otherwise', () => {
    const changed = runs(1, LEAST_BOTH).map((run) => (run.seed === 7 ? { ...run, traceHash: 'other' } : run));
    const store = storeOf('present', changed);
    expect(carryOver(store, storeOf('older', runs(1, LEAST_BOTH + 3)), 'old')).toBe(
      'seed 7 came out otherwise',
    );
    expect(seedsOf(store)).toHaveLength(LEAST_BOTH);
  });

  test('are not taken over before enough was run by both', () => {
    const store = storeOf('present', runs(1, LEAST_BOTH - 1));
    expect(carryOver(store, storeOf('older', runs(1, 90)), 'old')).toBe(
      `only ${LEAST_BOTH - 1} of at least ${LEAST_BOTH} seeds were run by both`,
    );
  });

  test('stay where a seed that was broken comes out otherwise, and it is said which', () => {
    const store = storeOf('present', runs(1, LEAST_BOTH));
    const [broken, whole] = [LEAST_BOTH + 1, LEAST_BOTH + 2];
    const older = storeOf('older', [...runs(1, LEAST_BOTH), brokenOf(broken), runOf(whole)]);
    carryOver(store, older, 'old');
    store.add({ ...runOf(broken), traceHash: 'other' });
    expect(carriedIn(store, () => older)).toMatchObject([
      { runs: 1, both: LEAST_BOTH + 1, mended: [broken] },
    ]);
  });

  test('are forgotten when another seed comes out otherwise later', () => {
    const store = storeOf('present', runs(1, LEAST_BOTH));
    const older = storeOf('older', runs(1, LEAST_BOTH + 3));
    carryOver(store, older, 'old');
    store.add({ ...runOf(LEAST_BOTH + 2), traceHash: 'other' });
    expect(carriedIn(store, () => older)).toEqual([]);
    const again = new Store<Run>(store.path, 'another');
    expect(seedsOf(again)).toEqual([...seedsOf(storeOf('own', runs(1, LEAST_BOTH))), LEAST_BOTH + 2]);
  });
});
