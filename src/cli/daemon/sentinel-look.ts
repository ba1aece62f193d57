/** What a sentinel sees of the daemon on a state. */
import type { DaemonStatus } from '../../daemon/daemon-api.js';
import { readDaemonFile } from '../../daemon/daemon-file.js';
import type { Sight } from '../../daemon/sentinel/judge.js';
import { type LockOwners, lockOwners } from '../../storage/journal/journal-lock.js';
import type { Machine } from '../machine.js';
import { askDaemon, STATUS_MS } from './daemon-call.js';
import { daemonLockPath, runningDaemon } from './end-daemon.js';

/**
 * Looks from the outside. Who ends in order removes its file and lets go of its lock; what a dead process left of either says
 * that it died, and a lock is there from the start on. A daemon with neither, as one that began on a full disk, is
 * remembered: once it is silent or gone, nothing on the disk says that it ever ran.
 */
export class SentinelLook {
  readonly #machine: Machine;
  readonly #state: string;
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
      // Whoever took the lock did so later than whoever wrote the file, if that was not the same.
      const dead = (await this.#lockOwners())?.dead ?? file?.process;
      // Of a process that ran where nobody here can look nothing is known.
      return dead !== undefined && processes.stateOf(dead) === 'gone'
        ? { kind: 'dead', process: dead }
        : remembered;
    }
    // Looked for before it is asked: it listens after it took its lock, and no more before it lets go of it.
    const owners = await this.#lockOwners();
    const answer = await askDaemon(this.#state, 'GET', '/api/status', { timeoutMs: STATUS_MS });
    if (answer?.status !== 200) return { kind: 'silent', process };
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
