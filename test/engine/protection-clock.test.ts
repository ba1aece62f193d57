import { expect, it } from 'vitest';
import { ProtectionClock } from '../../src/engine/protection-clock.js';

it('adds up the time with a position, and the time, notional and longest stretch without a stop', () => {
  const clock = new ProtectionClock();
  clock.hold(1_000, 0, true);
  // Bare for 200 ms with 300, covered for 1 s, bare for 50 ms with 300 and 100 ms with 500.
  clock.hold(2_000, 300, true);
  clock.hold(2_200, 300, false);
  clock.hold(3_200, 300, true);
  clock.hold(3_250, 500, true);
  clock.hold(3_350, 0, true);
  expect(clock.at(9_000)).toEqual({
    heldMs: 1_350,
    bareMs: 350,
    longestBareMs: 200,
    bareNotionalSeconds: (200 * 300 + 50 * 300 + 100 * 500) / 1_000,
  });
});

it('counts what is still going on, and takes a step back in time for no time', () => {
  const clock = new ProtectionClock();
  clock.hold(1_000, 100, true);
  expect(clock.at(1_500)).toMatchObject({ heldMs: 500, bareMs: 500, longestBareMs: 500 });
  clock.hold(1_200, 100, true);
  expect(clock.at(1_600)).toMatchObject({ heldMs: 600, bareMs: 600, longestBareMs: 600 });
});
