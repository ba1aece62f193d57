import type { JournalEntry } from '../../storage/journal/journal-reader.js';
import { encodeJournalRecord } from '../../storage/journal/journal-encoder.js';

/** A record as it is in the journal, preceded by its sequence number. */
export function entryJson({ sequence, record }: JournalEntry): object {
  return { sequence, ...(JSON.parse(encodeJournalRecord(record)) as object) };
}
