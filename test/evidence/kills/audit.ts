/** Holds what the venue did against what the journal says. */
import { Books } from '../../../src/execution/books.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';

/** In words, one of each; empty lists when all is well. */
export interface OrderAudit {
  /** Intents with several orders. */
  readonly duplicated: readonly string[];
  /** Orders at the venue that no record of a request announces. */
  readonly unprepared: readonly string[];
  /** Orders of earlier lives that the journal does not bind to their intent. */
  readonly unknown: readonly string[];
  /** Orders in the journal that the venue does not have under that tag. */
  readonly phantom: readonly string[];
  /** Intents that were judged to have no order, and have one. */
  readonly misjudged: readonly string[];
}

export interface BoundOrder {
  readonly intent: string;
  readonly orderId: string;
}

/**
 * `tags`: of each order at the venue. `isSettled`: whether everything about an intent must be known by now.
 */
export function auditOrders(
  records: readonly JournalRecord[],
  tags: ReadonlyMap<string, string>,
  isSettled: (intent: string) => boolean,
): OrderAudit {
  const prepared = new Set<string>();
  const bound = new Map<string, string>();
  const absent = new Set<string>();
  for (const record of records) {
    if (record.kind === 'prep') prepared.add(record.intent);
    else if (record.kind === 'adopt' || (record.kind === 'out' && record.outcome === 'accepted')) {
      bound.set(record.orderId, record.intent);
    } else if (record.kind === 'verdict' && record.verdict !== 'disputed') absent.add(record.intent);
  }
  const list = [...tags];
  const ordersOf = new Map<string, string[]>();
  for (const [id, tag] of list) ordersOf.set(tag, [...(ordersOf.get(tag) ?? []), id]);
  return {
    duplicated: [...ordersOf].flatMap(([tag, ids]) =>
      tag !== '' && ids.length > 1 ? [`${tag}: ${ids.join(', ')}`] : [],
    ),
    unprepared: list.filter(([, tag]) => !prepared.has(tag)).map(named),
    unknown: list.filter(([id, tag]) => isSettled(tag) && bound.get(id) !== tag).map(named),
    phantom: [...bound].filter(([id, intent]) => isSettled(intent) && tags.get(id) !== intent).map(named),
    misjudged: list.filter(([, tag]) => absent.has(tag)).map(named),
  };
}

function named([order, intent]: readonly [string, string]): string {
  return `order ${order} of intent ${intent === '' ? 'nobody' : intent}`;
}

/** Own position in lots by the journal alone; `undefined` before the first checkpoint. */
export function bookedPosition(records: readonly JournalRecord[], pair: string): number | undefined {
  const books = new Books();
  for (const record of records) books.apply(record);
  return books.position(pair);
}

/** Intents of which the journal does not know by now whether they have an order. */
export function inDoubt(records: readonly JournalRecord[]): readonly string[] {
  const open = new Set<string>();
  for (const record of records) {
    if (record.kind === 'prep' || (record.kind === 'out' && record.outcome === 'in-doubt')) {
      open.add(record.intent);
    } else if (record.kind === 'out' || record.kind === 'adopt') open.delete(record.intent);
    else if (record.kind === 'verdict' && record.verdict !== 'disputed') open.delete(record.intent);
  }
  return [...open];
}

/** Orders that entered the books and of which no final quantity is written. */
export function unended(records: readonly JournalRecord[]): readonly BoundOrder[] {
  const open = new Map<string, BoundOrder>();
  for (const record of records) {
    if (record.kind === 'adopt' || (record.kind === 'out' && record.outcome === 'accepted')) {
      open.set(record.orderId, { intent: record.intent, orderId: record.orderId });
    } else if (record.kind === 'end') open.delete(record.orderId);
  }
  return [...open.values()];
}

/** Intents that were about to be sent and of which nothing more is written: what dies with a process. */
export function underWay(records: readonly JournalRecord[]): readonly string[] {
  const open = new Set<string>();
  for (const record of records) {
    if (record.kind === 'prep') open.add(record.intent);
    else if (record.kind === 'out' || record.kind === 'adopt' || record.kind === 'verdict') {
      open.delete(record.intent);
    }
  }
  return [...open];
}
