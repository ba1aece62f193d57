import type { JournalRecord } from '../../model/journal-record.js';
import type { BotJournal, Durability } from '../../ports/bot-journal.js';

/** A journal that holds up nothing: it writes as long as it can, and says which records are not in it. */
export class LossyJournal implements BotJournal {
  readonly failure = undefined;
  readonly #journal: BotJournal | undefined;
  readonly #onLost: (record: JournalRecord) => void;

  /** `journal`: `undefined` when none can be written. */
  constructor(journal: BotJournal | undefined, onLost: (record: JournalRecord) => void) {
    this.#journal = journal;
    this.#onLost = onLost;
  }

  append(record: JournalRecord, durability: Durability): void {
    if (this.#journal === undefined) return this.#onLost(record);
    try {
      this.#journal.append(record, durability);
    } catch {
      this.#onLost(record);
    }
  }
}
