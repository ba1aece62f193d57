/** How another process ends a daemon: asked first, then killed. */
import { join } from 'node:path';
import type { DaemonStatus } from '../../daemon/daemon-api.js';
import { readDaemonFile, removeDaemonFile } from '../../daemon/daemon-file.js';
import { processId } from '../../platform/processes.js';
import { signalProcess } from '../../platform/signal-process.js';
import { sleep } from '../../ports/clock.js';
import { clearDeadLocks, lockOwners } from '../../storage/journal/journal-lock.js';
import type { Machine } from '../machine.js';
import { askDaemon } from './daemon-call.js';

export type EndOfDaemon = 'none' | 'ended' | 'killed';

const LOOK_MS = 50;
const ASK_MS = 5_000;
const ANSWER_MS = 1_000;

/** The lock that a daemon holds on its state for as long as it lives. */
export function daemonLockPath(state: string): string {
  return join(state, 'lock');
}

/**
 * The name of the process that runs on this state, ready or not. One that started on a full disk has neither file nor
 * lock: it is found by what it answers itself.
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

/** What a daemon that died has left to say so is gone: nothing is left for a sentinel to do. */
export async function forgetDeadDaemon({ files, processes }: Machine, state: string): Promise<void> {
  await removeDaemonFile(files, state);
  await clearDeadLocks(files, processes, daemonLockPath(state)).catch(() => undefined);
}

/** Whoever answers where none of this machine can look, as in another container, is nobody's to end. */
async function answeringDaemon(processes: Machine['processes'], state: string): Promise<string | undefined> {
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: ANSWER_MS });
  const { process } = (answer?.status === 200 ? answer.document : {}) as Partial<DaemonStatus>;
  return typeof process === 'string' && processes.stateOf(process) === 'alive' ? process : undefined;
}

export interface EndOptions {
  /** How long it may take over an orderly end before it is killed; 0 kills at once, which loses nothing: what it did is in its journal. */
  readonly patienceMs: number;
  /** No other process than this. */
  readonly only?: string | undefined;
  /** Its orders stay: it must be asked by its socket, since a signal only says that it is to end. */
  readonly leaves?: { readonly reason: string } | undefined;
}

/** Resolves when the daemon of this state runs no more. */
export async function endDaemon(
  machine: Machine,
  state: string,
  { patienceMs, only, leaves }: EndOptions,
): Promise<EndOfDaemon> {
  const { processes, clock, timers } = machine;
  const process = await runningDaemon(machine, state);
  if (process === undefined || (only !== undefined && process !== only)) return 'none';
  const pid = processId(process);
  const gone = async (ms: number): Promise<boolean> => {
    const deadline = clock.monotonic() + ms;
    while (processes.stateOf(process) === 'alive') {
      if (clock.monotonic() >= deadline) return false;
      await sleep(timers, LOOK_MS);
    }
    return true;
  };
  if (patienceMs > 0) {
    const isAsked = leaves === undefined ? signalProcess(pid, 'SIGTERM') : await askToLeave(state, leaves);
    if (isAsked && (await gone(patienceMs))) return 'ended';
  }
  signalProcess(pid, 'SIGKILL');
  await gone(5_000);
  return 'killed';
}

/** False when it does not answer: then it is killed, which leaves its orders too. */
async function askToLeave(state: string, { reason }: { readonly reason: string }): Promise<boolean> {
  const body = { level: 'leave', reason };
  const answer = await askDaemon(state, 'POST', '/api/stop', { body, timeoutMs: ASK_MS });
  return answer?.status === 200;
}
