import { describe, expect, test } from 'vitest';
import { Books } from '../../src/execution/books.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { HaltLevel, JournalRecord } from '../../src/model/journal-record.js';
import { finerRecord } from '../../src/storage/journal/finer-record.js';
import { acceptedOf, checkpointOf, endOf, fillOf, prepOf, termsOf } from '../support/intents.js';
import { BTC } from '../support/markets.js';

const { pair } = BTC;
const DAY_MS = 86_400_000;

function booksOf(...records: readonly JournalRecord[]): Books {
  const books = new Books();
  for (const record of records) books.apply(record);
  return books;
}

const stageOf = (books: Books, key = 'a') => books.intent(key)?.stage;

describe('what a journal says about an intent', () => {
  test('is that nobody knows what became of it, when the journal ends behind its record', () => {
    const books = booksOf(prepOf('a', { sentAt: 7 }));
    expect(books.intents(pair)).toEqual([
      {
        key: 'a',
        pair,
        terms: termsOf(),
        tag: 'a',
        sentAt: 7,
        stage: 'sent',
        orderId: undefined,
        judgedAt: undefined,
        uncovered: true,
      },
    ]);
    expect(books.openOrders(pair)).toEqual([]);
  });

  test.each([
    [{ kind: 'out', intent: 'a', outcome: 'in-doubt', reason: 'timeout' }, 'in-doubt'],
    [{ kind: 'out', intent: 'a', outcome: 'refused', reason: 'no money' }, 'done'],
    [{ kind: 'out', intent: 'a', outcome: 'not-sent', reason: 'no route' }, 'done'],
    [acceptedOf('a', '1'), 'live'],
    [{ kind: 'adopt', intent: 'a', orderId: '1', as: 'own', evidence: '' }, 'live'],
    [{ kind: 'adopt', intent: 'a', orderId: '1', as: 'late', evidence: '' }, 'live'],
    [{ kind: 'verdict', intent: 'a', verdict: 'refused', time: 5, evidence: '' }, 'done'],
    [{ kind: 'verdict', intent: 'a', verdict: 'not-placed', time: 5, evidence: '' }, 'not-placed'],
    [{ kind: 'verdict', intent: 'a', verdict: 'disputed', time: 5, evidence: '' }, 'disputed'],
  ] as const)('is what %o proves', (record, stage) => {
    expect(stageOf(booksOf(prepOf('a'), record))).toBe(stage);
  });

  test('is done when its order has ended, and remembers which that was', () => {
    const books = booksOf(prepOf('a'), acceptedOf('a', '1'), endOf('a', '1'));
    expect(books.intent('a')).toMatchObject({ stage: 'done', orderId: '1' });
    expect(books.order('1')).toMatchObject({ end: 'canceled', fills: [] });
    expect(books.bound.get('1')).toBe('a');
  });

  test('is not changed by the end of one order too many', () => {
    const books = booksOf(
      prepOf('a'),
      acceptedOf('a', '1'),
      { kind: 'adopt', intent: 'a', orderId: '2', as: 'surplus', evidence: '' },
      endOf('a', '2'),
    );
    expect(books.intent('a')).toMatchObject({ stage: 'live', orderId: '1' });
    expect(books.openOrders(pair).map(({ orderId }) => orderId)).toEqual(['1']);
  });

  test('is nothing when it was never written that it was sent', () => {
    const books = booksOf(
      acceptedOf('a', '1'),
      { kind: 'adopt', intent: 'a', orderId: '1', as: 'own', evidence: '' },
      { kind: 'verdict', intent: 'a', verdict: 'not-placed', time: 0, evidence: '' },
      endOf('a', '1'),
    );
    expect(books.state()).toEqual(new Books().state());
  });

  test('is a tombstone from its verdict on, until its order shows up', () => {
    const verdict: JournalRecord = {
      kind: 'verdict',
      intent: 'a',
      verdict: 'not-placed',
      time: 50,
      evidence: '',
    };
    const books = booksOf(prepOf('a'), verdict);
    expect(books.tombstones(pair, 50).map(({ key }) => key)).toEqual(['a']);
    expect(books.tombstones(pair, 51)).toEqual([]);
    expect(books.tombstones('OTHER', 0)).toEqual([]);
    books.apply({ kind: 'adopt', intent: 'a', orderId: '1', as: 'late', evidence: '' });
    expect(books.tombstones(pair, 0)).toEqual([]);
  });
});

describe('what a journal says about a pair', () => {
  test('is no position before the first checkpoint, and the sum of its fills behind it', () => {
    expect(booksOf(prepOf('a')).position(pair)).toBeUndefined();
    const books = booksOf(
      checkpointOf(7, 100),
      fillOf('1', 3, { time: 101 }),
      fillOf('2', -5, { time: 102 }),
    );
    expect(books.position(pair)).toBe(5);
    expect(books.fills(pair)?.newest).toBe(102);
  });

  test('counts the fills of an order with the order, and those of nobody only in the position', () => {
    const books = booksOf(
      checkpointOf(0),
      prepOf('a'),
      acceptedOf('a', '1'),
      fillOf('f1', 3, { orderId: '1', time: 10, intent: 'a' }),
      fillOf('f1', 3, { orderId: '1', time: 10, intent: 'a' }),
      fillOf('f2', 4, { time: 11 }),
    );
    expect(books.order('1')?.fills).toEqual([{ id: 'f1', lots: 3 }]);
    expect(books.position(pair)).toBe(7);
  });

  test('counts a fill with its order also where a checkpoint has it in the position', () => {
    const books = booksOf(prepOf('a'), acceptedOf('a', '1'), checkpointOf(3, 20));
    books.apply(fillOf('f1', 3, { orderId: '1', time: 10, intent: 'a' }));
    expect(books.position(pair)).toBe(3);
    expect(books.order('1')?.fills).toEqual([{ id: 'f1', lots: 3 }]);
  });

  test('counts a fill with its order also where it was taken for somebody else’s before', () => {
    const books = booksOf(checkpointOf(0), prepOf('a'), fillOf('f1', 3, { time: 10 }), acceptedOf('a', '1'));
    books.apply(fillOf('f1', 3, { orderId: '1', time: 10, intent: 'a' }));
    expect(books.position(pair)).toBe(3);
    expect(books.order('1')?.fills).toEqual([{ id: 'f1', lots: 3 }]);
  });

  describe('of a fill from before the checkpoint, by its time,', () => {
    const fill = fillOf('f1', 3, { orderId: '1', time: 10, intent: 'a' });
    const sent = [prepOf('a'), acceptedOf('a', '1')];

    test('is that it counts where its order was sent after the checkpoint, and once', () => {
      const books = booksOf(checkpointOf(0, 20), ...sent);
      expect(books.hasFill(pair, fill.fill)).toBe(false);
      books.apply(fill);
      expect(books.hasFill(pair, fill.fill)).toBe(true);
      books.apply(fill);
      books.apply(endOf('a', '1', 3));
      books.apply(fill);
      expect(books.hasFill(pair, fill.fill)).toBe(true);
      expect(books.position(pair)).toBe(3);
    });

    test('is the same after a snapshot, and by what earlier versions put away that it is in the checkpoint', () => {
      const state = booksOf(checkpointOf(0, 20), ...sent).state();
      const without = (name: string) =>
        JSON.parse(
          JSON.stringify(state, (key, value: unknown) => (key === name ? undefined : value)),
        ) as typeof state;
      const books = Books.restore(without('nothing'));
      books.apply(fill);
      expect(books.position(pair)).toBe(3);
      const older = Books.restore(without('uncovered'));
      older.apply(fill);
      expect(older.position(pair)).toBe(0);
    });

    test('is that a checkpoint has it which names it, or was made since its order was sent', () => {
      const named = booksOf(checkpointOf(3, 20, ['f1']), ...sent, fill);
      expect(named.position(pair)).toBe(3);
      const since = booksOf(checkpointOf(0, 5), ...sent, checkpointOf(3, 20), fill);
      expect(since.hasFill(pair, fill.fill)).toBe(true);
      expect(since.position(pair)).toBe(3);
      const others = booksOf(checkpointOf(0, 20), ...sent, { ...checkpointOf(3, 20), pair: 'OTHER' }, fill);
      expect(others.position(pair)).toBe(3);
    });

    test('is that the checkpoint has it where it is of no order of ours', () => {
      expect(booksOf(checkpointOf(0, 20), ...sent, fillOf('f1', 3, { time: 10 })).position(pair)).toBe(0);
    });
  });

  test('is that it waits for an operator, until a checkpoint of the same pair', () => {
    const state = (name: 'QUARANTINED' | 'SUSPECT'): JournalRecord => {
      return { kind: 'state', pair, state: name, reason: 'odd', time: 0 };
    };
    const books = booksOf(state('SUSPECT'));
    expect(books.quarantine(pair)).toBeUndefined();
    books.apply(state('QUARANTINED'));
    books.apply({ ...checkpointOf(0), pair: 'OTHER' });
    expect(books.quarantine(pair)).toBe('odd');
    books.apply(checkpointOf(0));
    expect(books.quarantine(pair)).toBeUndefined();
  });
});

describe('what a journal says about a bot', () => {
  test('keeps what limits remember, and forgets a fall at a resume: somebody has looked at it', () => {
    const memory = { peak: '120', fell: true, losses: 2, pausedUntil: 7 };
    const day = { day: '2026-01-01', equity: '100', tripped: true };
    const books = new Books();
    books.apply({ kind: 'baseline', ...day, memory, wall: 0 });
    expect(Books.restore(books.state()).baseline).toEqual({ ...day, memory });
    books.apply({ kind: 'resume', reason: 'looked at', by: 'ann', wall: 1 });
    expect(books.baseline).toEqual({ ...day, memory: { fell: false, losses: 2, pausedUntil: 7 } });
    // A peak that nothing fell from far enough stays.
    books.apply({ kind: 'baseline', ...day, memory: { ...memory, fell: false }, wall: 2 });
    books.apply({ kind: 'resume', reason: 'something else', by: 'ann', wall: 3 });
    expect(books.baseline).toEqual({ ...day, memory: { ...memory, fell: false } });
  });

  test('keeps each halt until somebody resumes: a weaker one beside a stronger one ends nothing', () => {
    const latched = (level: HaltLevel, reason: string): JournalRecord => ({
      kind: 'halt',
      level,
      reason,
      by: 'b',
      wall: 0,
    });
    const liquidated = latched('pause', 'the venue liquidated');
    const books = booksOf(latched('cancel', 'looked odd'), liquidated, liquidated);
    const all = { halt: 'cancel', haltReason: 'looked odd; the venue liquidated' } as const;
    expect(books).toMatchObject(all);
    expect(books.halts).toEqual([
      { level: 'cancel', reason: 'looked odd', by: 'b' },
      { level: 'pause', reason: 'the venue liquidated', by: 'b' },
    ]);
    expect(Books.restore(books.state())).toMatchObject(all);
    books.apply(latched('flatten', 'out'));
    expect(books).toMatchObject({ halt: 'flatten', haltReason: 'out; looked odd; the venue liquidated' });
    for (let i = 0; i < 100; i++) books.apply(latched('pause', String(i)));
    expect(books.halts).toHaveLength(32);
    expect(books.halt).toBe('flatten');
    books.apply({ kind: 'resume', reason: 'r', by: 'b', wall: 0 });
    expect(books).toMatchObject({ halt: undefined, haltReason: undefined, halts: [] });
  });

  test('keeps the halt of a snapshot that an earlier version wrote', () => {
    const { halts: _, ...state } = booksOf({
      kind: 'halt',
      level: 'cancel',
      reason: 'r',
      by: 'b',
      wall: 0,
    }).state();
    expect(Books.restore(state)).toMatchObject({ halt: 'cancel', haltReason: 'r' });
  });

  test('is its newest session, halt and baseline; remarks change nothing', () => {
    const start: JournalRecord = { kind: 'start', session: 's1', wall: 0, engine: 'x', hashes: {} };
    const books = booksOf(
      start,
      { ...start, session: 's2' },
      { kind: 'halt', level: 'cancel', reason: 'r', by: 'b', wall: 0 },
      { kind: 'baseline', day: '2026-01-01', equity: '100', tripped: true, wall: 0 },
    );
    expect(books).toMatchObject({ session: 's2', halt: 'cancel' });
    expect(books.baseline).toEqual({ day: '2026-01-01', equity: '100', tripped: true });
    const before = JSON.stringify(books.state());
    books.apply({ kind: 'note', text: 'hello', wall: 0 });
    books.apply({ kind: 'cancel', intent: 'a', orderId: '1', why: 'asked for' });
    const refusal = { rule: 'r', asked: '1', bound: '2', reason: 'r', time: 0 };
    books.apply({ kind: 'refusal', pair, intent: undefined, ...refusal });
    expect(JSON.stringify(books.state())).toBe(before);
    books.apply({ kind: 'resume', reason: 'r', by: 'b', wall: 0 });
    expect(books.halt).toBeUndefined();
  });
});

describe('memory', () => {
  /** More intents than any cleaning waits for, a day and an hour later, each refused. */
  const later = (count = 600): JournalRecord[] =>
    Array.from({ length: count }, (_, index) => `later-${index}`).flatMap((key) => [
      prepOf(key, { sentAt: DAY_MS + 3_600_000 }),
      { kind: 'out', intent: key, outcome: 'refused', reason: 'no' },
    ]);
  const outcomes: readonly (readonly [string, readonly JournalRecord[], boolean])[] = [
    ['without an answer', [], true],
    ['in doubt', [{ kind: 'out', intent: 'a', outcome: 'in-doubt', reason: 'r' }], true],
    ['live', [acceptedOf('a', '1')], true],
    ['disputed', [{ kind: 'verdict', intent: 'a', verdict: 'disputed', time: 0, evidence: '' }], true],
    ['given up', [{ kind: 'verdict', intent: 'a', verdict: 'not-placed', time: 0, evidence: '' }], false],
    ['refused', [{ kind: 'out', intent: 'a', outcome: 'refused', reason: 'r' }], false],
    ['ended', [acceptedOf('a', '1'), endOf('a', '1')], false],
    // Lists show it for long after, and without an echo it must not be taken for another's.
    ['ended an hour ago', [acceptedOf('a', '1'), { ...endOf('a', '1'), time: DAY_MS }], true],
    [
      'given up an hour ago',
      [{ kind: 'verdict', intent: 'a', verdict: 'not-placed', time: DAY_MS, evidence: '' }],
      true,
    ],
    [
      'ended with an order too many that has not',
      [
        acceptedOf('a', '1'),
        { kind: 'adopt', intent: 'a', orderId: '2', as: 'surplus', evidence: '' },
        endOf('a', '1'),
      ],
      true,
    ],
  ];

  test.each(outcomes)('of an intent that is %s a day later', (_, records, isKept) => {
    const books = booksOf(prepOf('a', { tag: undefined }), ...records, ...later());
    expect(books.intent('a') !== undefined).toBe(isKept);
    if (isKept) for (const { intent } of books.openOrders(pair)) expect(books.intent(intent)).toBeDefined();
    else expect(books.bound.has('1')).toBe(false);
  });

  test('keeps what was sent less than a day ago', () => {
    const books = booksOf(
      prepOf('a', { sentAt: 3_600_001, tag: undefined }),
      { kind: 'out', intent: 'a', outcome: 'refused', reason: 'r' },
      ...later(),
    );
    expect(books.intent('a')).toBeDefined();
  });

  test('of what carried its tag and is done is over in little more than the hour that limits count', () => {
    const done: JournalRecord[] = [prepOf('a'), acceptedOf('a', '1'), { ...endOf('a', '1'), time: 60_000 }];
    const graved: JournalRecord = {
      kind: 'verdict',
      intent: 'b',
      verdict: 'not-placed',
      time: 0,
      evidence: '',
    };
    const books = booksOf(...done, prepOf('b'), graved, prepOf('c', { sentAt: 3_660_000 }));
    expect(books.intents(pair).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    books.apply(prepOf('d', { sentAt: 4_320_000 }));
    expect(books.intents(pair).map(({ key }) => key)).toEqual(['b', 'c', 'd']);
    expect(books.order('1')).toBeUndefined();
    expect([...books.bound]).toEqual([]);
  });

  test('goes with the time, not with how many there are', () => {
    const refused = (key: string): JournalRecord => ({
      kind: 'out',
      intent: key,
      outcome: 'refused',
      reason: 'r',
    });
    const books = booksOf(prepOf('a', { tag: undefined }), refused('a'), prepOf('b', { sentAt: DAY_MS }));
    expect(books.intent('a')).toBeDefined();
    books.apply(prepOf('c', { sentAt: DAY_MS + 60_000 }));
    expect(books.intent('a')).toBeUndefined();
  });

  test('waits for the end of each order of an intent', () => {
    const books = booksOf(
      prepOf('a'),
      acceptedOf('a', '1'),
      { ...endOf('a', '1'), time: 1_000 },
      { kind: 'adopt', intent: 'a', orderId: '2', as: 'surplus', evidence: '' },
      prepOf('b', { sentAt: DAY_MS }),
    );
    expect(books.openOrders(pair).map(({ orderId }) => orderId)).toEqual(['2']);
    expect(books.intent('a')).toBeDefined();
    books.apply({ ...endOf('a', '2'), time: DAY_MS });
    books.apply(prepOf('c', { sentAt: DAY_MS + 60_000 }));
    expect(books.intent('a')).toBeDefined();
    books.apply(prepOf('d', { sentAt: 2 * DAY_MS }));
    expect(books.intents(pair).map(({ key }) => key)).toEqual(['b', 'c', 'd']);
    expect(books.bound.size).toBe(0);
  });

  test('does not grow with the orders and fills of past days', () => {
    const books = booksOf(checkpointOf(0));
    for (let index = 0; index < 20_000; index++) {
      const key = `k${index}`;
      const orderId = `o${index}`;
      const time = index * 60_000;
      books.apply(prepOf(key, { sentAt: time }));
      books.apply(acceptedOf(key, orderId));
      books.apply(fillOf(`f${index}`, 10, { orderId, time, intent: key }));
      books.apply(endOf(key, orderId, 10));
      books.apply({ kind: 'cut', pair, position: (10 * (index + 1)) as Lots, time });
    }
    expect(books.position(pair)).toBe(200_000);
    // 60 an hour, and what is done is remembered for little more than one.
    expect(books.intents(pair).length).toBeLessThan(75);
    expect(books.bound.size).toBe(books.intents(pair).length);
    expect(books.state().fills[0]?.known.length).toBeLessThan(2_500);
  });
});

test('what halts a life for good halts its replay, too, whoever resumes', () => {
  const books = new Books();
  books.haltForGood({ level: 'cancel', reason: 'the disk is full', by: 'disk' });
  const replayed = Books.restore(structuredClone(books.state()));
  for (const each of [books, replayed]) {
    each.apply({ kind: 'resume', reason: 'go on', by: 'anna', wall: 1 });
    expect([each.halt, each.haltReason]).toEqual(['cancel', 'the disk is full']);
  }
  expect(new Books().state()).not.toHaveProperty('lasting');
});

describe('ticks and lots that become finer', () => {
  const gridOf = (price: number, quantity: number, of = pair): JournalRecord => ({
    kind: 'grid',
    pair: of,
    price,
    quantity,
  });
  const held = [
    prepOf('a'),
    acceptedOf('a', '1'),
    fillOf('f1', 4, { orderId: '1', intent: 'a', time: 5 }),
  ] as const;

  test('leave quantities and prices of all that was written before what they are', () => {
    const books = booksOf(gridOf(1, 3), ...held, gridOf(2, 4));
    expect(books.gridOf(pair)).toEqual({ price: 2, quantity: 4 });
    expect(books.position(pair)).toBe(40);
    expect(books.intent('a')?.terms).toEqual({ ...termsOf(), lots: 100, ticks: 6_000_000 });
    expect(books.order('1')?.fills).toEqual([{ id: 'f1', lots: 40 }]);
    books.apply(fillOf('f2', 60, { orderId: '1', intent: 'a', time: 6 }));
    expect(books.position(pair)).toBe(100);
  });

  test('leave the price that a stop waits for what it is', () => {
    const prep = prepOf('a', { terms: termsOf({ trigger: { ticks: 590_000 as Ticks, event: 'last' } }) });
    expect(booksOf(gridOf(1, 3), prep, gridOf(2, 3)).intent('a')?.terms.trigger).toEqual({
      ticks: 5_900_000,
      event: 'last',
    });
    expect(finerRecord(prep, { ticks: 10, lots: 1 })).toMatchObject({
      terms: { trigger: { ticks: 5_900_000 } },
    });
  });

  test('are what everything was counted in where they are said for the first time', () => {
    expect(booksOf(...held, gridOf(2, 4)).position(pair)).toBe(4);
  });

  test('are those of their pair alone, and never coarser again', () => {
    const books = booksOf(gridOf(1, 3), ...held, gridOf(0, 9, 'USD_ETH_PERP'), gridOf(1, 4), gridOf(1, 3));
    expect(books.position(pair)).toBe(40);
    expect(books.gridOf(pair)).toEqual({ price: 1, quantity: 4 });
  });
});
