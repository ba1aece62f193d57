/** Where the bundles of strategies are kept. They are code that is run: in a folder of the user's own, or in memory. */
import { join } from 'node:path';
import type { LoadOptions } from '../../loader/load-strategy.js';
import { isMainThread } from '../../platform/worker-thread.js';
import type { Machine } from '../machine.js';
import { say } from '../view/output.js';

/** Once for each process is enough. */
let isTold = false;

/** A cache that cannot be used is no reason not to run. */
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
  // A thread begins with what its process has told already.
  if (isTold || !isMainThread()) return;
  isTold = true;
  const text = reason instanceof Error ? reason.message : String(reason);
  void say(
    `strategies are kept in memory, not in ${folder ?? 'a cache'}: ${text} (XDG_CACHE_HOME names another folder)`,
  );
}
