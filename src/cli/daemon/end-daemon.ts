/** Ends a daemon from another process: asks it first, then kills it. */
import { join } from 'node:path';
import type { DaemonStatus, StopLevel } from '../../daemon/daemon-api.js';
import { readDaemonFile, removeDaemonFile } from '../../daemon/daemon-file.js';
import { userName } from '../../platform/process.js';
import { processId } from '../../platform/processes.js';
import { signalProcess } from '../../platform/signal-process.js';
import { sleep } from '../../ports/clock.js';
import { clearDeadLocks, lockOwners } from '../../storage/journal/journal-lock.js';
import type { Machine } from '../machine.js';
import { askDaemon, type DaemonAnswer, refusalOf } from './daemon-call.js';

export type EndOfDaemon = 'none' | 'ended' | 'killed';

const LOOK_MS = 50;
const ASK_MS = 5_000;
const ANSWER_MS = 1_000;
/** How long a killed process may take to be gone, ms: a disk that stalls holds up the write that it is in. */
const KILLED_MS = 30_000;

/** The lock that a daemon holds on its state folder while it lives. */
export function daemonLockPath(state: string): string {
  return join(state, 'lock');
}

/**
 * The name of the process that runs on this state folder, ready or not; `undefined`: none. A daemon that started on a
 * full disk has neither file nor lock, and is found by asking its socket.
 */
export async function runningDaemon(
  { files, processes }: Machine,
  state: string,
): Promise<string | undefined> {
  const file = await readDaemonFile(files, state).catch(() => undefined);
  if (file !== undefined && processes.stateOf(file.process) === 'alive') return file.process;
  const owners = await lockOwners(files, processes, daemonLockPath(state)).catch(() => undefined);
  return owners?.holder ?? (await answeringDaemon(processes, state));
}

/** Removes the file and locks of a dead daemon, once a sentinel has nothing more to do about it. */
export async function forgetDeadDaemon({ files, processes }: Machine, state: string): Promise<void> {
  await removeDaemonFile(files, state);
  await clearDeadLocks(files, processes, daemonLockPath(state)).catch(() => undefined);
}

/** A daemon that answers but cannot be seen from here, such as one in another container, must not be ended from here. */
async function answeringDaemon(processes: Machine['processes'], state: string): Promise<string | undefined> {
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: ANSWER_MS });
  const { process } = (answer?.status === 200 ? answer.document : {}) as Partial<DaemonStatus>;
  return typeof process === 'string' && processes.stateOf(process) === 'alive' ? process : undefined;
}

export interface EndOptions {
  /**
   * How long an orderly end may take before the process is killed, ms. 0 kills at once, which loses nothing: everything
   * that it did is in its journal.
   */
  readonly patienceMs: number;
  /** End this process only; if another one runs, leave it alone. */
  readonly only?: string | undefined;
  /** How it is to end, unless it is killed at once. */
  readonly asks?: EndWords | undefined;
}

export interface EndWords {
  /** With `flat` the daemon cancels, and the asker closes what is held then. */
  readonly level: StopLevel;
  readonly reason: string;
}

/**
 * Resolves when no daemon of this state folder runs any more.
 *
 * @throws UsageError when it is asked to leave its orders, and is ending otherwise already
 */
export async function endDaemon(
  machine: Machine,
  state: string,
  { patienceMs, only, asks }: EndOptions,
): Promise<EndOfDaemon> {
  const { processes, clock, timers } = machine;
  const process = await runningDaemon(machine, state);
  if (process === undefined || (only !== undefined && process !== only)) return 'none';
  const pid = processId(process);
  const gone = async (deadline: number): Promise<boolean> => {
    while (processes.stateOf(process) === 'alive') {
      if (clock.monotonic() >= deadline) return false;
      await sleep(timers, LOOK_MS);
    }
    return true;
  };
  if (patienceMs > 0) {
    const deadline = clock.monotonic() + patienceMs;
    const answer = asks && (await tellToEnd(state, asks, Math.min(ASK_MS, patienceMs)));
    const isTold = answer?.status === 200;
    // It is ending otherwise. To kill it for that would leave half of its work undone.
    if (answer?.status === 400 && asks?.level === 'leave') throw refusalOf(answer);
    // A signal cannot say that orders are to stay. A daemon that is killed leaves them at the venue as well.
    const isAsked = isTold || (asks?.level !== 'leave' && signalProcess(pid, 'SIGTERM'));
    if (await gone(isAsked ? deadline : clock.monotonic())) return 'ended';
  }
  signalProcess(pid, 'SIGKILL');
  await gone(clock.monotonic() + KILLED_MS);
  return 'killed';
}

/** Over its socket, since a signal says neither who asks nor why. `undefined` when the daemon does not answer. */
function tellToEnd(
  state: string,
  { level, reason }: EndWords,
  timeoutMs: number,
): Promise<DaemonAnswer | undefined> {
  const how = level === 'flat' ? { level: 'cancel', thenFlat: true } : { level };
  const body = { ...how, reason, by: userName() };
  return askDaemon(state, 'POST', '/api/stop', { body, timeoutMs });
}
