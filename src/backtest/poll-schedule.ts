import { UsageError } from '../model/errors.js';
import { hashedUnit, seedOfText } from '../model/hashed-unit.js';

/** The times of a session's polls, fixed before it runs: the answer to each poll is there at its time. */
export interface PollSchedule {
  /** The first poll later than `time`, ms; Infinity when there is none. */
  after(time: number): number;
}

/**
 * A poll at every multiple of the interval since the epoch, each late by up to `jitterMs`, drawn from a hash of its
 * number.
 *
 * @throws UsageError for an interval that is not a whole number of ms or not above the jitter.
 */
export function pollsEvery(intervalMs: number, jitterMs = 0, seed = '1'): PollSchedule {
  if (!Number.isSafeInteger(intervalMs) || intervalMs < 1 || !(jitterMs >= 0 && jitterMs < intervalMs)) {
    throw new UsageError(
      'TICKWRIGHT_E_POLL',
      `polls must be whole milliseconds apart, 1 or more, and further than their jitter of ${jitterMs}, ` +
        `received ${intervalMs}`,
    );
  }
  const key = seedOfText(`polls ${seed}`);
  const at = (number: number) =>
    number * intervalMs + Math.floor(hashedUnit(key, number, 0) * (jitterMs + 1));
  return {
    after(time) {
      let number = Math.floor(time / intervalMs);
      while (at(number) <= time) number++;
      return at(number);
    },
  };
}

/** The polls that a recorded session made, in any order. */
export function pollsAt(times: Iterable<number>): PollSchedule {
  const sorted = Float64Array.from(new Set(times)).sort();
  return {
    after(time) {
      let low = 0;
      let high = sorted.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((sorted[middle] as number) <= time) low = middle + 1;
        else high = middle;
      }
      return sorted[low] ?? Number.POSITIVE_INFINITY;
    },
  };
}
