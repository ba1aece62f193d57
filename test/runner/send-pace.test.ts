/** How fast orders leave by our own clock, whatever the venue's clock says. */
import { describe, expect, it, test } from 'vitest';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { SendPace } from '../../src/runner/send-pace.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { holdPosition, orders, type Want } from '../../src/strategy/want.js';
import { world } from '../simulation/world/desk.js';
import { MemoryJournal } from '../support/restart-desk.js';
import { VirtualTime } from '../support/virtual-time.js';
import { startLive } from './live-desk.js';

test.each([
  60_000, 3_600_000,
])('a venue clock that is set ahead by %i ms frees no limit of how many orders may leave', async (offsetMs) => {
  const effect = { kind: 'clock-skew', offsetMs } as const;
  const when = { window: { fromMs: 20_000, untilMs: 200_000 } };
  const at = world({ faults: { seed: 1, rules: [{ name: 'set ahead', place: {}, when, effect }] } });
  let lots = 1;
  const strategy = defineStrategy({
    name: 'restless',
    create: () => ({ onTrade: () => holdPosition(String(lots / 1_000)) }),
  });
  const limits = { maxOrdersPerMinute: 3 };
  const live = await startLive(at, new MemoryJournal(), { name: 'one', strategy, limits });
  const sentAt: number[] = [];
  live.chronicle.hear(({ kind }) => {
    if (kind === 'prep') sentAt.push(at.scheduler.now);
  });
  for (lots = 2; lots < 60; lots++) await at.scheduler.runUntil(at.scheduler.now + 2_000);
  // Before the clock was set, and again when a minute had gone by.
  expect(sentAt.length).toBeGreaterThan(3);
  const counts = sentAt.map(
    (time) => sentAt.filter((other) => other >= time && other < time + 54_500).length,
  );
  expect(Math.max(...counts)).toBe(3);
  await live.stop();
}, 30_000);

test('a whole grid that would leave too fast is put off for a second, and an exit is not', async () => {
  const effect = { kind: 'clock-skew', offsetMs: 60_000 } as const;
  const when = { window: { fromMs: 20_000, untilMs: 200_000 } };
  const at = world({ faults: { seed: 1, rules: [{ name: 'set ahead', place: {}, when, effect }] } });
  const grid = (count: number, top: number) =>
    orders(
      Array.from({ length: count }, (_, i) => ({
        side: 'buy' as const,
        quantity: '0.001',
        price: String(top - i),
        postOnly: true,
      })),
    );
  let want = (): Want => holdPosition('0.005');
  const strategy = defineStrategy({ name: 'gridder', create: () => ({ onTrade: () => want() }) });
  // The venue would be called broken after as many rejections.
  const limits = { maxOrdersPerMinute: 20, rejectPause: { rejected: 5, of: 10, forMs: 60_000 } };
  const live = await startLive(at, new MemoryJournal(), { name: 'one', strategy, limits });
  const sent: { readonly at: number; readonly reduceOnly: boolean }[] = [];
  live.chronicle.hear((record) => {
    if (record.kind === 'prep') sent.push({ at: at.scheduler.now, reduceOnly: record.terms.reduceOnly });
  });
  await at.scheduler.runUntil(10_000);
  want = () => grid(19, 59_000);
  await at.scheduler.runUntil(25_000);
  const before = sent.length;
  want = () => grid(12, 58_000);
  await at.scheduler.runUntil(30_000);
  const [rejected] = live.bot.core.reasons.rejected;
  expect(rejected?.first).toMatch(/^not sent: max-orders-per-minute: .* by our own clock/);
  expect(rejected?.count).toBeGreaterThan(5);
  expect(sent).toHaveLength(before);
  expect(live.bot.core.risk.rejections.pausedUntil).toBe(Number.NEGATIVE_INFINITY);
  want = () => holdPosition('0');
  await at.scheduler.runUntil(33_000);
  expect(sent.slice(before)).toMatchObject([{ reduceOnly: true }]);
  await live.stop();
}, 30_000);

describe('the pace of sending by our own clock', () => {
  function paceOf(most: { minute?: number; hour?: number }, earlier: readonly number[] = [], rate = 1) {
    const time = new VirtualTime();
    const limits = { ...NO_LIMITS, maxOrdersPerMinute: most.minute, maxOrdersPerHour: most.hour };
    const venueClock = { steadyRate: () => rate };
    const parts = { limits, clock: time.clock, venueClock, eventsEveryMs: 500, earlier };
    return { time, pace: new SendPace(parts) };
  }

  it('has nothing to say before an order too many is tried', async () => {
    const { time, pace } = paceOf({ minute: 2 });
    for (let i = 0; i < 2; i++) {
      expect(pace.refusal()).toBeUndefined();
      pace.sent();
      await time.advance(1_000);
    }
    expect(pace.reason).toBeUndefined();
    const words = 'max-orders-per-minute: orders in 54.5 s by our own clock must be at most 2, received 3';
    expect(pace.refusal()).toBe(words);
    expect(pace.reason).toBe(words);
  });

  it('lets orders leave again a minute after the first, less what events lag behind', async () => {
    const { time, pace } = paceOf({ minute: 2 });
    pace.sent();
    pace.sent();
    await time.advance(54_499);
    expect(pace.refusal()).toBeDefined();
    await time.advance(1);
    expect(pace.reason).toBeUndefined();
    expect(pace.refusal()).toBeUndefined();
  });

  it('counts what earlier sessions sent, by the age that the venue gives it', async () => {
    const { time, pace } = paceOf({ hour: 2 }, [1_000, 10_000]);
    expect(pace.refusal()).toMatch(
      /^max-orders-per-hour: orders in 3594.5 s by our own clock must be at most 2, received 3$/,
    );
    await time.advance(3_600_000 - 5_500 - 10_000 - 1);
    expect(pace.refusal()).toBeDefined();
    await time.advance(1);
    expect(pace.refusal()).toBeUndefined();
  });

  it('goes by the minutes of a venue that runs faster', async () => {
    const { time, pace } = paceOf({ minute: 1 }, [], 4);
    pace.sent();
    await time.advance(9_499);
    expect(pace.refusal()).toBeDefined();
    await time.advance(1);
    expect(pace.refusal()).toBeUndefined();
  });

  it('has no bounds where there are no limits', () => {
    const { pace } = paceOf({});
    for (let i = 0; i < 1_000; i++) pace.sent();
    expect(pace.refusal()).toBeUndefined();
  });
});
