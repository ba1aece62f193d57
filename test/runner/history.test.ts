/** What a session knows of the ones before, and what it tells those who watch it, in the simulated world. */
import { expect, test } from 'vitest';
import { defineStrategy } from '../../src/strategy/definition.js';
import { holdPosition } from '../../src/strategy/want.js';
import { world } from '../simulation/world/desk.js';
import { Chronicle, NO_BOT_JOURNAL } from '../../src/execution/chronicle.js';
import { historyOf } from '../../src/runner/history.js';
import { harness, placeOf } from '../execution/harness.js';
import { BTC } from '../support/markets.js';
import { MemoryJournal } from '../support/restart-desk.js';
import { startLive } from './live-desk.js';

test.each([
  ['maxOrdersPerHour', 'max-orders-per-hour', 60, 0],
  ['maxOrdersPerMinute', 'max-orders-per-minute', 1, 0],
  ['maxOrdersPerHour', 'max-orders-per-hour', 60, 2 * 3_600_000],
] as const)(
  '%s holds over a restart, and a position may be left all the same (%s, %i min, own clock %i ms ahead)',
  async (limit, rule, minutes, wallOffsetMs) => {
    const at = world();
    const journal = new MemoryJournal();
    let lots = 0;
    const strategy = defineStrategy({
      name: 'holder',
      create: () => ({ onTrade: () => holdPosition(String(lots / 1_000)) }),
    });
    const limits = { [limit]: 2 };
    const one = await startLive(at, journal, { name: 'one', strategy, limits });
    const run = (ms: number) => at.scheduler.runUntil(at.scheduler.now + ms);
    for (lots = 1; lots <= 2; lots++) await run(8_000);
    expect(one.bot.core.counts).toMatchObject({ orders: 2 });
    lots = 2;
    await one.stop();
    const restartedAt = at.scheduler.now;

    const refused: string[] = [];
    const watch = {
      decision: (...[, , refusals]: readonly [unknown, unknown, readonly { rule: string }[], unknown]) =>
        void refused.push(...refusals.map((refusal) => refusal.rule)),
    };
    const two = await startLive(at, journal, { name: 'two', strategy, limits, watch, wallOffsetMs });
    await run(5_000);
    lots = 3;
    await run(10_000);
    expect(new Set(refused)).toEqual(new Set([rule]));
    expect(two.bot.core.counts.orders).toBe(0);
    await at.scheduler.runUntil(restartedAt + (minutes + 1) * 60_000);
    expect(two.bot.core.engine.position.lots).toBe(3);
    await two.stop();
  },
  30_000,
);

test.each([
  0,
  2 * 3_600_000,
])('the account is told at which venue time its cash was read, before the session begins (own clock %i ms ahead)', async (wallOffsetMs) => {
  const at = world();
  const told: string[] = [];
  const readAt: number[] = [];
  const watch = {
    cashRead(asOf: number) {
      told.push('cash');
      readAt.push(asOf);
    },
    input: () => void told.push('input'),
  };
  const strategy = defineStrategy({ name: 'idle', create: () => ({}) });
  const journal = new MemoryJournal();
  const live = await startLive(at, journal, { name: 'one', strategy, limits: {}, watch, wallOffsetMs });
  const age = live.session.way.clock.now() - (readAt[0] ?? Number.NaN);
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(60_000);
  await at.scheduler.runUntil(at.scheduler.now + 5_000);
  expect(told.slice(0, 2)).toEqual(['cash', 'input']);
  expect(told.filter((word) => word === 'cash')).toHaveLength(1);
  await live.stop();
});

test('what others lose is in no cash of which nobody knows when it was read', async () => {
  const at = world();
  const readAt: number[] = [];
  const watch = { cashRead: (asOf: number) => void readAt.push(asOf) };
  const strategy = defineStrategy({ name: 'idle', create: () => ({}) });
  const how = { name: 'one', strategy, limits: {}, watch, wallOffsetMs: 2 * 3_600_000, tellsTime: false };
  const live = await startLive(at, new MemoryJournal(), how);
  expect(readAt).toEqual([Number.NEGATIVE_INFINITY]);
  await live.stop();
});

test('a round trip that a fill during the end of its session closes counts in the streak of losses', async () => {
  const at = world();
  const journal = new MemoryJournal();
  const run = (ms: number) => at.scheduler.runUntil(at.scheduler.now + ms);
  const limits = { lossPause: { losses: 2, forMs: 3_600_000 } };
  let want = holdPosition('0.002');
  const strategy = defineStrategy({ name: 'holder', create: () => ({ onTrade: () => want }) });
  const one = await startLive(at, journal, { name: 'one', strategy, limits });
  await run(8_000);
  const { core } = one.bot;
  expect([core.engine.position.lots, core.risk.streak?.losses]).toEqual([2, 0]);
  want = holdPosition('0');
  while (core.counts.orders < 2) await run(1);
  // The order that closes is under way, and pays the spread and two fees.
  await one.stop();
  expect([core.counts.fills, core.engine.position.lots]).toEqual([1, 2]);

  const two = await startLive(at, journal, { name: 'two', strategy, limits });
  await run(1_000);
  expect(two.bot.core.engine.position.lots).toBe(0);
  expect(two.bot.core.risk.streak?.losses).toBe(1);
  await two.stop();
});

test('an exit that was judged not placed adds nothing after a restart, and an order that adds does', async () => {
  const chronicle = new Chronicle(NO_BOT_JOURNAL);
  const { execution, venue, time } = await harness({ chronicle });
  venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
  execution.send(placeOf(1, { side: 'buy' }));
  // While that is in doubt only an exit leaves.
  execution.send(placeOf(2, { side: 'sell', reduceOnly: true }));
  await time.advance(60_000);
  const lost = chronicle.books.tombstones(BTC.pair, 0);
  expect(lost.map(({ terms }) => [terms.side, terms.reduceOnly])).toEqual([
    ['buy', false],
    ['sell', true],
  ]);
  const { reserves } = historyOf(chronicle, BTC.pair, venue.venueTime);
  expect(reserves).toMatchObject([{ side: 'buy' }]);
});
