import { describe, expect, test } from 'vitest';
import { Books } from '../../src/execution/books.js';
import { claimOf } from '../../src/execution/claim.js';
import { tellApart } from '../../src/execution/fingerprint.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { type OrderTerms, sameTerms } from '../../src/model/order.js';
import type { OrderRecord } from '../../src/model/venue-records.js';
import { acceptedOf, endOf, prepOf, termsOf } from '../support/intents.js';
import { BTC } from '../support/markets.js';
import { orderRecordOf } from '../support/records.js';

const SENT_AT = 1_000_000;

function booksOf(...records: readonly JournalRecord[]): Books {
  const books = new Books();
  for (const record of records) books.apply(record);
  return books;
}

/** What the venue shows of an order of `termsOf()`. */
const shown = (more: Partial<OrderRecord> = {}): OrderRecord =>
  orderRecordOf({
    id: '1',
    pair: BTC.pair,
    side: 'buy',
    type: 'limit',
    priceOriginal: 60_000,
    price: 60_000,
    quantity: 0.01,
    leavesQuantity: 0.01,
    time: SENT_AT,
    ...more,
  });

const prep = (key = 'a', terms: Partial<OrderTerms> = {}, more = {}) =>
  prepOf(key, { sentAt: SENT_AT, terms: termsOf(terms), ...more });
const doubt = (intent = 'a'): JournalRecord => ({ kind: 'out', intent, outcome: 'in-doubt', reason: '' });
const givenUp = (intent = 'a'): JournalRecord => {
  return { kind: 'verdict', intent, verdict: 'not-placed', time: SENT_AT, evidence: '' };
};
const said = (books: Books, record: OrderRecord, echo = true) => {
  const claim = claimOf(books, BTC, { echo, lateMs: 60_000 }, record);
  return claim && `${claim.intent.key} ${claim.as}`;
};

describe('with an echoed tag, an order', () => {
  const cases: readonly (readonly [string, readonly JournalRecord[], string])[] = [
    ['whose answer is on its way is its own', [prep()], 'a own'],
    ['in doubt is its own', [prep(), doubt()], 'a own'],
    ['that was given up is late', [prep(), doubt(), givenUp()], 'a late'],
    [
      'that was refused is late',
      [prep(), { kind: 'out', intent: 'a', outcome: 'refused', reason: '' }],
      'a late',
    ],
    ['beside the one that is live is one too many', [prep(), acceptedOf('a', '7')], 'a surplus'],
    [
      'beside the one that has ended is one too many',
      [prep(), acceptedOf('a', '7'), endOf('a', '7')],
      'a surplus',
    ],
  ];
  test.each(cases)('%s', (_, records, claim) => {
    expect(said(booksOf(...records), shown({ oco: 'a' }))).toBe(claim);
  });

  test('is somebody else’s without a tag, with another, or on another pair, whatever it looks like', () => {
    const books = booksOf(prep(), doubt());
    expect(said(books, shown())).toBeUndefined();
    expect(said(books, shown({ oco: 'b' }))).toBeUndefined();
    const elsewhere = booksOf(prep('a', {}, { pair: 'OTHER' }), doubt());
    expect(said(elsewhere, shown({ oco: 'a' }))).toBeUndefined();
  });

  test('need not look like what was asked for', () => {
    expect(said(booksOf(prep(), doubt()), shown({ oco: 'a', quantity: 9, priceOriginal: 1, time: 0 }))).toBe(
      'a own',
    );
  });
});

describe('without an echo, an order', () => {
  test('is of the intent that asked for just this', () => {
    const books = booksOf(prep('a', { lots: 9 as Lots }), doubt('a'), prep('b'), doubt('b'));
    expect(said(books, shown(), false)).toBe('b own');
    expect(said(books, shown({ quantity: 0.009 }), false)).toBe('a own');
    expect(said(books, shown({ quantity: 0.008 }), false)).toBeUndefined();
  });

  test.each<readonly [string, Partial<OrderRecord>]>([
    ['pair', { pair: 'OTHER' }],
    ['side', { side: 'sell' }],
    ['type', { type: 'market' }],
    ['original price', { priceOriginal: 60_000.1 }],
    ['quantity', { quantity: 0.011 }],
    ['time in force', { timeInForce: 'IOC' }],
    ['post-only', { postOnly: true }],
    ['reduce-only', { reduceOnly: true }],
    ['trigger', { triggerPrice: 1 }],
  ])('of another %s is of no intent', (_, more) => {
    expect(said(booksOf(prep(), doubt()), shown(more), false)).toBeUndefined();
  });

  test('is told by its original price: that it may have moved since says nothing', () => {
    expect(said(booksOf(prep(), doubt()), shown({ price: 59_000 }), false)).toBe('a own');
  });

  test('may be updated any time after the sending, and was not before it', () => {
    const books = booksOf(prep(), doubt());
    expect(said(books, shown({ time: SENT_AT + 86_400_000 }), false)).toBe('a own');
    expect(said(books, shown({ time: SENT_AT - 10_000 }), false)).toBe('a own');
    expect(said(books, shown({ time: SENT_AT - 10_001 }), false)).toBeUndefined();
  });

  test('at market is told without a price and a time in force', () => {
    const books = booksOf(prep('a', { type: 'market', ticks: undefined }), doubt());
    expect(said(books, shown({ type: 'market', priceOriginal: 0, timeInForce: 'IOC' }), false)).toBe('a own');
  });

  test('is of what is in doubt before it is of what was given up', () => {
    const books = booksOf(prep('a'), doubt('a'), givenUp('a'), prep('b'), doubt('b'));
    expect(said(books, shown(), false)).toBe('b own');
    books.apply(acceptedOf('b', '7'));
    expect(said(books, shown(), false)).toBe('a late');
  });

  test('of twins is not of the one that was sent too long before it, but for want of another', () => {
    const later = { sentAt: SENT_AT + 600_000 };
    const books = booksOf(prep('a'), doubt('a'), prep('b', {}, later), doubt('b'));
    expect(said(books, shown({ time: SENT_AT + 70_000 }), false)).toBe('a own');
    expect(said(books, shown({ time: SENT_AT + 600_400 }), false)).toBe('b own');
    books.apply(acceptedOf('b', '7'));
    expect(said(books, shown({ time: SENT_AT + 600_400 }), false)).toBe('a own');
    const givenUpTwins = booksOf(
      prep('a'),
      doubt('a'),
      givenUp('a'),
      prep('b', {}, later),
      doubt('b'),
      givenUp('b'),
    );
    expect(said(givenUpTwins, shown({ time: SENT_AT + 600_400 }), false)).toBe('b late');
  });

  test('is of no intent that has its order, or was refused', () => {
    expect(said(booksOf(prep(), acceptedOf('a', '7')), shown(), false)).toBeUndefined();
    const refused: JournalRecord = { kind: 'out', intent: 'a', outcome: 'refused', reason: '' };
    expect(said(booksOf(prep(), refused), shown(), false)).toBeUndefined();
  });
});

describe('terms', () => {
  const filter = { step: 1, min: 1 };

  test('look alike when no read could tell them apart', () => {
    expect(sameTerms(termsOf(), termsOf())).toBe(true);
    const others: readonly Partial<OrderTerms>[] = [
      { side: 'sell' },
      { type: 'market' },
      { ticks: 1 as Ticks },
      { lots: 9 as Lots },
      { timeInForce: 'IOC' },
      { postOnly: true },
      { reduceOnly: true },
      { trigger: { ticks: 1 as Ticks, event: 'last' } },
    ];
    for (const other of others) expect(sameTerms(termsOf(), termsOf(other))).toBe(false);
    const stopAt = (at: number, event: 'mark' | 'last' = 'last') =>
      termsOf({ trigger: { ticks: at as Ticks, event } });
    expect(sameTerms(stopAt(1), stopAt(1))).toBe(true);
    expect(sameTerms(stopAt(1), stopAt(2))).toBe(false);
    expect(sameTerms(stopAt(1), stopAt(1, 'mark'))).toBe(false);
  });

  test('that nothing looks like stay as they are', () => {
    const terms = termsOf({ lots: 100 as Lots });
    expect(tellApart(terms, [termsOf({ lots: 99 as Lots })], filter)).toBe(terms);
  });

  test('that something looks like give up as few lots as make them unlike all others', () => {
    const taken = [100, 99, 97].map((lots) => termsOf({ lots: lots as Lots }));
    expect(tellApart(taken[0]!, taken, filter)?.lots).toBe(98);
    expect(tellApart(taken[0]!, taken, { step: 3, min: 3 })?.lots).toBeUndefined();
    expect(tellApart(taken[0]!, taken, { step: 5, min: 5 })?.lots).toBe(95);
  });

  test('give up at most a twentieth, and never what the filter asks for', () => {
    const all = (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, index) => termsOf({ lots: (from - index) as Lots }));
    expect(tellApart(termsOf({ lots: 100 as Lots }), all(100, 96), filter)?.lots).toBe(95);
    expect(tellApart(termsOf({ lots: 100 as Lots }), all(100, 95), filter)).toBeUndefined();
    expect(tellApart(termsOf({ lots: 100 as Lots }), all(100, 100), { step: 1, min: 100 })).toBeUndefined();
    // 10 lots less one are a tenth.
    expect(tellApart(termsOf(), [termsOf()], filter)).toBeUndefined();
  });

  test('that only make a position smaller may look like others', () => {
    const exit = termsOf({ reduceOnly: true });
    expect(tellApart(exit, [exit], filter)).toBe(exit);
  });
});

describe('without a tag, an order that waits for its trigger', () => {
  const trigger = { ticks: 590_000 as Ticks, event: 'last' } as const;
  const stop = (more: Partial<OrderTerms> = {}) =>
    prep('a', { type: 'market', ticks: undefined, timeInForce: 'IOC', reduceOnly: true, ...more });
  const waiting = (more: Partial<OrderRecord> = {}) =>
    shown({
      type: 'market',
      priceOriginal: 0,
      timeInForce: 'IOC',
      reduceOnly: true,
      status: 'UNTRIGGERED',
      triggerPrice: 59_000,
      triggerEvent: 'last',
      ...more,
    });
  const claimed = (sent: JournalRecord, record: OrderRecord) => said(booksOf(sent), record, false);

  test.each(['UNTRIGGERED', 'ACTIVE', 'COMPLETED'])('is the stop that asked for it, also %s', (status) => {
    expect(claimed(stop({ trigger }), waiting({ status }))).toBe('a own');
  });

  test.each<[string, Partial<OrderRecord>]>([
    ['another price', { triggerPrice: 59_000.1 }],
    ['another event', { triggerEvent: 'mark' }],
    ['none', { triggerPrice: undefined, triggerEvent: undefined }],
  ])('is not when its trigger is %s', (_, differs) => {
    expect(claimed(stop({ trigger }), waiting(differs))).toBeUndefined();
  });

  test('is not that of an order which asked for none', () => {
    expect(claimed(stop(), waiting())).toBeUndefined();
    expect(claimed(stop(), waiting({ triggerPrice: undefined, triggerEvent: undefined }))).toBe('a own');
  });
});
