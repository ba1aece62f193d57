/** Makes a process the only sentinel of a state folder. */
import { join } from 'node:path';
import { sleep } from '../../ports/clock.js';
import { isDiskFull } from '../../storage/disk-full.js';
import {
  demandUnheld,
  JournalHeld,
  type JournalLock,
  lockJournal,
} from '../../storage/journal/journal-lock.js';
import type { Machine } from '../machine.js';
import { LateWriting } from './late-writing.js';

const AGAIN_MS = 1_000;
/** Number of attempts to get the lock while the sentinel of an earlier daemon ends. */
const HELD_TRIES = 20;

export interface SentinelLockOptions {
  readonly state: string;
  /** A sentinel that is started together with a daemon waits for the sentinel of the daemon before. */
  readonly waits: boolean;
  /** Another sentinel has taken the state folder while this one had no lock. */
  readonly onHeld: (error: JournalHeld) => void;
}

/**
 * On a disk without room for the lock it resolves all the same, if no other sentinel runs: a daemon that begins on such a
 * disk is watched, too. The lock is then taken as soon as there is room.
 *
 * @throws JournalHeld when another sentinel watches this state
 */
export async function lockSentinel(
  machine: Machine,
  { state, waits, onHeld }: SentinelLockOptions,
): Promise<Pick<JournalLock, 'release'>> {
  const { files, processes, timers, log } = machine;
  const path = join(state, 'sentinel');
  const locked = { place: state, holder: 'sentinel' };
  let held: JournalLock | undefined;
  const take = async () => {
    held ??= await lockJournal(files, processes, path, locked);
  };
  const takeIfRoom = async () => {
    try {
      await take();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      if ((await files.stat(path)) !== undefined) await demandUnheld(files, processes, path, locked);
    }
  };
  for (let tries = 1; ; tries++) {
    try {
      await takeIfRoom();
      break;
    } catch (error) {
      if (!(error instanceof JournalHeld) || !waits || tries >= HELD_TRIES) throw error;
      await sleep(timers, AGAIN_MS);
    }
  }
  const late = new LateWriting({ timers, log });
  if (held === undefined) {
    log.error('sentinel: the disk is full: it watches without a lock', { path });
    late.add({ what: 'the lock of the sentinel', write: take, isOver });
  }
  return {
    async release() {
      await late.stop();
      await held?.release();
    },
  };

  function isOver(error: unknown): boolean {
    if (!(error instanceof JournalHeld)) return false;
    onHeld(error);
    return true;
  }
}
