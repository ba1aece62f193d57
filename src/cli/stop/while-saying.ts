import type { CancelTimer } from '../../ports/clock.js';
import type { Machine } from '../machine.js';
import { mostLengthText } from '../view/moment.js';
import { say } from '../view/output.js';

const FIRST_MS = 5_000;
const EVERY_MS = 15_000;
const LEAST_SAID_MS = 1_000;

/** Runs work that may take up to `mostMs`, and says from time to time that it goes on: silence would look like a hang. */
export async function whileSaying<T>(
  { clock, timers }: Pick<Machine, 'clock' | 'timers'>,
  { what, mostMs }: { readonly what: string; readonly mostMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const deadline = clock.monotonic() + mostMs;
  let cancel: CancelTimer = () => undefined;
  const sayIn = (ms: number) => {
    cancel = timers.after(ms, () => {
      const leftMs = deadline - clock.monotonic();
      void say(leftMs < LEAST_SAID_MS ? what : `${what}; it goes on for ${mostLengthText(leftMs)} at most`);
      sayIn(EVERY_MS);
    });
  };
  sayIn(FIRST_MS);
  try {
    return await work();
  } finally {
    cancel();
  }
}
