/** What the daemon itself is halted with, beside what is latched in its sessions: all that came since the last resume. */
import { type Halt, strongestOf, withHalt } from '../model/halt-level.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { DaemonOptions } from './daemon-options.js';

export interface KeptHaltsOptions extends Pick<DaemonOptions, 'halts' | 'keepHalts'> {
  /** It cannot be written down: halted it is all the same, and a new start may not know. */
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

  /** Of the strongest; `undefined` without any. */
  get level(): HaltLevel | undefined {
    return strongestOf(this.#all)?.level;
  }

  /** What has come so far is written down by then, or it is known why not. Never rejects. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** Why a new start may not know of what has come last; `undefined` when it will. */
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

  /** One after the other: the newest word stands. */
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
