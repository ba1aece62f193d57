/** What a sentinel sees of the daemon on a state folder. */
import type { DaemonStatus } from '../../daemon/daemon-api.js';
import { readDaemonFile } from '../../daemon/daemon-file.js';
import type { Sight } from '../../daemon/sentinel/judge.js';
import { type LockOwners, lockOwners } from '../../storage/journal/journal-lock.js';
import type { Machine } from '../machine.js';
import { askDaemon, STATUS_MS } from './daemon-call.js';
import { daemonLockPath, runningDaemon } from './end-daemon.js';

/**
 * Looks at a daemon from outside. A daemon that ends in order removes its file and releases its lock, which it holds from
 * its start on. If its process is gone and either of them is left, the daemon died. A daemon that began on a full disk
 * has neither, so this class remembers it: once it is silent or gone, nothing on the disk shows that it ever ran.
 */
export class SentinelLook {
  readonly #machine: Machine;
  readonly #state: string;
  /** The newest process that answered. */
  #answered: string | undefined;
  #unwritten: { readonly process: string; readonly isEnding: boolean } | undefined;

  constructor(machine: Machine, state: string) {
    this.#machine = machine;
    this.#state = state;
  }

  async look(): Promise<Sight> {
    const { files, processes } = this.#machine;
    const file = await readDaemonFile(files, this.#state).catch(() => undefined);
    const process = await runningDaemon(this.#machine, this.#state);
    if (process === undefined) {
      const remembered = this.#remembered();
      if (remembered.kind !== 'absent') return remembered;
      // If the lock and the file name different processes, the lock is the newer one: it is taken at the start, the file
      // written later.
      const dead = (await this.#lockOwners())?.dead ?? file?.process;
      // Only a process that is known to be gone counts as dead. Nothing is known of one in another container.
      return dead !== undefined && processes.stateOf(dead) === 'gone'
        ? { kind: 'dead', process: dead }
        : remembered;
    }
    // The locks are read before the daemon is asked, because it takes its lock before it listens and stops listening
    // before it releases it: an answer without a lock then means that the daemon has no lock.
    const owners = await this.#lockOwners();
    const answer = await askDaemon(this.#state, 'GET', '/api/status', { timeoutMs: STATUS_MS });
    if (answer?.status !== 200) {
      const isStarting = file?.process !== process && this.#answered !== process;
      return { kind: 'silent', process, ...(isStarting ? { isStarting } : {}) };
    }
    this.#answered = process;
    const status = answer.document as DaemonStatus;
    const isWritten = file?.process === process || owners === undefined || owners.holder === process;
    this.#unwritten = isWritten ? undefined : { process, isEnding: status.state === 'stopping' };
    return { kind: 'answer', process, status };
  }

  async #lockOwners(): Promise<LockOwners | undefined> {
    const { files, processes } = this.#machine;
    return lockOwners(files, processes, daemonLockPath(this.#state)).catch(() => undefined);
  }

  #remembered(): Sight {
    if (this.#unwritten === undefined) return { kind: 'absent' };
    const { process, isEnding } = this.#unwritten;
    switch (this.#machine.processes.stateOf(process)) {
      case 'alive':
        return { kind: 'silent', process };
      case 'gone':
        return isEnding ? { kind: 'absent' } : { kind: 'dead', process };
      case 'unknown':
        return { kind: 'absent' };
    }
  }
}
