import { describe, expect, it } from 'vitest';
import { commandDelay } from '../../../src/venue/tape/command-delay.js';

const place = (intentId: number) => ({ kind: 'place' as const, intentId });
const cancel = (intentId: number) => ({ kind: 'cancel' as const, intentId });

describe('how long a command is on its way', () => {
  it('is the time of its kind, 50 ms unless said otherwise', () => {
    expect(commandDelay(undefined, '1')(place(1))).toBe(50);
    const delay = commandDelay({ placeMs: 20, cancelMs: 90 }, '1');
    expect([delay(place(1)), delay(cancel(1))]).toEqual([20, 90]);
  });

  it('has up to the jitter more, spread over all of it, by seed, intent and kind alone', () => {
    const latency = { placeMs: 50, cancelMs: 50, jitterMs: 9 };
    const [delay, again, other] = ['7', '7', '8'].map((seed) => commandDelay(latency, seed));
    const intents = Array.from({ length: 2_000 }, (_, i) => i + 1);
    const extra = intents.map((intentId) => (delay?.(place(intentId)) ?? 0) - 50);
    // Asked again, backwards, it is the same: no draw depends on the ones before it.
    const backwards = [...intents].reverse().map((intentId) => (again?.(place(intentId)) ?? 0) - 50);
    expect(backwards.reverse()).toEqual(extra);
    expect(intents.map((intentId) => (other?.(place(intentId)) ?? 0) - 50)).not.toEqual(extra);
    expect(intents.map((intentId) => (delay?.(cancel(intentId)) ?? 0) - 50)).not.toEqual(extra);
    // 200 of each of 0 to 9 are expected; 5 standard deviations are 67.
    for (let ms = 0; ms <= 9; ms++) {
      const count = extra.filter((each) => each === ms).length;
      expect(count).toBeGreaterThan(130);
      expect(count).toBeLessThan(270);
    }
  });

  it('cannot be anything but whole milliseconds of 0 or above', () => {
    expect(() => commandDelay({ jitterMs: -1 }, '1')).toThrow('latency.jitterMs must be whole milliseconds');
    expect(() => commandDelay({ placeMs: 0.5 }, '1')).toThrow('latency.placeMs must be whole milliseconds');
  });
});
