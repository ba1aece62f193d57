import { expect, test } from 'vitest';
import type { Lots } from '../../src/model/grid.js';
import { seededRandom } from '../../src/model/random.js';
import {
  type DesiredStop,
  Workload,
  WORKLOAD_KINDS,
  type WorkloadTerms,
} from '../../src/simulation/workload.js';

const START = 1_700_000_000_000;
const MINUTE_MS = 60_000;
const TERMS: WorkloadTerms = { kind: 'flips', seed: 'a', maxLots: 40 as Lots, limitShare: 0.5 };

function changesOf(terms: WorkloadTerms, minutes: number): number {
  const workload = new Workload(terms);
  const numbers = new Set<number>();
  for (let at = START; at < START + minutes * MINUTE_MS; at += 250) numbers.add(workload.at(at).number);
  return numbers.size;
}

test('what is wanted at a time does not depend on when and how often it was asked for', () => {
  for (const kind of WORKLOAD_KINDS) {
    const terms = { ...TERMS, kind };
    const inOrder = new Workload(terms);
    const times = Array.from({ length: 2_000 }, (_, index) => START + index * 731);
    const wanted = times.map((time) => inOrder.at(time));
    const random = seededRandom(kind);
    const hopping = new Workload(terms);
    for (let i = 0; i < 500; i++) {
      const index = random.integer(0, times.length - 1);
      expect(hopping.at(times[index]!)).toEqual(wanted[index]);
    }
  }
});

test('a desire stands from its beginning on, and never goes beyond the largest position', () => {
  const workload = new Workload(TERMS);
  const targets: number[] = [];
  for (let at = START; at < START + 500 * MINUTE_MS; at += 5_000) {
    const desire = workload.at(at);
    expect(desire.since).toBeLessThanOrEqual(at);
    expect(at - desire.since).toBeLessThan(2 * MINUTE_MS);
    expect(Math.abs(desire.target)).toBeLessThanOrEqual(40);
    targets.push(desire.target);
  }
  expect(Math.max(...targets)).toBeGreaterThan(35);
  expect(Math.min(...targets)).toBeLessThan(-35);
  expect(targets).toContain(0);
});

test('nothing new is wanted after its end', () => {
  const end = START + 10 * MINUTE_MS;
  const workload = new Workload(TERMS);
  workload.endAt(end);
  const last = workload.at(end);
  for (let at = end; at < end + 30 * MINUTE_MS; at += 10_000) expect(workload.at(at)).toEqual(last);
  expect(new Workload(TERMS).at(end + 30 * MINUTE_MS)).not.toEqual(last);
});

test('flips change their mind once a minute, idlers once an hour, storms many times a minute', () => {
  expect(changesOf(TERMS, 60)).toBeGreaterThanOrEqual(60);
  expect(changesOf(TERMS, 60)).toBeLessThanOrEqual(61);
  expect(changesOf({ ...TERMS, kind: 'idler' }, 60)).toBeLessThanOrEqual(2);
  // Three minutes of storm at 1.5 s each, and 57 of flips.
  expect(changesOf({ ...TERMS, kind: 'storm' }, 60)).toBeGreaterThan(150);
});

test('limits and throws come as often as they are to', () => {
  const desires = (terms: WorkloadTerms) => {
    const workload = new Workload(terms);
    return Array.from({ length: 5_000 }, (_, index) => workload.at(START + index * MINUTE_MS));
  };
  const limits = desires(TERMS).filter(({ limitOffset }) => limitOffset !== undefined);
  expect(limits.length / 5_000).toBeCloseTo(0.5, 1);
  expect(desires({ ...TERMS, limitShare: 0 }).some(({ limitOffset }) => limitOffset !== undefined)).toBe(
    false,
  );
  expect(desires(TERMS).some(({ throws }) => throws)).toBe(false);
  const thrown = desires({ ...TERMS, kind: 'thrower' }).filter(({ throws }) => throws).length;
  expect(thrown).toBeGreaterThan(50);
  expect(thrown).toBeLessThan(150);
});

test('a stop moves every minute or two, never to where the market is, and at last to where nothing reaches it', () => {
  const end = START + 100 * MINUTE_MS;
  const workload = new Workload(TERMS);
  workload.endAt(end);
  const stops = new Set<DesiredStop>();
  for (let at = START; at < end; at += 1_000) stops.add(workload.stopAt(at));
  const away = [...stops].map((stop) => stop.away);
  expect(stops.size).toBeGreaterThan(50);
  expect(new Set(away).size).toBe(stops.size);
  expect(Math.min(...away)).toBeGreaterThan(0);
  expect([...stops].some((stop) => stop.isLast)).toBe(false);

  const last = workload.stopAt(end);
  expect(last.isLast).toBe(true);
  expect(last.away).toBeGreaterThan(Math.max(...away));
  expect(workload.stopAt(end + MINUTE_MS)).toBe(last);
  expect(new Workload(TERMS).stopAt(START).away).toBe(away[0]);
});
