import type { IntentKey } from '../../model/journal-record.js';
import type { Files } from '../../ports/files.js';
import type { JournalFolder } from '../../storage/journal/journal-layout.js';
import type { JournalEntry } from '../../storage/journal/journal-reader.js';
import { readableParts } from './journal.js';

export interface IntentSearch {
  /** Of the intent; empty when the journal has none of this name. */
  readonly entries: readonly JournalEntry[];
  readonly intent: IntentKey;
  readonly problems: readonly string[];
  readonly intents: number;
  /** The newest few, for a message. */
  readonly newest: readonly IntentKey[];
}

const NEWEST = 5;

/** Reads the journal once, or twice when `name` is the venue's id of an order. */
export async function searchIntent(files: Files, folder: JournalFolder, name: string): Promise<IntentSearch> {
  const found: JournalEntry[] = [];
  const problems: string[] = [];
  const newest: IntentKey[] = [];
  let intents = 0;
  let owner: IntentKey | undefined;
  for await (const part of readableParts(files, folder)) {
    problems.push(...part.problems);
    for (const entry of part.entries) {
      const { record } = entry;
      if ('intent' in record && record.intent === name) found.push(entry);
      if (orderIdOf(entry) === name && 'intent' in record) owner ??= record.intent;
      if (record.kind !== 'prep') continue;
      intents += 1;
      newest.push(record.intent);
      if (newest.length > NEWEST) newest.shift();
    }
  }
  if (found.length === 0 && owner !== undefined) return searchIntent(files, folder, owner);
  return { entries: found, intent: name, problems, intents, newest };
}

function orderIdOf({ record }: JournalEntry): string | undefined {
  if (record.kind === 'fill') return record.fill.orderId;
  return 'orderId' in record ? record.orderId : undefined;
}
