import { join } from 'node:path';
import type { Daemon } from '../../daemon/daemon.js';
import { HaltFile, type HaltFileOptions } from '../../runner/halt-file.js';

/**
 * Watches the HALT file of the whole daemon, which exists beside those of single pairs. Resolves after a first look to a
 * function that ends the watch.
 */
export async function watchHaltFile(
  { files, timers, log }: Pick<HaltFileOptions, 'files' | 'timers' | 'log'>,
  state: string,
  daemon: Pick<Daemon, 'ownHalt' | 'halt'>,
): Promise<() => void> {
  const file = new HaltFile({
    files,
    timers,
    log,
    path: join(state, 'HALT'),
    // Only the daemon's own halt counts here: a halt of one pair must not hide the file from the other pairs.
    halted: () => daemon.ownHalt,
    halt: (level, reason, by) => daemon.halt(level, { reason, by }),
  });
  await file.watch();
  return () => file.stop();
}
