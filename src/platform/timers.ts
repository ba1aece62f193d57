import type { CancelTimer, Timers } from '../ports/clock.js';

/** setTimeout fires at once beyond 2^31 − 1 ms, so that longer waits are made of days. */
const LONGEST_STEP_MS = 86_400_000;

/** Timers that keep the process alive while they wait. */
export const systemTimers: Timers = nodeTimers(true);

/** Timers for work that is not worth staying alive for: watchdogs, expiry of spare connections. */
export const backgroundTimers: Timers = nodeTimers(false);

function nodeTimers(keepAlive: boolean): Timers {
  return {
    after(ms, task) {
      const due = performance.now() + ms;
      let handle: NodeJS.Timeout;
      arm();
      return () => clearTimeout(handle);

      function arm(): void {
        // Rounded up: Node would cut the fraction and come early.
        const step = Math.min(Math.max(0, Math.ceil(due - performance.now())), LONGEST_STEP_MS);
        handle = setTimeout(fire, step);
        if (!keepAlive) handle.unref();
      }

      function fire(): void {
        // The loop's own clock is cached and may be a little ahead: "at least ms" is kept by looking again.
        if (performance.now() < due) arm();
        else task();
      }
    },
    soon(task): CancelTimer {
      const handle = setImmediate(task);
      if (!keepAlive) handle.unref();
      return () => clearImmediate(handle);
    },
  };
}
