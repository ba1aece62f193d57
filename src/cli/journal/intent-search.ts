import type { IntentKey } from '../../model/journal-record.js';
import type { Files } from '../../ports/files.js';
import type { JournalFolder } from '../../storage/journal/journal-layout.js';
import type { GridDigits } from '../../model/market.js';
import { finerRecord } from '../../storage/journal/finer-record.js';
import type { JournalEntry } from '../../storage/journal/journal-reader.js';
import { readableParts } from './journal.js';

export interface IntentSearch {
  /** The records of the intent, in the ticks and lots of the newest one; empty if the journal has no such intent. */
  readonly entries: readonly JournalEntry[];
  /** The grid of these ticks and lots; `undefined` if the journal does not state it. */
  readonly grid: GridDigits | undefined;
  readonly intent: IntentKey;
  readonly problems: readonly string[];
  readonly intents: number;
  /** The newest intents, for a message. */
  readonly newest: readonly IntentKey[];
}

const NEWEST = 5;

/** Searches an intent. Reads the journal once, or twice if `name` is the venue's id of an order. */
export async function searchIntent(files: Files, folder: JournalFolder, name: string): Promise<IntentSearch> {
  let found: JournalEntry[] = [];
  /** The grid of each pair as of the current record. */
  const grids = new Map<string, GridDigits>();
  const problems: string[] = [];
  const newest: IntentKey[] = [];
  let intents = 0;
  let owner: IntentKey | undefined;
  for await (const part of readableParts(files, folder)) {
    problems.push(...part.problems);
    for (const entry of part.entries) {
      const { record } = entry;
      if (record.kind === 'grid') {
        const { pair } = record;
        const before = grids.get(pair) ?? record;
        const price = Math.max(before.price, record.price);
        const quantity = Math.max(before.quantity, record.quantity);
        const by = { ticks: 10 ** (price - before.price), lots: 10 ** (quantity - before.quantity) };
        if (pairOf(found) === pair)
          found = found.map((each) => ({ ...each, record: finerRecord(each.record, by) }));
        grids.set(pair, { price, quantity });
      }
      if ('intent' in record && record.intent === name) found.push(entry);
      if (orderIdOf(entry) === name && 'intent' in record) owner ??= record.intent;
      if (record.kind !== 'prep') continue;
      intents += 1;
      newest.push(record.intent);
      if (newest.length > NEWEST) newest.shift();
    }
  }
  if (found.length === 0 && owner !== undefined) return searchIntent(files, folder, owner);
  const grid = grids.get(pairOf(found) ?? '');
  return { entries: found, grid, intent: name, problems, intents, newest };
}

function pairOf(entries: readonly JournalEntry[]): string | undefined {
  for (const { record } of entries) if ('pair' in record) return record.pair;
  return undefined;
}

function orderIdOf({ record }: JournalEntry): string | undefined {
  if (record.kind === 'fill') return record.fill.orderId;
  return 'orderId' in record ? record.orderId : undefined;
}
