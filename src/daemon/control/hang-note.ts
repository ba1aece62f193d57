import type { Files } from '../../ports/files.js';
import { clearBlocked, writeBlocked } from '../blocked-file.js';
import type { Heartbeat } from './heartbeat.js';
import type { ControlStrategy } from './messages.js';

export interface HangNoteOptions {
  readonly heartbeat: Pick<Heartbeat, 'atWork'>;
  readonly strategies: readonly ControlStrategy[];
  readonly files: Files;
  /** Epoch ms. */
  readonly wall: () => number;
  readonly onProblem: (text: string) => void;
}

/**
 * Writes down whose code the engine hangs in before the process is killed, by whomever: a sentinel, a supervisor or a person
 * leaves it no time for that, and the next start would run the same code again. When the engine goes on, the note is
 * taken back.
 */
export class HangNote {
  readonly #options: HangNoteOptions;
  /** Folder of the pair that the note is about. */
  #noted: string | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: HangNoteOptions) {
    this.#options = options;
  }

  /** The engine hangs, for so long, ms. Once for each hang. */
  hangs(silentMs: number): void {
    const { heartbeat, strategies, files, wall } = this.#options;
    const strategy = heartbeat.atWork === undefined ? undefined : strategies[heartbeat.atWork];
    if (this.#noted !== undefined || strategy === undefined) return;
    const { name, sha256, folder } = strategy;
    this.#noted = folder;
    const blocked = { strategy: name, sha256, at: wall(), silentMs: Math.round(silentMs) };
    this.#write(() => writeBlocked(files, folder, { formatVersion: 1, ...blocked }));
  }

  /** The engine's heart beats. */
  beats(): void {
    const folder = this.#noted;
    if (folder === undefined) return;
    this.#noted = undefined;
    this.#write(() => clearBlocked(this.#options.files, folder));
  }

  #write(work: () => Promise<unknown>): void {
    this.#writing = this.#writing.then(work).then(
      () => undefined,
      (error: unknown) =>
        this.#options.onProblem(`which strategy hangs cannot be written down: ${String(error)}`),
    );
  }
}
