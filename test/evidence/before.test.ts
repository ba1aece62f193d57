import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Evidence, SimulationFigures } from './evidence.js';
import { evidencePage } from './page.js';
import { countedBefore, nextSeed, rowsOf, together, withMostDays } from './parts/before.js';
import { type FailedRun, figuresOf, type StoredRun } from './parts/simulation.js';
import { Store } from './store.js';
import { brokenOf, runOf } from './stored-runs.js';

/** A row of these seeds, a day each. */
function row(first: number, last: number, given: Partial<SimulationFigures> = {}): SimulationFigures {
  return { ...figures(runs(first, last), first), source: 'old', commits: ['c0ffee'], sample: 's', ...given };
}

const runs = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => runOf(first + index));

function figures(results: readonly (StoredRun | FailedRun)[], first: number) {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-before-'));
  try {
    const store = new Store<StoredRun | FailedRun>(join(folder, 'runs.ndjson'), 'c0ffee');
    for (const run of results) store.add(run);
    return figuresOf(store, { hours: 24, climate: 'mixed' }, first);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const simulation = (...rows: readonly SimulationFigures[]) => ({
  before: rows.slice(0, -1),
  runs: { normal: rows.at(-1) as SimulationFigures },
});

describe('days that the page has', () => {
  const published = simulation(row(1, 5), row(6, 9));

  test('count where no result is at hand, and the next seed is the one behind them', () => {
    const counted = countedBefore(published, 's');
    expect(counted).toEqual(rowsOf(published));
    expect(nextSeed(counted)).toBe(10);
    expect(nextSeed([])).toBe(1);
  });

  test.each([
    ['of the seeds at hand', 6, 1],
    ['behind a seed at hand', 5, 0],
    ['of a clone that went on', 10, 2],
  ])('%s (from %i on): rows that count', (_, lowest, count) => {
    expect(countedBefore(published, 's', lowest)).toHaveLength(count);
  });

  test.each<[string, SimulationFigures]>([
    ['of code with another sample', row(6, 9, { sample: 'x' })],
    ['of code whose sample nobody took', row(6, 9, { sample: undefined })],
    ['behind a missing seed', row(7, 9)],
    ['that broke something', row(6, 9, { violations: ['I4 seed 7'] })],
    ['that came to no end', row(6, 9, { failed: ['seed 8: x'] })],
    ['without a run', row(6, 9, { seeds: [] })],
    [
      'in which something is missing',
      row(6, 9, {
        seeds: [
          [6, 7],
          [9, 9],
        ],
      }),
    ],
  ])('do not count %s, and those before it do', (_, other) => {
    expect(countedBefore(simulation(row(1, 5), other), 's').map(({ seeds }) => seeds)).toEqual([[[1, 5]]]);
  });

  test('do not count without a sample of the present code, nor where nothing is published', () => {
    expect(countedBefore(published, undefined)).toEqual([]);
    expect(countedBefore(undefined, 's')).toEqual([]);
    expect(countedBefore({ runs: {} }, 's')).toEqual([]);
  });
});

describe('a measurement that has fewer days than the page', () => {
  const published = simulation(row(1, 5), row(6, 9));

  test('leaves those of the page, which another clone went on with', () => {
    const stops = row(1, 2);
    const measured = { before: [], runs: { normal: row(1, 6), stops } };
    expect(withMostDays(measured, published)).toEqual({
      before: published.before,
      runs: { normal: published.runs.normal, stops },
    });
  });

  test.each<[string, SimulationFigures]>([
    ['it has more', row(1, 10)],
    ['it broke something', row(1, 6, { violations: ['I4 seed 7'] })],
    ['its code does something else', row(1, 6, { sample: 'x' })],
    ['nobody knows what its code does', row(1, 6, { sample: undefined })],
  ])('replaces those where %s', (_, normal) => {
    const measured = { before: [], runs: { normal } };
    expect(withMostDays(measured, published)).toBe(measured);
  });

  test('replaces those that broke something, and is alone where there are none', () => {
    const measured = { before: [], runs: { normal: row(1, 6) } };
    const broken = simulation(row(1, 5), row(6, 9, { duplicates: 1 }));
    expect(withMostDays(measured, broken)).toBe(measured);
    expect(withMostDays(measured, undefined)).toBe(measured);
    expect(withMostDays(undefined, published)).toBeUndefined();
  });
});

test('figures of seeds behind those of the page begin with the first of them', () => {
  expect(figures([...runs(6, 8), runOf(10), brokenOf(12)], 6)).toMatchObject({
    runs: 3,
    days: 3,
    seeds: [[6, 8]],
    runsJudged: 5,
    duplicates: 1,
  });
  expect(figures(runs(7, 8), 6)).toMatchObject({ runs: 0, seeds: [], runsJudged: 2 });
});

describe('rows together', () => {
  test('are sums, the largest, and shares by the time that each had', () => {
    const half = row(6, 6, {
      synced: 0.4,
      worst: 0.7,
      crashPoints: 3,
      duplicates: 2,
      violations: ['I1 seed 6'],
    });
    const all = together([row(1, 3), half]);
    const plain = together([row(1, 4)]);
    expect(all).toEqual({
      ...plain,
      synced: (3 * 1 + 1 * 0.4) / 4,
      worst: 0.7,
      crashPoints: 3,
      duplicates: 2,
      violations: ['I1 seed 6'],
    });
    expect(together([])).toBeUndefined();
  });

  test('are what the page says at its top, and each has its line', () => {
    const evidence: Evidence = {
      schemaVersion: 2,
      date: '2026-11-29',
      commit: 'c0ffee',
      isDirty: false,
      machine: { cores: 2, node: '20' },
      simulation: simulation(row(1, 1_500), row(1_501, 2_600)),
    };
    const page = evidencePage(evidence);
    expect(page).toContain('**2,600 simulated days**');
    expect(page).toContain('| Simulated daemon-days | ≥ 2,500 | 2,600 | yes |');
    expect(page).toContain('| Tickwright, A1–A6 hold, seeds 1–1500 | 1,500 |');
    expect(page).toContain('| Tickwright, A1–A6 hold, seeds 1501–2600 | 1,100 |');
    expect(page).toContain('* Tickwright, A1–A6 hold, seeds 1501–2600, 24 h each');
  });
});
