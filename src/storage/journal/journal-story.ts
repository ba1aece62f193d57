import type { IntentKey, JournalRecord } from '../../model/journal-record.js';
import type { GridDigits } from '../../model/market.js';
import type { OrderTerms } from '../../model/order.js';
import type { JournalEntry } from './journal-reader.js';

/** The state of an intent after its last record, in the words of `reliability.md` b.3. */
export type IntentStanding =
  | 'refused-locally'
  | 'prepared'
  | 'not-sent'
  | 'refused'
  | 'in-doubt'
  | 'live'
  | 'filled'
  | 'canceled'
  | 'not-placed'
  | 'late'
  | 'disputed';

export interface OrderOfStory {
  readonly orderId: string;
  /** `own` also when the answer to the request named the order. */
  readonly as: 'own' | 'late' | 'surplus';
  /** Sum of its fills in the journal. */
  readonly filledLots: number;
  readonly end: 'filled' | 'canceled' | undefined;
}

/** Everything that a journal says about one intent. */
export interface IntentStory {
  readonly intent: IntentKey;
  readonly pair: string | undefined;
  readonly terms: OrderTerms | undefined;
  /** What its ticks and lots are; absent where the journal does not say it. */
  readonly grid?: GridDigits;
  readonly standing: IntentStanding;
  readonly orders: readonly OrderOfStory[];
  readonly entries: readonly JournalEntry[];
}

/** `undefined` when the journal has no record of the intent. `grid`: the grids of the ticks and lots in all entries. */
export function intentStory(
  entries: Iterable<JournalEntry>,
  intent: IntentKey,
  grid?: GridDigits,
): IntentStory | undefined {
  const own: JournalEntry[] = [];
  for (const entry of entries)
    if ('intent' in entry.record && entry.record.intent === intent) own.push(entry);
  if (own.length === 0) return undefined;
  const records = own.map(({ record }) => record);
  const prep = records.find((record) => record.kind === 'prep');
  const orders = ordersOf(records);
  return {
    intent,
    pair: prep?.pair ?? records.map((record) => ('pair' in record ? record.pair : undefined)).find(Boolean),
    terms: prep?.terms,
    ...(grid === undefined ? {} : { grid }),
    standing: standingOf(records, orders),
    orders,
    entries: own,
  };
}

function ordersOf(records: readonly JournalRecord[]): readonly OrderOfStory[] {
  const orders = new Map<string, OrderOfStory>();
  const change = (orderId: string, facts: Partial<OrderOfStory>) => {
    const before = orders.get(orderId) ?? { orderId, as: 'own', filledLots: 0, end: undefined };
    orders.set(orderId, { ...before, ...facts });
  };
  for (const record of records) {
    if (record.kind === 'out' && record.outcome === 'accepted') change(record.orderId, {});
    if (record.kind === 'adopt') change(record.orderId, { as: record.as });
    if (record.kind === 'end') change(record.orderId, { end: record.status });
    if (record.kind === 'fill') {
      const { orderId, lots } = record.fill;
      change(orderId, { filledLots: (orders.get(orderId)?.filledLots ?? 0) + lots });
    }
  }
  return [...orders.values()];
}

function standingOf(records: readonly JournalRecord[], orders: readonly OrderOfStory[]): IntentStanding {
  const verdict = records.findLast((record) => record.kind === 'verdict')?.verdict;
  if (verdict === 'disputed') return 'disputed';
  const own = orders.find((order) => order.as === 'own');
  if (own !== undefined) return own.end ?? 'live';
  if (orders.some((order) => order.as === 'late')) return 'late';
  if (verdict !== undefined) return verdict;
  const out = records.findLast((record) => record.kind === 'out');
  if (out !== undefined && out.outcome !== 'accepted') return out.outcome;
  return records.some((record) => record.kind === 'prep') ? 'prepared' : 'refused-locally';
}
