import {
  demandUnheld,
  JournalHeld,
  type JournalLock,
  type Locked,
  lockJournal,
} from '../../storage/journal/journal-lock.js';
import { shortageToStart } from '../../storage/journal/journal-space.js';
import type { Machine } from '../machine.js';
import { daemonLockPath } from './end-daemon.js';

export interface DaemonLock {
  /** The disk has too little room: this life only cancels, and may have no lock. */
  readonly shortage: string | undefined;
  /** False while there was no room for one. */
  readonly isHeld: boolean;
  /** Writes the one that there was no room for. @throws JournalHeld when another daemon has this state by now */
  take(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Makes this process the one daemon of a state. On a disk without room for that it looks whether there is another one, and
 * goes on: what rests at the venue must be canceled.
 *
 * @throws JournalHeld when another daemon has this state
 */
export async function lockDaemon(machine: Machine, state: string): Promise<DaemonLock> {
  const { files, processes, disk, log } = machine;
  const path = daemonLockPath(state);
  const locked = daemonOf(state);
  try {
    const lock = await lockJournal(files, processes, path, locked);
    // It may have had the room of the one that a daemon left which died, and nothing else has any.
    const shortage = await shortageToStart(disk, state).catch(() => undefined);
    return lockOf(machine, state, { shortage, lock });
  } catch (error) {
    if (error instanceof JournalHeld) throw error;
    const shortage = await shortageToStart(disk, state).catch(() => undefined);
    if (shortage === undefined)
      throw new Error(`${path} must be written, received ${String(error)}`, { cause: error });
    if ((await files.stat(path)) !== undefined) await demandUnheld(files, processes, path, locked);
    // The lock of a daemon that died is gone by now, and its room is free.
    const lock = await lockJournal(files, processes, path, locked).catch((reason: unknown) => {
      if (reason instanceof JournalHeld) throw reason;
      return undefined;
    });
    if (lock === undefined)
      log.error('the disk is full: the daemon has no lock, cancels orders and places none', {
        path,
        shortage,
      });
    return lockOf(machine, state, { shortage, lock });
  }
}

/** In the words of whoever has a configuration: the folder of the lock is none that it names. */
export function daemonOf(state: string): Locked {
  return { place: state, holder: 'daemon' };
}

function lockOf(
  { files, processes }: Machine,
  state: string,
  { shortage, lock }: { readonly shortage: string | undefined; readonly lock: JournalLock | undefined },
): DaemonLock {
  let held = lock;
  return {
    shortage,
    get isHeld() {
      return held !== undefined;
    },
    async take() {
      held ??= await lockJournal(files, processes, daemonLockPath(state), daemonOf(state));
    },
    async release() {
      await held?.release();
    },
  };
}
