import type { Log } from '../../ports/log.js';
import { reasonText } from '../report-error.js';

/**
 * Runs all steps in order, even after one of them failed: a lock that is not released would prevent the next start.
 * Errors are logged and not thrown, because they would hide the error that caused this end.
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
