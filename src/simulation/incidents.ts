import type { Lots } from '../model/grid.js';
import type { Random } from '../model/random.js';
import type { Incident } from './swarm-plan.js';

/** Crash points that matter most: while an order is sent, recorded, or its result is learned. */
const MONEY_POINTS = [
  'append.before',
  'append.within',
  'append.after',
  'sync.before',
  'sync.after',
  'truncate.before',
  'write.before',
  'write.after',
  'http.POST /auth/order.before',
  'http.POST /auth/order.after',
  'answer.POST /auth/order.before',
  'answer.POST /auth/order.after',
  'http.POST /auth/cancel.after',
  'answer.POST /auth/cancel.before',
  'answer.GET /position.before',
  'answer.GET /fills.after',
  'answer.GET /orders.before',
  'timer.before',
  'timer.after',
] as const;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export interface IncidentOptions {
  /** Incidents begin before this time, ms. */
  readonly faultyMs: number;
  /** Largest quantity of an order of somebody else, lots. */
  readonly mostLots: Lots;
  /** Whether the account has so little cash that a jump of the price liquidates it. */
  readonly isThin: boolean;
  /** Factor on the time between incidents; default 1. */
  readonly gap?: number | undefined;
}

/** Draws which kinds of incidents occur, how often, and when. Returns them in order of time. */
export function incidentsOf(
  random: Random,
  { faultyMs, mostLots, isThin, gap = 1 }: IncidentOptions,
): readonly Incident[] {
  const times = (from: Random, meanMs: number | undefined) =>
    timesOf(from, meanMs === undefined ? undefined : meanMs * gap, faultyMs);
  const incidents: Incident[] = [...crashesOf(random.fork('crashes'), times)];

  const clock = random.fork('clock');
  for (const atMs of times(clock, pick(clock, [undefined, undefined, 6 * HOUR_MS, HOUR_MS]))) {
    const ms = Math.round((clock.next() < 0.5 ? -1 : 1) * 10 ** (2 + 5 * clock.next()));
    incidents.push({ kind: 'clock-jump', atMs, ms });
  }

  const sleeps = random.fork('suspend');
  for (const atMs of times(sleeps, pick(sleeps, [undefined, undefined, 6 * HOUR_MS]))) {
    const what = sleeps.next() < 0.5 ? 'machine' : 'process';
    incidents.push({ kind: 'suspend', atMs, ms: Math.round(10 ** (3 + 3 * sleeps.next())), what });
  }

  const disk = random.fork('disk');
  for (const atMs of times(disk, pick(disk, [undefined, undefined, 8 * HOUR_MS, HOUR_MS]))) {
    if (disk.next() < 0.25) {
      incidents.push({ kind: 'disk-full', atMs, ms: Math.round(10 * MINUTE_MS * disk.next()) });
    } else {
      const call = pick(disk, ['append', 'append', 'sync', 'truncate', 'write', 'read'] as const);
      incidents.push({ kind: 'disk-error', atMs, call, nth: disk.integer(1, 20) });
    }
  }

  const external = random.fork('external');
  const externalMs = pick(external, [undefined, undefined, undefined, 4 * HOUR_MS]);
  for (const atMs of times(external, externalMs)) {
    const lots = external.integer(1, mostLots) * (external.next() < 0.5 ? -1 : 1);
    incidents.push({ kind: 'external-order', atMs, lots: lots as Lots });
  }

  const market = random.fork('market');
  for (const atMs of times(market, isThin ? HOUR_MS : undefined)) {
    incidents.push({ kind: 'price-jump', atMs, factor: market.next() < 0.5 ? 0.94 : 1.06 });
  }
  for (const atMs of times(market, pick(market, [undefined, undefined, 4 * HOUR_MS]))) {
    incidents.push({ kind: 'market-pause', atMs, ms: Math.round(10 * MINUTE_MS * market.next()) });
  }
  return incidents.sort((a, b) => a.atMs - b.atMs);
}

function crashesOf(
  random: Random,
  times: (random: Random, meanMs: number | undefined) => readonly number[],
): readonly Incident[] {
  const meanMs = pick(random, [undefined, 4 * HOUR_MS, HOUR_MS, 10 * MINUTE_MS, 3 * MINUTE_MS]);
  const powerShare = pick(random, [0, 0.5, 1]);
  const pointShare = pick(random, [0, 0.7, 1]);
  const longestDownMs = pick(random, [SECOND_MS, MINUTE_MS, 10 * MINUTE_MS]);
  return times(random, meanMs).map((atMs): Incident => {
    const isNamed = random.next() < 0.6;
    const point = {
      name: isNamed ? pick(random, MONEY_POINTS) : undefined,
      nth: isNamed ? random.integer(1, 3) : random.integer(1, 80),
    };
    return {
      kind: 'crash',
      atMs,
      death: random.next() < powerShare ? 'power' : 'kill',
      point: random.next() < pointShare ? point : undefined,
      downMs: Math.round(random.next() * longestDownMs),
    };
  });
}

/** Times of a Poisson process; empty without a mean. */
function timesOf(random: Random, meanMs: number | undefined, untilMs: number): readonly number[] {
  if (meanMs === undefined) return [];
  const times: number[] = [];
  for (let at = random.exponential() * meanMs; at < untilMs; at += random.exponential() * meanMs) {
    times.push(Math.round(at));
  }
  return times;
}

function pick<T>(random: Random, options: readonly T[]): T {
  return options[random.integer(0, options.length - 1)] as T;
}
