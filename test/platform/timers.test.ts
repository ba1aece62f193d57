import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { backgroundTimers, systemTimers } from '../../src/platform/timers.js';
import { sleep } from '../../src/ports/clock.js';

afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ['timers', systemTimers],
  ['background timers', backgroundTimers],
])('%s', (_, timers) => {
  it('never come early', async () => {
    for (const ms of [0, 0.4, 1, 1.6, 5, 7.3]) {
      const startedAt = systemClock.monotonic();
      await new Promise<void>((resolve) => {
        // Something must keep the process alive while a background timer waits.
        const alive = setInterval(() => undefined, 1_000);
        timers.after(ms, () => {
          clearInterval(alive);
          resolve();
        });
      });
      expect(systemClock.monotonic() - startedAt).toBeGreaterThanOrEqual(ms);
    }
  });

  it('do not fire once they are cancelled, and cancelling twice is harmless', async () => {
    let fired = 0;
    const cancels = [timers.after(1, () => fired++), timers.soon(() => fired++)];
    for (const cancel of [...cancels, ...cancels]) cancel();
    await sleep(systemTimers, 5);
    expect(fired).toBe(0);
  });

  it('wait longer than one setTimeout can, and can be cancelled on the way', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const days = 60;
    const fired: number[] = [];
    timers.after(days * 86_400_000, () => fired.push(performance.now()));
    const cancel = timers.after(days * 86_400_000, () => fired.push(-1));
    vi.advanceTimersByTime(days * 86_400_000 - 1);
    expect(fired).toEqual([]);
    cancel();
    vi.advanceTimersByTime(10);
    expect(fired).toHaveLength(1);
    expect(fired[0]).toBeGreaterThan(0);
  });
});

describe('sleep', () => {
  it('ends when its signal aborts', async () => {
    const abort = new AbortController();
    const asleep = sleep(systemTimers, 60_000, abort.signal);
    abort.abort(new Error('enough'));
    await expect(asleep).rejects.toThrow('enough');
    await expect(sleep(systemTimers, 60_000, abort.signal)).rejects.toThrow('enough');
  });
});
