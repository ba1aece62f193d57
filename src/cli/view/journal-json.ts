import type { JournalEntry } from '../../storage/journal/journal-reader.js';
import { encodeJournalRecord } from '../../storage/journal/journal-encoder.js';

/** As it stands in the journal, its sequence first. */
export function entryJson({ sequence, record }: JournalEntry): object {
  return { sequence, ...(JSON.parse(encodeJournalRecord(record)) as object) };
}
