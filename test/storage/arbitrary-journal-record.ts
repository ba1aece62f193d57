import fc from 'fast-check';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';

const record = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { noNullPrototype: true });
const kind = <const K extends string>(name: K) => fc.constant(name);

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constant('\ud800"\n\u2028 0123abcd 7 {}'),
);
const maybeText = fc.option(text, { nil: undefined });
const lots = fc.maxSafeInteger().map((n) => n as Lots);
const ticks = fc.maxSafeInteger().map((n) => n as Ticks);
const side = fc.constantFrom('buy' as const, 'sell' as const);

const plainTerms = record({
  side,
  type: fc.constantFrom('limit' as const, 'market' as const),
  ticks: fc.option(ticks, { nil: undefined }),
  lots,
  timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
  postOnly: fc.boolean(),
  reduceOnly: fc.boolean(),
});
const trigger = record({ ticks, event: fc.constantFrom('mark' as const, 'index' as const, 'last' as const) });
const terms = fc.oneof(
  plainTerms,
  fc.tuple(plainTerms, trigger).map(([plain, waitsFor]) => ({ ...plain, trigger: waitsFor })),
);

const fill = record({
  id: text,
  orderId: text,
  time,
  side,
  lots,
  ticks,
  liquidity: fc.constantFrom('maker' as const, 'taker' as const),
  fee: fc.bigInt(),
});

/** Any record that can be written down, with the texts and numbers that break naive encodings. */
export const anyJournalRecord: fc.Arbitrary<JournalRecord> = fc.oneof(
  record({
    kind: kind('start'),
    session: text,
    wall: time,
    engine: text,
    hashes: fc.dictionary(text, text, { noNullPrototype: true }),
  }),
  record({ kind: kind('grid'), pair: text, price: fc.nat(12), quantity: fc.nat(12) }),
  record({
    kind: kind('prep'),
    intent: text,
    pair: text,
    terms,
    tag: maybeText,
    sentAt: time,
    validUntil: fc.option(time, { nil: undefined }),
    wall: time,
    bodySha256: text,
    position: lots,
  }),
  record({ kind: kind('out'), intent: text, outcome: kind('accepted'), orderId: text }),
  record({
    kind: kind('out'),
    intent: text,
    outcome: fc.constantFrom('refused' as const, 'not-sent' as const, 'in-doubt' as const),
    reason: text,
  }),
  record({
    kind: kind('adopt'),
    intent: text,
    orderId: text,
    as: fc.constantFrom('own' as const, 'late' as const, 'surplus' as const),
    evidence: text,
  }),
  record({
    kind: kind('verdict'),
    intent: text,
    verdict: fc.constantFrom('refused' as const, 'not-placed' as const, 'disputed' as const),
    time,
    evidence: text,
  }),
  record({
    kind: kind('end'),
    intent: text,
    orderId: text,
    status: fc.constantFrom('filled' as const, 'canceled' as const),
    filled: lots,
    time,
  }),
  record({ kind: kind('fill'), pair: text, fill, intent: maybeText, liquidation: fc.boolean() }),
  record({ kind: kind('cancel'), intent: text, orderId: text, why: text }),
  record({
    kind: kind('checkpoint'),
    pair: text,
    position: lots,
    time,
    fillIds: fc.array(text),
    by: text,
    reason: text,
  }),
  record({ kind: kind('cut'), pair: text, position: lots, time }),
  record({
    kind: kind('state'),
    pair: text,
    state: fc.constantFrom(
      'BOOT' as const,
      'RECONCILING' as const,
      'SYNCED' as const,
      'SUSPECT' as const,
      'QUARANTINED' as const,
      'HALTED' as const,
    ),
    reason: text,
    time,
  }),
  record({
    kind: kind('halt'),
    level: fc.constantFrom('pause' as const, 'cancel' as const, 'flatten' as const, 'stop' as const),
    reason: text,
    by: text,
    wall: time,
  }),
  record({ kind: kind('resume'), reason: text, by: text, wall: time }),
  record({ kind: kind('baseline'), day: text, equity: text, tripped: fc.boolean(), wall: time }),
  record({
    kind: kind('baseline'),
    day: text,
    equity: text,
    tripped: fc.boolean(),
    memory: record({
      peak: fc.option(text, { nil: undefined }),
      fell: fc.boolean(),
      losses: fc.nat(),
      pausedUntil: time,
      open: maybeText,
    }),
    transfers: record({ until: time, last: fc.array(text), open: fc.array(text) }),
    wall: time,
  }),
  record({
    kind: kind('refusal'),
    pair: text,
    intent: maybeText,
    rule: text,
    asked: text,
    bound: text,
    reason: text,
    time,
  }),
  record({ kind: kind('note'), text, wall: time }),
);
