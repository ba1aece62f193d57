import type { Log } from '../../ports/log.js';
import { reasonText } from '../report-error.js';

/**
 * Runs each step, in order, whatever became of those before it: a lock that is not given back would keep the next start
 * out. What a step fails with is logged; it is not thrown, since it would hide why all this ends.
 */
export async function endAll(
  log: Pick<Log, 'error'>,
  steps: readonly (() => void | Promise<unknown>)[],
): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.error('a part of the end failed', { reason: reasonText(error) });
    }
  }
}
