import { expect, test } from 'vitest';
import { tickwright } from '../../src/client/profile.js';
import { createVenueClock } from '../../src/client/venue-clock.js';
import { LateHorizon } from '../../src/runner/stop/late-horizon.js';
import { VirtualTime } from '../support/virtual-time.js';

test('what was sent is not over by an estimate that runs on while the clock stands still', async () => {
  const time = new VirtualTime();
  const origin = 1_700_000_000_000;
  let still: number | undefined;
  const clock = createVenueClock({
    mode: 'follow',
    clock: time.clock,
    timers: time.timers,
    ask: async () => ({ venueTime: still ?? origin + time.now, sentAt: time.now, receivedAt: time.now }),
  });
  const ask = async () => {
    const asked = clock.sync();
    await time.advance(100);
    await asked;
  };
  await ask();
  const horizon = new LateHorizon(tickwright, time.clock, clock);
  horizon.sent();
  await time.advance(500);
  still = origin + time.now;
  await time.advance(8_000);
  expect([horizon.isPast, horizon.waitsForVenue]).toEqual([false, true]);
  await ask();
  expect(horizon.isPast).toBe(false);
  still = undefined;
  await ask();
  expect(horizon.isPast).toBe(true);
});

test('what was given longer is over later, and nothing that is sent after it makes that sooner', async () => {
  const time = new VirtualTime();
  let at = 1_000_000;
  const clock = { now: () => at, answered: () => at, steadyRate: () => 1 };
  const horizon = new LateHorizon(tickwright, time.clock, clock);
  horizon.sent(1_300_000);
  horizon.sent(1_005_000);
  await time.advance(60_000);
  at = 1_300_000;
  expect(horizon.isPast).toBe(false);
  at = 1_300_001;
  expect(horizon.isPast).toBe(true);
});
