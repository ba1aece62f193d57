import { isStronger } from '../model/halt-level.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { CancelTimer, Timers } from '../ports/clock.js';
import { FileMissing, type Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';

export interface HaltFileOptions {
  readonly files: Files;
  readonly timers: Timers;
  readonly log: Log;
  readonly path: string;
  /** The halt that is latched now; `undefined`: none. */
  readonly halted: () => HaltLevel | undefined;
  readonly halt: (level: HaltLevel, reason: string, by: string) => void;
}

export type FileHaltLevel = Extract<HaltLevel, 'pause' | 'cancel'>;

const LOOK_MS = 1_000;
const MOST_REASON = 200;
/** A larger file is not a note that a person wrote, and is not read. */
const MOST_BYTES = 65_536;

/**
 * Watches for a file whose appearance halts the bot, which needs no running program but the bot. An empty file pauses. Its
 * first word may be `pause` or `cancel`; the rest is the reason. Removing the file does not resume, and while it exists
 * every resume is followed by a new halt.
 */
export class HaltFile {
  readonly #options: HaltFileOptions;
  #cancelLook: CancelTimer | undefined;
  #stopped = false;
  #unreadable = false;

  constructor(options: HaltFileOptions) {
    this.#options = options;
  }

  /** Looks now, and each second from then on. Resolves after the first look. */
  async watch(): Promise<void> {
    await this.look();
    if (this.#stopped) return;
    this.#cancelLook = this.#options.timers.after(LOOK_MS, () => void this.watch());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  /** Never rejects: a file that is there and cannot be read pauses. */
  async look(): Promise<void> {
    const { halted, halt, path } = this.#options;
    const text = await this.#text();
    if (text === undefined || this.#stopped) return;
    const { level, reason } = parseHalt(text);
    if (isStronger(level, halted())) halt(level, reason, `HALT file ${path}`);
  }

  /** The file's text, '' if it cannot be read; `undefined`: there is no such file, or the disk does not tell. */
  async #text(): Promise<string | undefined> {
    const { files, path, log } = this.#options;
    try {
      const entry = await files.stat(path);
      if (entry === undefined) return undefined;
      if (entry.kind !== 'file' || entry.size > MOST_BYTES) return '';
    } catch (error) {
      if (!this.#unreadable)
        log.warn('nobody can say whether there is a HALT file', { path, error: String(error) });
      this.#unreadable = true;
      return undefined;
    }
    this.#unreadable = false;
    // Gone between `stat` and `read`: it was there, so it halts.
    return files.readText(path).catch((error: unknown) => {
      if (!(error instanceof FileMissing))
        log.warn('the HALT file cannot be read: pause', { path, error: String(error) });
      return '';
    });
  }
}

/** A first word that is not a level belongs to the reason, and the level is `pause`. */
export function parseHalt(text: string): { readonly level: FileHaltLevel; readonly reason: string } {
  const words = text.trim().split(/\s+/);
  const first = words[0]?.toLowerCase().replace(/[^a-z]+$/, '');
  const isLevel = first === 'pause' || first === 'cancel';
  const reason = (isLevel ? words.slice(1) : words).join(' ').slice(0, MOST_REASON);
  return { level: isLevel ? first : 'pause', reason: reason === '' ? 'no reason given' : reason };
}
