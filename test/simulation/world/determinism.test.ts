/** The gate of reliability d.1: a seed that is run twice is one story, event by event. */
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/model/fault-rule.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { seededRandom } from '../../../src/model/random.js';
import { sleep } from '../../../src/ports/clock.js';
import type { Life } from '../../../src/simulation/world/life.js';
import type { Drain } from '../../../src/simulation/world/scheduler.js';
import type { VenueWorld } from '../../../src/simulation/world/venue-world.js';
import { drain } from '../drain.js';
import { BID, BTC, clientOf, START_TICKS, world } from './desk.js';

const RUN_MS = 300_000;

const FAULTS: readonly FaultRule[] = [
  { name: 'lost', place: {}, when: { probability: 0.03 }, effect: { kind: 'lost-response' } },
  {
    name: 'late',
    place: { calls: 'write' },
    when: { probability: 0.05 },
    effect: { kind: 'late-execution', delayMs: [10, 20_000], answer: 'reset', msg: '' },
  },
  {
    name: 'twice',
    place: { paths: ['/auth/order'] },
    when: { probability: 0.05 },
    effect: { kind: 'duplicate-execution', copies: 1, gapMs: [1, 500], answer: 'last' },
  },
  {
    name: 'stale',
    place: {},
    when: { probability: 0.05 },
    effect: { kind: 'stale-read', ageMs: [0, 9_000] },
  },
  {
    name: 'mixed',
    place: {},
    when: { probability: 0.05 },
    effect: { kind: 'reordered-rows', order: 'shuffle' },
  },
  { name: 'slow', place: {}, when: { probability: 0.1 }, effect: { kind: 'delay', delayMs: [0, 9_000] } },
];

/** Something that uses every port: polls, a journal, orders and cancels, and a life after each death. */
function bot(at: VenueWorld, seed: number): { readonly log: string[] } {
  const log: string[] = [];
  const disk = at.disk('machine', { capacity: 50_000 });
  const chance = seededRandom(seed).fork('bot');
  let lives = 0;
  boot();
  return { log };

  function boot(): void {
    lives += 1;
    const life = at.boot({ name: `bot-${lives}`, disk, driftPpm: 10, wallOffsetMs: 300 });
    const at2 = chance.integer(1, 400);
    life.crashAt(at2, at2 % 2 === 0 ? 'kill' : 'power');
    life.onDeath((point) => {
      log.push(`${life.name} died at ${point}, journal of ${disk.contents('/journal')?.length ?? 0} bytes`);
      at.scheduler.at(at.scheduler.now + 1_000, boot);
    });
    void live(life).catch((error: unknown) => {
      if (life.isAlive) log.push(`${life.name} stopped: ${(error as Error).message}`);
    });
    at.scheduler.wake();
  }

  async function live(life: Life): Promise<void> {
    const client = clientOf(at, life);
    const journal = life.files.openAppendSync('/journal');
    const write = (line: string) => {
      journal.append(new TextEncoder().encode(`${line}\n`));
      journal.sync();
    };
    await life.files.writeAtomic('/state', `${life.name} ${journal.size()}`);
    const random = seededRandom(life.name);
    for (let round = 1; ; round++) {
      const reads = await Promise.allSettled([
        client.position(BTC.pair),
        client.orders('active', { pair: BTC.pair }),
        client.fills({ pair: BTC.pair }),
        client.ticker(BTC.pair),
      ]);
      log.push(`${life.name} ${round} ${reads.map(({ status }) => status[0]).join('')}`);
      const [position, active] = reads;
      if (position.status === 'fulfilled') write(`position ${position.value.size}`);
      if (active.status === 'fulfilled' && active.value.length > 3) {
        const outcome = await client.cancel(active.value[0]?.id ?? '');
        write(`cancel ${outcome.kind}`);
      }
      const side = random.next() < 0.5 ? 'buy' : 'sell';
      const away = (side === 'buy' ? -1 : 1) * random.integer(0, 200) * 5;
      const terms = {
        ...BID,
        side,
        ticks: (START_TICKS + away) as Ticks,
        lots: random.integer(1, 50) as Lots,
      } as const;
      write(`prep ${round}`);
      const outcome = await client.place(
        BTC,
        { ...terms, postOnly: random.next() < 0.5 },
        `${life.name}-${round}`,
      );
      write(`out ${round} ${outcome.kind}`);
      await sleep(life.timers, 1_000 + 5_000 * random.next());
    }
  }
}

async function run(seed: number, by: Drain = drain) {
  const at = world({
    seed,
    drain: by,
    faults: { seed, rules: FAULTS },
    network: { connect: [{ name: 'down', place: {}, when: { probability: 0.02 }, kind: 'refused' }] },
  });
  const { log } = bot(at, seed);
  at.scheduler.at(100_000, () => at.street(BTC.pair).jump(0.98));
  at.scheduler.at(150_000, () => at.lives.at(-1)?.suspend(20_000, seed % 2 === 0 ? 'machine' : 'process'));
  at.scheduler.at(200_000, () => at.lives.at(-1)?.jumpWall(-5_000));
  at.scheduler.at(250_000, () => at.heal());
  await at.scheduler.runUntil(RUN_MS);
  const { position, fills } = {
    position: at.core.position(at.account('anna'), BTC.pair),
    fills: at.core.fills(at.account('anna'), { limit: 1_000 }),
  };
  return {
    hash: at.trace.hash,
    events: at.scheduler.events,
    log,
    counts: { ...at.truth.counts },
    writes: at.truth.writes,
    lots: position.lots,
    fills: fills.length,
    faults: at.faults?.report().rules.map(({ struck }) => struck),
    refused: at.connectDecisions.length,
    balances: at.core.balances(at.account('anna')),
  };
}

describe('same seed, same story', () => {
  const seeds = Array.from({ length: 20 }, (_, i) => i + 1);
  const hashes = new Set<string>();
  const strikes: number[] = [];

  it.each(
    seeds,
  )('seed %s: trace hash, event count and everything else are equal in a second run', async (seed) => {
    const first = await run(seed);
    expect(await run(seed)).toEqual(first);
    hashes.add(first.hash);
    // The story is worth telling twice.
    expect(first.log.filter((line) => line.includes('died')).length).toBeGreaterThan(0);
    expect(first.writes.length).toBeGreaterThan(10);
    expect(first.fills).toBeGreaterThan(0);
    for (const [rule, struck] of (first.faults ?? []).entries())
      strikes[rule] = (strikes[rule] ?? 0) + struck;
  });

  it('and another seed, another story', () => {
    expect(hashes.size).toBe(seeds.length);
    expect(Math.min(...strikes)).toBeGreaterThan(10);
  });

  it('whatever way promises are waited for', async () => {
    const plainly: Drain = () => new Promise((resolve) => setImmediate(resolve));
    expect((await run(7, plainly)).hash).toBe((await run(7)).hash);
  });
});
