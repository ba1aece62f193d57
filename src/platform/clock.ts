import type { Clock } from '../ports/clock.js';

/** The machine's clocks. On Linux the monotonic one stands still while the machine is suspended. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
};
