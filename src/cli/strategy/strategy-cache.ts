/** Where strategy bundles are kept. They are executed, so they must be in a folder of the user's own, or in memory. */
import { join } from 'node:path';
import type { LoadOptions } from '../../loader/load-strategy.js';
import { isMainThread } from '../../platform/worker-thread.js';
import type { Machine } from '../machine.js';
import { say } from '../view/output.js';

/** Whether the process has already reported an unusable cache. */
let isTold = false;

/** An unusable cache is reported, but does not prevent the run. */
export function strategyCache({
  environment,
}: Pick<Machine, 'environment'>): Pick<LoadOptions, 'cacheDirectory' | 'onNoCache'> {
  const cacheDirectory = cacheFolder(environment);
  return { cacheDirectory, onNoCache: (reason) => tell(cacheDirectory, reason) };
}

function cacheFolder({ XDG_CACHE_HOME: cache, HOME: home }: Machine['environment']): string | undefined {
  if (cache !== undefined && cache !== '') return join(cache, 'tickwright', 'strategies');
  if (home !== undefined && home !== '') return join(home, '.cache', 'tickwright', 'strategies');
  return undefined;
}

function tell(folder: string | undefined, reason: unknown): void {
  // Only the main thread reports it, so that threads do not repeat it.
  if (isTold || !isMainThread()) return;
  isTold = true;
  const text = reason instanceof Error ? reason.message : String(reason);
  void say(
    `strategies are kept in memory, not in ${folder ?? 'a cache'}: ${text} (XDG_CACHE_HOME names another folder)`,
  );
}
