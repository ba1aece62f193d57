import { join } from 'node:path';
import type { Files } from '../../ports/files.js';
import { appendLedger } from '../ledger-file.js';
import { readTrials, type Trial, trialIds, TRIAL_LEDGER } from '../trials.js';

/**
 * Writes trials to the ledger as they arrive; those that arrive during a write are written together. Reads the ledger
 * only once, because a search may have a hundred thousand trials.
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

  /** Trials that are not on the disk: their write failed, or still runs. The next write includes them. */
  get uncounted(): readonly Trial[] {
    return this.#waiting;
  }

  /** Adds a trial unless the ledger has it. Resolves once the trial is on the disk. */
  async add(trial: Trial): Promise<void> {
    const ids = trialIds(trial);
    if (ids.some((id) => this.#known.has(id))) return;
    for (const id of ids) this.#known.add(id);
    this.#waiting.push(trial);
    // A trial that arrives during a write belongs to the next one.
    while (this.#waiting.includes(trial)) {
      this.#writing ??= this.#write();
      await this.#writing;
    }
  }

  async #write(): Promise<void> {
    // A copy, because trials may arrive during the write.
    const trials = [...this.#waiting];
    try {
      await appendLedger(this.#files, this.#path, trials);
      this.#waiting = this.#waiting.slice(trials.length);
    } finally {
      this.#writing = undefined;
    }
  }
}
