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
  /**
   * Why the disk has too little room: this life only cancels orders, and may be without a lock. `undefined`: there is
   * room.
   */
  readonly shortage: string | undefined;
  /** False while the lock could not be written for lack of room. */
  readonly isHeld: boolean;
  /** Writes the missing lock. @throws JournalHeld when another daemon has taken the state folder */
  take(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Makes this process the only daemon of a state folder. If the disk has no room for the lock, it checks that no other
 * daemon runs and goes on without one, because orders at the venue have to be canceled.
 *
 * @throws JournalHeld when another daemon has this state folder
 */
export async function lockDaemon(machine: Machine, state: string): Promise<DaemonLock> {
  const { files, processes, disk, log } = machine;
  const path = daemonLockPath(state);
  const locked = daemonOf(state);
  try {
    const lock = await lockJournal(files, processes, path, locked);
    // The lock may have fitted only because a dead daemon's lock was removed: the disk can still be full.
    const shortage = await shortageToStart(disk, state).catch(() => undefined);
    return lockOf(machine, state, { shortage, lock });
  } catch (error) {
    if (error instanceof JournalHeld) throw error;
    const shortage = await shortageToStart(disk, state).catch(() => undefined);
    if (shortage === undefined)
      throw new Error(`${path} must be written, received ${String(error)}`, { cause: error });
    if ((await files.stat(path)) !== undefined) await demandUnheld(files, processes, path, locked);
    // `demandUnheld` has removed the lock of a dead daemon, which may have made room for ours.
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

/** How messages name the lock: by the state folder, since the lock's own folder is in no configuration. */
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
