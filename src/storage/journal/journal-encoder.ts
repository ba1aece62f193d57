import { InvariantError } from '../../model/errors.js';
import type { Fill } from '../../model/fill.js';
import type { JournalKind, JournalRecord, RiskMemory, TransferMark } from '../../model/journal-record.js';
import type { OrderTerms } from '../../model/order.js';
import { encodeNumber, type JsonObject, type JsonValue } from '../json-fields.js';

/**
 * A record as one line of JSON: fields in a fixed order, undefined fields left out, money as decimal text.
 *
 * @throws InvariantError when a quantity or a price is not a whole number: such a record could not be read again.
 */
export function encodeJournalRecord(record: JournalRecord): string {
  return JSON.stringify(recordJson(record));
}

function recordJson(record: JournalRecord): JsonObject {
  const { kind } = record;
  switch (kind) {
    case 'start': {
      const { session, wall, engine, hashes } = record;
      return { kind, session, wall: n(wall), engine, hashes };
    }
    case 'grid': {
      const { pair, price, quantity } = record;
      return { kind, pair, price: whole(kind, 'price', price), quantity: whole(kind, 'quantity', quantity) };
    }
    case 'prep': {
      const { intent, pair, terms, tag, sentAt, validUntil, wall, bodySha256, position } = record;
      return {
        kind,
        intent,
        pair,
        terms: termsJson(terms),
        tag,
        sentAt: n(sentAt),
        validUntil: validUntil === undefined ? undefined : n(validUntil),
        wall: n(wall),
        bodySha256,
        position: whole(kind, 'position', position),
      };
    }
    case 'out':
      return record.outcome === 'accepted'
        ? { kind, intent: record.intent, outcome: record.outcome, orderId: record.orderId }
        : { kind, intent: record.intent, outcome: record.outcome, reason: record.reason };
    case 'adopt':
      return {
        kind,
        intent: record.intent,
        orderId: record.orderId,
        as: record.as,
        evidence: record.evidence,
      };
    case 'verdict': {
      const { intent, verdict, time, evidence } = record;
      return { kind, intent, verdict, time: n(time), evidence };
    }
    case 'end': {
      const { intent, orderId, status, filled, time } = record;
      return { kind, intent, orderId, status, filled: whole(kind, 'filled', filled), time: n(time) };
    }
    case 'fill': {
      const { pair, fill, intent, liquidation } = record;
      return { kind, pair, fill: fillJson(fill), intent, liquidation };
    }
    case 'cancel':
      return { kind, intent: record.intent, orderId: record.orderId, why: record.why };
    case 'checkpoint': {
      const { pair, position, time, fillIds, by, reason } = record;
      return {
        kind,
        pair,
        position: whole(kind, 'position', position),
        time: n(time),
        fillIds,
        by,
        reason,
      };
    }
    case 'cut':
      return {
        kind,
        pair: record.pair,
        position: whole(kind, 'position', record.position),
        time: n(record.time),
      };
    case 'state':
      return {
        kind,
        pair: record.pair,
        state: record.state,
        reason: record.reason,
        time: n(record.time),
      };
    case 'halt':
      return { kind, level: record.level, reason: record.reason, by: record.by, wall: n(record.wall) };
    case 'resume':
      return { kind, reason: record.reason, by: record.by, wall: n(record.wall) };
    case 'baseline':
      return {
        kind,
        day: record.day,
        equity: record.equity,
        tripped: record.tripped,
        ...(record.memory && { memory: memoryJson(record.memory) }),
        ...(record.transfers && { transfers: transfersJson(record.transfers) }),
        wall: n(record.wall),
      };
    case 'refusal': {
      const { pair, intent, rule, asked, bound, reason, time } = record;
      return { kind, pair, intent, rule, asked, bound, reason, time: n(time) };
    }
    case 'note':
      return { kind, text: record.text, wall: n(record.wall) };
  }
}

function termsJson({
  side,
  type,
  ticks,
  lots,
  timeInForce,
  postOnly,
  reduceOnly,
  trigger,
}: OrderTerms): JsonObject {
  return {
    side,
    type,
    ticks: ticks === undefined ? undefined : whole('prep', 'terms.ticks', ticks),
    lots: whole('prep', 'terms.lots', lots),
    timeInForce,
    postOnly,
    reduceOnly,
    trigger:
      trigger === undefined
        ? undefined
        : { ticks: whole('prep', 'terms.trigger.ticks', trigger.ticks), event: trigger.event },
  };
}

function memoryJson({ peak, fell, losses, pausedUntil, open }: RiskMemory): JsonObject {
  return { peak, fell, losses: n(losses), pausedUntil: n(pausedUntil), open };
}

function transfersJson({ until, last, open }: TransferMark): JsonObject {
  return { until: n(until), last, open };
}

function fillJson({ id, orderId, time, side, lots, ticks, liquidity, fee }: Fill): JsonObject {
  return {
    id,
    orderId,
    time: n(time),
    side,
    lots: whole('fill', 'fill.lots', lots),
    ticks: whole('fill', 'fill.ticks', ticks),
    liquidity,
    fee: fee.toString(),
  };
}

/** Adding 0 turns −0 into 0, which has only one text. */
function whole(kind: JournalKind, name: string, value: number): JsonValue {
  if (Number.isSafeInteger(value)) return value + 0;
  throw new InvariantError(`${kind}.${name} must be a whole number, received ${value}`);
}

const n = encodeNumber;
