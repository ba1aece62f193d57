import type { Files } from '../../ports/files.js';
import { clearBlocked, readBlocked, writeBlocked } from '../blocked-file.js';
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
  /** Whom the note is about. */
  #noted: ControlStrategy | undefined;
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
    this.#noted = strategy;
    const blocked = { strategy: name, sha256, at: wall(), silentMs: Math.round(silentMs) };
    this.#write(async () => {
      if (!(await this.#isEnded(strategy)))
        await writeBlocked(files, folder, { formatVersion: 1, ...blocked });
    });
  }

  /** The engine's heart beats. */
  beats(): void {
    const noted = this.#noted;
    if (noted === undefined) return;
    this.#noted = undefined;
    this.#write(async () => {
      if (!(await this.#isEnded(noted))) await clearBlocked(this.#options.files, noted.folder);
    });
  }

  /** The engine has noted that the strategy ended the daemon by an error: that stays, although its heart still beats. */
  async #isEnded({ sha256, folder }: ControlStrategy): Promise<boolean> {
    return (await readBlocked(this.#options.files, folder, sha256))?.error !== undefined;
  }

  #write(work: () => Promise<unknown>): void {
    this.#writing = this.#writing.then(work).then(
      () => undefined,
      (error: unknown) =>
        this.#options.onProblem(`which strategy hangs cannot be written down: ${String(error)}`),
    );
  }
}
