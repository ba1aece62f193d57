import { join } from 'node:path';
import type { Daemon } from '../../daemon/daemon.js';
import { HaltFile, type HaltFileOptions } from '../../runner/halt-file.js';

/** Beside each session's own HALT file: one for all of them. Looks once, then goes on; returns what ends it. */
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
    // A pair that is halted alone must not hide the file from the others.
    halted: () => daemon.ownHalt,
    halt: (level, reason, by) => daemon.halt(level, { reason, by }),
  });
  await file.watch();
  return () => file.stop();
}
