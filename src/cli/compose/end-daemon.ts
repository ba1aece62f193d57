/** How another process ends a daemon: asked first, then killed. */
import { type DaemonFile, readDaemonFile } from '../../daemon/daemon-file.js';
import { signalProcess } from '../../platform/signal-process.js';
import { sleep } from '../../ports/clock.js';
import type { Machine } from '../machine.js';

export type EndOfDaemon = 'none' | 'ended' | 'killed';

const LOOK_MS = 50;

/**
 * Resolves when the daemon of this state runs no more. `patienceMs`: how long it may take over an orderly end before it
 * is killed; 0 kills at once, which loses nothing: what it did is in its journal.
 */
export async function endDaemon(machine: Machine, state: string, patienceMs: number): Promise<EndOfDaemon> {
  const { files, processes, clock, timers } = machine;
  const file = await readDaemonFile(files, state).catch(() => undefined);
  if (file === undefined || !isAlive(machine, file)) return 'none';
  const { pid, process } = file;
  const gone = async (ms: number): Promise<boolean> => {
    const deadline = clock.monotonic() + ms;
    while (processes.stateOf(process) === 'alive') {
      if (clock.monotonic() >= deadline) return false;
      await sleep(timers, LOOK_MS);
    }
    return true;
  };
  if (patienceMs > 0) {
    signalProcess(pid, 'SIGTERM');
    if (await gone(patienceMs)) return 'ended';
  }
  signalProcess(pid, 'SIGKILL');
  await gone(5_000);
  return 'killed';
}

function isAlive({ processes }: Machine, { process }: DaemonFile): boolean {
  return processes.stateOf(process) === 'alive';
}
