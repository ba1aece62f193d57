import type { JournalRecord } from '../model/journal-record.js';

/**
 * - `durable`: survives a power loss before the call returns
 * - `soon`: within 100 ms, and before the next durable record
 * - `lazy`: with whatever is synced next
 */
export type Durability = 'durable' | 'soon' | 'lazy';

/** Why nothing can be written down any more. Without a journal no order leaves; cancels still do. */
export class JournalFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'JournalFailed';
  }
}

/** The one append-only story of a bot. Synchronous on purpose: an order waits for its record, and nothing overtakes it. */
export interface BotJournal {
  /** @throws JournalFailed now and for ever after the first failure: a record is whole and in order, or the journal ends. */
  append(record: JournalRecord, durability: Durability): void;
  readonly failure: JournalFailed | undefined;
}
