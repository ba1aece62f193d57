/** The halts of the daemon as a whole since the last resume. Halts of single sessions are kept by these. */
import { type Halt, strongestOf, withHalt } from '../model/halt-level.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { DaemonOptions } from './daemon-options.js';

export interface KeptHaltsOptions extends Pick<DaemonOptions, 'halts' | 'keepHalts'> {
  /** The halts cannot be written down. The daemon is halted all the same, but its next start may not know of it. */
  readonly onUnwritten: (text: string, error: unknown) => void;
}

export class KeptHalts {
  readonly #options: KeptHaltsOptions;
  #all: readonly Halt[];
  #written: Promise<void> = Promise.resolve();
  #unwritten: string | undefined;

  constructor(options: KeptHaltsOptions) {
    this.#options = options;
    this.#all = (options.halts ?? []).reduce<readonly Halt[]>(withHalt, []);
  }

  get all(): readonly Halt[] {
    return this.#all;
  }

  /** The level of the strongest halt; `undefined` when there is none. */
  get level(): HaltLevel | undefined {
    return strongestOf(this.#all)?.level;
  }

  /** Resolves when all changes so far have been written, or have failed to be; see `unwritten`. Never rejects. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** Why the next start may not know of the last change; `undefined` when it will. */
  get unwritten(): string | undefined {
    return this.#unwritten;
  }

  add(halt: Halt): void {
    this.#all = withHalt(this.#all, halt);
    this.#write();
  }

  clear(): void {
    this.#all = [];
    this.#write();
  }

  /** Writes are queued one after the other, so that the last state is the one that stays in the file. */
  #write(): void {
    const { keepHalts, onUnwritten } = this.#options;
    if (keepHalts === undefined) return;
    this.#written = this.#written
      .then(() => keepHalts(this.#all))
      .then(() => {
        this.#unwritten = undefined;
      })
      .catch((error: unknown) => {
        this.#unwritten = `what it is halted with cannot be written down, the next start may not know it: ${String(error)}`;
        onUnwritten(this.#unwritten, error);
      });
  }
}
