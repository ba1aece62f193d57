/**
 * The machine's clocks. Model, indicators, strategy, engine and
 * the venue core must not read them: their time is event time.
 */
export interface Clock {
  /** Wall time, ms since the epoch. For stamps only: it may jump. */
  wall(): number;
  /** Monotonic ms from an arbitrary origin, with fractions. All scheduling and ages are judged by it. */
  monotonic(): number;
}

/** Cancels what was scheduled; calling it twice is harmless. */
export type CancelTimer = () => void;

export interface Timers {
  /** Runs `task` once, at least `ms` from now. */
  after(ms: number, task: () => void): CancelTimer;
  /** Runs `task` in a later turn, after pending I/O had its chance. */
  soon(task: () => void): CancelTimer;
}

/** A promise that resolves after `ms`, or rejects with the signal's reason when it aborts first. */
export function sleep(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const cancel = timers.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    function onAbort() {
      cancel();
      reject(signal?.reason as Error);
    }
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
