import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Books } from '../../src/execution/books.js';
import type { BooksState } from '../../src/execution/books-state.js';
import type { Lots } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { seededRandom } from '../../src/model/random.js';
import { fillOf, prepOf, termsOf } from '../support/intents.js';
import { BTC } from '../support/markets.js';

const { pair } = BTC;
const HOUR_MS = 3_600_000;
const intent = fc.integer({ min: 0, max: 6 }).map((n) => `s1-${n}`);
const orderId = fc.integer({ min: 0, max: 9 }).map(String);
const time = fc.integer({ min: 0, max: 60 }).map((hours) => hours * HOUR_MS);
const text = fc.constantFrom('', 'odd', 'timeout');

/** Any records in any order: also such as no execution would write. */
const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('start' as const),
    session: text,
    wall: time,
    engine: text,
    hashes: fc.constant({}),
  }),
  fc
    .tuple(intent, time, fc.constantFrom(undefined, 'tag'), fc.integer({ min: 1, max: 9 }))
    .map(([key, sentAt, tag, lots]) => prepOf(key, { sentAt, tag, terms: termsOf({ lots: lots as Lots }) })),
  fc.record({
    kind: fc.constant('out' as const),
    intent,
    outcome: fc.constantFrom('refused' as const, 'not-sent' as const, 'in-doubt' as const),
    reason: text,
  }),
  fc.record({
    kind: fc.constant('out' as const),
    intent,
    outcome: fc.constant('accepted' as const),
    orderId,
  }),
  fc.record({
    kind: fc.constant('adopt' as const),
    intent,
    orderId,
    as: fc.constantFrom('own' as const, 'late' as const, 'surplus' as const),
    evidence: text,
  }),
  fc.record({
    kind: fc.constant('verdict' as const),
    intent,
    verdict: fc.constantFrom('refused' as const, 'not-placed' as const, 'disputed' as const),
    time,
    evidence: text,
  }),
  fc.record({
    kind: fc.constant('end' as const),
    intent,
    orderId,
    status: fc.constantFrom('filled' as const, 'canceled' as const),
    filled: fc.nat(9).map((lots) => lots as Lots),
    time,
  }),
  fc
    .tuple(fc.integer({ min: 0, max: 20 }), fc.constantFrom(-3, -1, 1, 4), orderId, fc.option(intent), time)
    .map(([id, lots, order, key, at]) =>
      fillOf(String(id), lots, { orderId: order, time: at, ...(key === null ? {} : { intent: key }) }),
    ),
  fc.tuple(fc.integer({ min: -9, max: 9 }), time, fc.array(fc.nat(20), { maxLength: 3 })).map(
    ([position, at, ids]): JournalRecord => ({
      kind: 'checkpoint',
      pair,
      position: position as Lots,
      time: at,
      fillIds: ids.map(String),
      by: 'anna',
      reason: '',
    }),
  ),
  fc.record({
    kind: fc.constant('state' as const),
    pair: fc.constant(pair),
    state: fc.constantFrom('SYNCED' as const, 'QUARANTINED' as const),
    reason: text,
    time,
  }),
  fc.record({
    kind: fc.constant('grid' as const),
    pair: fc.constant(pair),
    price: fc.integer({ min: 1, max: 3 }),
    quantity: fc.integer({ min: 3, max: 5 }),
  }),
  fc.record({
    kind: fc.constant('halt' as const),
    level: fc.constantFrom('pause' as const, 'cancel' as const),
    reason: text,
    by: text,
    wall: time,
  }),
  fc.record({ kind: fc.constant('resume' as const), reason: text, by: text, wall: time }),
  fc.record({
    kind: fc.constant('baseline' as const),
    day: text,
    equity: fc.constant('1'),
    tripped: fc.boolean(),
    transfers: fc.option(fc.record({ until: time, last: fc.array(text), open: fc.array(text) }), {
      nil: undefined,
    }),
    wall: time,
  }),
);
const journal = fc.array(record, { maxLength: 120, size: 'max' });

function fold(records: readonly JournalRecord[], books = new Books()): Books {
  for (const each of records) books.apply(each);
  return books;
}

const copy = (state: BooksState) => JSON.parse(JSON.stringify(state)) as BooksState;

test('books that were put away as text go on as if nothing had happened, wherever that was', () => {
  fc.assert(
    fc.property(journal, fc.nat(), (records, at) => {
      const cut = at % (records.length + 1);
      const restored = Books.restore(copy(fold(records.slice(0, cut)).state()));
      expect(restored.state()).toEqual(fold(records.slice(0, cut)).state());
      const whole = fold(records);
      const parts = fold(records.slice(cut), restored);
      expect(parts.state()).toEqual(whole.state());
      expect([...parts.bound]).toEqual([...whole.bound]);
      expect(parts.quarantine(pair)).toBe(whole.quarantine(pair));
      expect(parts.position(pair)).toBe(whole.position(pair));
      const since = 30 * HOUR_MS;
      const graves = whole
        .intents(pair)
        .filter(({ stage, judgedAt = 0 }) => stage === 'not-placed' && judgedAt >= since);
      const found = parts.tombstones(pair, since);
      expect(found.map(({ sentAt }) => sentAt)).toEqual(
        graves.map(({ sentAt }) => sentAt).sort((a, b) => a - b),
      );
      // Of two that were sent at one time nobody asks which is first.
      const byKey = (a: { readonly key: string }, b: { readonly key: string }) => a.key.localeCompare(b.key);
      expect(found.toSorted(byKey)).toEqual(graves.sort(byKey));
    }),
    { numRuns: 400 },
  );
});

test('a position is its newest checkpoint and each later fill once', () => {
  fc.assert(
    fc.property(journal, (all) => {
      const records = all.filter(({ kind }) => kind !== 'grid');
      const from = records.findLastIndex(({ kind }) => kind === 'checkpoint');
      const start = records[from];
      const base = start?.kind === 'checkpoint' ? start : { position: 0, time: 0, fillIds: [] as string[] };
      const seen = new Set(base.fillIds);
      let expected: number = base.position;
      let any = from >= 0;
      const books = fold(records.slice(0, from + 1));
      const sent = new Set<string>();
      for (const each of records.slice(from + 1)) {
        if (each.kind === 'prep') sent.add(each.intent);
        if (each.kind === 'fill') {
          any = true;
          const { id, time: at, side, lots, orderId: of } = each.fill;
          const order = each.intent === undefined ? undefined : books.order(of);
          const isOpen = order?.end === undefined && order?.fills.every((known) => known.id !== id) === true;
          // Where its order was sent since the checkpoint, its time says nothing.
          const isLater = isOpen && sent.has(order.intent);
          if (!seen.has(id) && (at >= base.time || isLater)) {
            seen.add(id);
            expected += side === 'buy' ? lots : -lots;
          }
        }
        books.apply(each);
      }
      expect(books.position(pair)).toBe(any ? expected : undefined);
    }),
    { numRuns: 400 },
  );
});

test('long journals that are cut anywhere are cleaned alike', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (seed, at) => {
      const random = seededRandom(seed);
      let now = 0;
      let live = 0;
      const records = Array.from({ length: 1_000 }, (_, index): JournalRecord[] => {
        now += Math.floor(random.next() * 4) * HOUR_MS;
        const key = `k${index}`;
        const prep = prepOf(key, { sentAt: now });
        const fate = Math.floor(random.next() * 3);
        if (fate === 0) return [prep, { kind: 'out', intent: key, outcome: 'refused', reason: '' }];
        if (fate === 2)
          return [prep, { kind: 'verdict', intent: key, verdict: 'not-placed', time: now, evidence: '' }];
        live++;
        return [prep, { kind: 'out', intent: key, outcome: 'accepted', orderId: key }];
      }).flat();
      const cut = at % records.length;
      const whole = fold(records);
      const parts = fold(records.slice(cut), Books.restore(copy(fold(records.slice(0, cut)).state())));
      expect(parts.state()).toEqual(whole.state());
      // None that is live was forgotten, and others were.
      expect(whole.openOrders(pair)).toHaveLength(live);
      for (const { intent: key } of whole.openOrders(pair)) expect(whole.intent(key)?.stage).toBe('live');
      expect(whole.intents(pair).length).toBeLessThan(live + 300);
    }),
    { numRuns: 10 },
  );
});
