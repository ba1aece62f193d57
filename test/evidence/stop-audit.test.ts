import { describe, expect, it, test } from 'vitest';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import type { Side } from '../../src/model/side.js';
import { PAIR } from './kills/scene.js';
import {
  namedAllThatIsLeft,
  saidToBeLeft,
  type SeenOrder,
  type VenueBooks,
  wrongBooks,
} from './kills/stop-audit.js';

const fill = (id: string, orderId: string, side: Side, lots: number): JournalRecord => ({
  kind: 'fill',
  pair: PAIR,
  fill: {
    id,
    orderId,
    time: 2,
    side,
    lots: lots as Lots,
    ticks: 600_000 as Ticks,
    liquidity: 'taker',
    fee: 0n,
  },
  intent: 'a-1',
  liquidation: false,
});
const START: JournalRecord = {
  kind: 'checkpoint',
  pair: PAIR,
  position: 0 as Lots,
  time: 1,
  fillIds: [],
  by: 'test',
  reason: 'start',
};
const order = (tag: string, side: Side, filledQuantity: number): SeenOrder => ({ tag, side, filledQuantity });

/** Order 10 is booked; order 20 came of an intent in doubt, sold three lots, and one of its fills is booked. */
const RECORDS = [START, fill('f1', '10', 'buy', 5), fill('f2', '20', 'sell', 1)];
const VENUE: VenueBooks = {
  active: [],
  fills: [
    { id: 'f1', side: 'buy', quantity: 0.005 },
    { id: 'f2', side: 'sell', quantity: 0.001 },
    { id: 'f3', side: 'sell', quantity: 0.002 },
  ],
  position: 0.002,
  orders: new Map([
    ['10', order('a-1', 'buy', 0.005)],
    ['20', order('a-2', 'sell', 0.003)],
  ]),
};
const NOTHING = new Set<string>();
const DOUBT = new Set(['a-2']);

describe('a stop that leaves an order open', () => {
  it('need not have booked what that order filled', () => {
    expect(wrongBooks(RECORDS, VENUE, DOUBT)).toEqual([]);
    expect(wrongBooks(RECORDS, { ...VENUE, active: ['20'] }, DOUBT)).toEqual([]);
    expect(wrongBooks(RECORDS, VENUE, NOTHING)).toEqual([
      'fills not booked: f3',
      "own position 0.004, the venue's 0.002",
    ]);
  });

  it.each<[string, readonly JournalRecord[], VenueBooks, readonly string[]]>([
    ['a fill twice', [...RECORDS, fill('f1', '10', 'buy', 0)], VENUE, ['a fill is booked twice']],
    ['another working order', RECORDS, { ...VENUE, active: ['20', '10'] }, ['working orders 10']],
    [
      'more unbooked than that order filled',
      RECORDS,
      {
        ...VENUE,
        fills: [...VENUE.fills, { id: 'f4', side: 'sell', quantity: 0.001 }],
        position: 0.001,
      },
      ['fills not booked: f3, f4', "own position 0.004, the venue's 0.001"],
    ],
    [
      'a fill of the other side',
      RECORDS,
      { ...VENUE, fills: [...VENUE.fills, { id: 'f4', side: 'buy', quantity: 0.001 }], position: 0.003 },
      ['fills not booked: f4', "own position 0.002, the venue's 0.003"],
    ],
    ['another position', RECORDS, { ...VENUE, position: 0.009 }, ["own position 0.002, the venue's 0.009"]],
  ])('is not right with %s', (_, records, venue, wrong) => {
    expect(wrongBooks(records, venue, DOUBT)).toEqual(wrong);
  });
});

describe('a stop that says that it is not proven', () => {
  const accepted: JournalRecord = { kind: 'out', intent: 'a-1', outcome: 'accepted', orderId: '10' };
  const doubted: JournalRecord = { kind: 'out', intent: 'a-2', outcome: 'in-doubt', reason: 'no answer' };
  const adopted: JournalRecord = { kind: 'adopt', intent: 'a-2', orderId: '20', as: 'own', evidence: 'seen' };
  const end = (intent: string, orderId: string): JournalRecord => ({
    kind: 'end',
    intent,
    orderId,
    status: 'canceled',
    filled: 0 as Lots,
    time: 3,
  });
  const ended = [accepted, end('a-1', '10')];

  it.each<[string, readonly JournalRecord[], readonly string[], boolean]>([
    ['an intent in doubt, named', [...ended, doubted], ['a-2'], true],
    ['an intent in doubt, and another one named', [...ended, doubted], ['a-1', '10'], false],
    ['an order that its doubt became, named by its id', [...ended, doubted, adopted], ['20'], true],
    ['an order that its doubt became, named by its intent', [...ended, doubted, adopted], ['a-2'], true],
    ['an open order, not named', [...ended, doubted, adopted], ['10'], false],
    ['an open order and an intent in doubt, one of them named', [accepted, doubted], ['a-2'], false],
    ['an open order and an intent in doubt, both named', [accepted, doubted], ['a-2', '10'], true],
    ['nothing', [...ended, doubted, adopted, end('a-2', '20')], ['20'], false],
  ])('leaves %s', (_, records, said, isRight) => {
    expect(namedAllThatIsLeft(records, new Set(said))).toBe(isRight);
  });
});

test('what a program leaves open is read in whole words', () => {
  const said =
    'warning: a-7 late\nwarning: the stop is not proven; orders that may still be at the venue: 4711, intent a-12 (sent, its id is not known)\nbye a-3';
  const left = saidToBeLeft(said);
  expect(['a-12', '4711'].every((each) => left.has(each))).toBe(true);
  expect(['a-1', '47', 'a-7', 'a-3', ''].some((each) => left.has(each))).toBe(false);
  expect([...saidToBeLeft('a-12 was printed somewhere else')]).toEqual([]);
});
