import type { Books } from '../execution/books.js';
import type { BookedOrder } from '../execution/books-state.js';
import { claimOf } from '../execution/claim.js';
import type { Cut } from '../execution/cut.js';
import { Decimal, plain } from '../model/decimal.js';
import type { IntentKey } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import { compareIds } from '../model/trade.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Difference, DifferenceKind } from './attach-difference.js';

/** The order of ours whose record shows a fill. */
export interface FillOwner {
  readonly order: OrderRecord;
  readonly intent: IntentKey;
  /** The journal has its end already, so that a start would not read the order again. */
  readonly isOver: boolean;
}

export interface OrderDifferences {
  readonly differences: readonly Difference[];
  /** Fill id → the order that shows the fill. */
  readonly owners: ReadonlyMap<string, FillOwner>;
}

/** `lost`: ids of own orders that no list shows and that the venue does not know when it is asked. */
export function orderDifferences(
  books: Books,
  cut: Cut,
  market: Market,
  { echo, lost }: { readonly echo: boolean; readonly lost: ReadonlySet<string> },
): OrderDifferences {
  const { pair } = market;
  const differences: Difference[] = [];
  const owners = new Map<string, FillOwner>();
  const own = (order: OrderRecord, intent: IntentKey, isOver: boolean) => {
    for (const { id } of order.fills ?? []) owners.set(id, { order, intent, isOver });
  };
  for (const booked of [...books.openOrders(pair)].sort((a, b) => compareIds(a.orderId, b.orderId))) {
    const record = cut.orders.get(booked.orderId);
    differences.push(openOrder(booked, record, lost.has(booked.orderId)));
    if (record !== undefined) own(record, booked.intent, false);
  }
  const found = new Set<IntentKey>();
  const foreign: Difference[] = [];
  for (const record of [...cut.orders.values()].sort((a, b) => compareIds(a.id, b.id))) {
    const booked = books.order(record.id);
    if (booked !== undefined) {
      if (booked.end !== undefined) own(record, booked.intent, true);
      continue;
    }
    const claim = claimOf(books, market, { echo }, record);
    if (claim === undefined) {
      if (isActive(record)) foreign.push(foreignOrder(record));
      continue;
    }
    const { key } = claim.intent;
    // Of several orders for one intent the oldest is the intent's own.
    const as = found.has(key) ? 'surplus' : claim.as;
    found.add(key);
    own(record, key, false);
    differences.push(claimed(record, key, as, claim.evidence));
  }
  for (const { key, stage } of books.intents(pair)) {
    if ((stage !== 'sent' && stage !== 'in-doubt') || found.has(key)) continue;
    differences.push({
      kind: 'doubt-open',
      subject: key,
      evidence: `${stage === 'sent' ? 'the life that sent it ended before the answer' : 'its answer proved nothing'}; no list shows its order`,
      action: 'look until it is found or proven absent; no order adds risk before that',
      endedBy: 'start',
    });
  }
  return { differences: [...differences, ...foreign], owners };
}

/** True unless the status is a known end or a waiting trigger: an unknown status may be a live order. */
export function isActive({ status }: OrderRecord): boolean {
  return status !== 'CANCELLED' && status !== 'COMPLETED' && status !== 'UNTRIGGERED';
}

function openOrder(
  { orderId, intent }: BookedOrder,
  record: OrderRecord | undefined,
  isLost: boolean,
): Difference {
  const subject = orderId;
  if (isLost) {
    return {
      kind: 'own-order-missing',
      subject,
      evidence: `the journal has it live for ${intent}; no list shows it, and the venue does not know its id`,
      action: 'no order adds risk until somebody vouches that it is over: attach --accept',
      endedBy: 'operator',
    };
  }
  if (record === undefined) {
    return {
      kind: 'own-order-missing',
      subject,
      evidence: `the journal has it live for ${intent}; no list shows it`,
      action: 'read it by its id until it shows its end; no order adds risk before that',
      endedBy: 'start',
    };
  }
  const kind = isActive(record) || waits(record) ? 'own-order-live' : 'own-order-ended';
  const evidence = `the journal has it live for ${intent}; the venue says ${shown(record)}`;
  return { kind, subject, evidence, action: dealtWith(record), endedBy: 'start' };
}

const KINDS: Readonly<Record<BookedOrder['as'], DifferenceKind>> = {
  own: 'doubt-found',
  late: 'late-order',
  surplus: 'twin',
};

function claimed(record: OrderRecord, intent: IntentKey, as: BookedOrder['as'], why: string): Difference {
  const before = {
    own: `nobody knew what became of ${intent}`,
    late: `${intent} was taken for not placed`,
    surplus: `${intent} has an order already`,
  }[as];
  return {
    kind: KINDS[as],
    subject: record.id,
    evidence: `${before}; ${why}; the venue says ${shown(record)}`,
    action: `bind it to ${intent}, ${dealtWith(record, as)}`,
    endedBy: 'start',
  };
}

function foreignOrder(record: OrderRecord): Difference {
  const { id, side, quantity, liquidation } = record;
  const whose = liquidation ? 'the venue made it to liquidate' : 'no intent of the journal asked for it';
  return {
    kind: 'foreign-order',
    subject: id,
    evidence: `${side} ${quantity}, ${shown(record)}; ${whose}`,
    action: 'leave it alone',
    endedBy: 'nobody',
  };
}

function waits({ status }: OrderRecord): boolean {
  return status === 'UNTRIGGERED';
}

function dealtWith(record: OrderRecord, as: BookedOrder['as'] = 'own'): string {
  if (waits(record)) {
    return as === 'own' && record.reduceOnly
      ? 'let it guard the position until a stop of the session does; book its fills and its end'
      : 'cancel it, book its fills and its end';
  }
  return isActive(record) ? 'cancel it, book its fills and its end' : 'book its fills and its end';
}

function shown(record: OrderRecord): string {
  const { status, filledQuantity, quantity, triggerEvent, triggerPrice } = record;
  const waiting =
    waits(record) && triggerPrice !== undefined
      ? `, waits for ${triggerEvent ?? 'mark'} ${plain(new Decimal(String(triggerPrice)))}`
      : '';
  return `${status}${waiting}, ${filledQuantity} of ${quantity} filled`;
}
