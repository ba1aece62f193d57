import type { Fill } from '../../src/model/fill.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import type { OrderTerms } from '../../src/model/order.js';
import { BTC } from './markets.js';

type RecordOf<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>;

/** A limit order: buy 10 lots at 60 000. */
export function termsOf(more: Partial<OrderTerms> = {}): OrderTerms {
  return {
    side: 'buy',
    type: 'limit',
    ticks: 600_000 as Ticks,
    lots: 10 as Lots,
    timeInForce: 'GTC',
    postOnly: false,
    reduceOnly: false,
    ...more,
  };
}

/** Sent at venue time 0 unless said otherwise. */
export function prepOf(intent: string, more: Partial<RecordOf<'prep'>> = {}): RecordOf<'prep'> {
  return {
    kind: 'prep',
    intent,
    pair: BTC.pair,
    terms: termsOf(),
    tag: intent,
    sentAt: 0,
    validUntil: undefined,
    wall: 0,
    bodySha256: '00',
    position: 0 as Lots,
    ...more,
  };
}

export function acceptedOf(intent: string, orderId: string): JournalRecord {
  return { kind: 'out', intent, outcome: 'accepted', orderId };
}

/** Buys `lots`, sells when they are negative. */
export function fillOf(
  id: string,
  lots: number,
  { orderId = '', time = 0, intent }: { orderId?: string; time?: number; intent?: string } = {},
): RecordOf<'fill'> {
  const fill: Fill = {
    id,
    orderId,
    time,
    side: lots > 0 ? 'buy' : 'sell',
    lots: Math.abs(lots) as Lots,
    ticks: 600_000 as Ticks,
    liquidity: 'maker',
    fee: 0n,
  };
  return { kind: 'fill', pair: BTC.pair, fill, intent, liquidation: false };
}

export function endOf(intent: string, orderId: string, filled = 0): RecordOf<'end'> {
  const status = filled === 0 ? 'canceled' : 'filled';
  return { kind: 'end', intent, orderId, status, filled: filled as Lots, time: 0 };
}

export function checkpointOf(
  position: number,
  time = 0,
  fillIds: readonly string[] = [],
): RecordOf<'checkpoint'> {
  return {
    kind: 'checkpoint',
    pair: BTC.pair,
    position: position as Lots,
    time,
    fillIds,
    by: 'anna',
    reason: 'counted',
  };
}
