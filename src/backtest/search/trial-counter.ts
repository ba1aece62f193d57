import { join } from 'node:path';
import type { Files } from '../../ports/files.js';
import { appendLedger } from '../ledger-file.js';
import { readTrials, type Trial, trialIds, TRIAL_LEDGER } from '../trials.js';

/**
 * Writes trials into the ledger as they come in, those that come in meanwhile together. The file is read but once: a search
 * may have a hundred thousand of them.
 */
export class TrialCounter {
  readonly #files: Files;
  readonly #path: string;
  readonly #known: Set<string>;
  #waiting: Trial[] = [];
  #writing: Promise<void> | undefined;

  private constructor(files: Files, path: string, known: Set<string>) {
    this.#files = files;
    this.#path = path;
    this.#known = known;
  }

  static async open(files: Files, registry: string): Promise<TrialCounter> {
    const known = await readTrials(files, registry);
    return new TrialCounter(files, join(registry, TRIAL_LEDGER), new Set(known.flatMap(trialIds)));
  }

  /** On the disk when this resolves; what is there already is not written again. */
  async add(trial: Trial): Promise<void> {
    const ids = trialIds(trial);
    if (ids.some((id) => this.#known.has(id))) return;
    for (const id of ids) this.#known.add(id);
    this.#waiting.push(trial);
    // Those that came while others were written are in the next turn.
    while (this.#waiting.includes(trial)) {
      this.#writing ??= this.#write();
      await this.#writing;
    }
  }

  async #write(): Promise<void> {
    // A copy: what comes while these are on their way is not among them.
    const trials = [...this.#waiting];
    try {
      await appendLedger(this.#files, this.#path, trials);
      this.#waiting = this.#waiting.slice(trials.length);
    } finally {
      this.#writing = undefined;
    }
  }
}
