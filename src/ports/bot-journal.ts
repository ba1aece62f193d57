import type { JournalRecord } from '../model/journal-record.js';

/**
 * - `durable`: survives a power loss before the call returns
 * - `soon`: within 100 ms, and before the next durable record
 * - `lazy`: with whatever is synced next
 */
export type Durability = 'durable' | 'soon' | 'lazy';

/** The journal cannot be written any more. From then on no order leaves; cancels still do. */
export class JournalFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'JournalFailed';
  }
}

/** The append-only journal of a bot. Synchronous, so that an order waits for its record and nothing overtakes it. */
export interface BotJournal {
  /** @throws JournalFailed at the first failure and ever after, so that the journal holds no record after a hole. */
  append(record: JournalRecord, durability: Durability): void;
  /** The first failure; `undefined`: there was none. */
  readonly failure: JournalFailed | undefined;
}
