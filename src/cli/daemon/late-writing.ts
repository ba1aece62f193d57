/** Writes files for which a full disk had no room, as soon as it has. */
import type { CancelTimer, Timers } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';

export interface Unwritten {
  /** Names it in messages: `the lock`. */
  readonly what: string;
  readonly write: () => Promise<void>;
  /** Whether the error is final, so that writing must not be tried again. */
  readonly isOver?: ((error: unknown) => boolean) | undefined;
}

const AGAIN_MS = 2_000;

export class LateWriting {
  readonly #timers: Timers;
  readonly #log: Log;
  readonly #cancels = new Set<CancelTimer>();
  #isStopped = false;
  #writing: Promise<void> = Promise.resolve();

  constructor({ timers, log }: { readonly timers: Timers; readonly log: Log }) {
    this.#timers = timers;
    this.#log = log;
  }

  /** Tries every two seconds until it is written. */
  add(unwritten: Unwritten): void {
    if (this.#isStopped) return;
    const cancel = this.#timers.after(AGAIN_MS, () => {
      this.#cancels.delete(cancel);
      this.#writing = this.#writing.then(() => this.#try(unwritten));
    });
    this.#cancels.add(cancel);
  }

  /**
   * Resolves when nothing is being written any more. The orderly end removes the daemon's files, so none may appear after
   * it.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
    await this.#writing;
  }

  async #try(unwritten: Unwritten): Promise<void> {
    if (this.#isStopped) return;
    const { what, write, isOver } = unwritten;
    try {
      await write();
      this.#log.warn(`there is room on the disk again: ${what} is written`, {});
    } catch (error) {
      if (isOver?.(error) !== true) this.add(unwritten);
    }
  }
}
