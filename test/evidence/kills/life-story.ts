/** What one process wrote into the journal; anything older is an earlier life's. */
import type { JournalRecord } from '../../../src/model/journal-record.js';

export class LifeStory {
  #session = '';
  #wasSynced = false;

  /** Empty before its first record. */
  get session(): string {
    return this.#session;
  }

  /** At any time of its life. */
  get wasSynced(): boolean {
    return this.#wasSynced;
  }

  read(records: readonly JournalRecord[]): void {
    for (const record of records) {
      if (record.kind === 'start') {
        this.#session = record.session;
        this.#wasSynced = false;
      } else if (record.kind === 'state' && record.state === 'SYNCED') this.#wasSynced = this.#session !== '';
    }
  }
}
