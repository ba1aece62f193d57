/** How fast orders leave by our own clock, whatever the venue's clock says. */
import { describe, expect, it, test } from 'vitest';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { SendPace } from '../../src/runner/send-pace.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { holdPosition } from '../../src/strategy/want.js';
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

describe('the pace of sending by our own clock', () => {
  function paceOf(most: { minute?: number; hour?: number }, sent: readonly number[] = [], rate = 1) {
    const time = new VirtualTime();
    const limits = { ...NO_LIMITS, maxOrdersPerMinute: most.minute, maxOrdersPerHour: most.hour };
    const venueClock = { now: () => 1_000_000 + time.now * rate, rate: () => rate };
    return { time, pace: new SendPace({ limits, clock: time.clock, venueClock, watchEveryMs: 500 }, sent) };
  }

  it('has nothing to say before an order too many is tried', async () => {
    const { time, pace } = paceOf({ minute: 2 });
    for (let i = 0; i < 2; i++) {
      expect(pace.refusal()).toBeUndefined();
      pace.sent();
      await time.advance(1_000);
    }
    expect(pace.reason).toBeUndefined();
    const words = 'max-orders-per-minute by our own clock: orders in 60 s must be at most 2, received 3';
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
    const { time, pace } = paceOf({ hour: 2 }, [999_000, 990_000]);
    expect(pace.refusal()).toMatch(/^max-orders-per-hour .* in 3600 s must be at most 2, received 3$/);
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
