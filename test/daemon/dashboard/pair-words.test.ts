import { expect, it } from 'vitest';
import {
  heldWords,
  limitWords,
  ordersOf,
  orderWords,
  stopsOf,
  whyWords,
} from '../../../src/daemon/dashboard/pair-words.js';
import { pairFacts } from './facts.js';

it.each([
  [{ position: '0.125' }, 'long 0.125'],
  [{ position: '-2' }, 'short 2'],
  [{ position: '0' }, '0'],
  [{ position: '0', ownPosition: '0.02' }, '0 (P&L counts long 0.02)'],
  [{ position: '0', source: 'journal' }, '0 (journal)'],
  [{ position: undefined, positionLots: 14, source: 'journal' }, '14 lots (journal)'],
  [{ position: undefined, positionLots: 0, source: 'journal' }, '0 lots (journal)'],
  [{ position: undefined, source: 'journal' }, 'not known yet'],
] as const)('of the position %j it says %s', (given, words) => {
  expect(heldWords(pairFacts('A', given))).toBe(words);
});

it('says of orders on whose word they are, and of none whether that is known', () => {
  const words = (given: Parameters<typeof pairFacts>[1], others = 0) =>
    Object.values(orderWords(pairFacts('A', { working: [], ...given }), others));
  expect(words({ orders: [] })).toEqual(['Working (0)', 'none', 'Also at the venue (0)']);
  expect(words({ orders: ['7'] }, 1)).toEqual(['Working (0)', 'none', 'Also at the venue (1)']);
  expect(words({ orders: ['7'], source: 'journal' }, 1)).toEqual([
    'Working (0)',
    'none',
    'By its journal (1)',
  ]);
  expect(words({ orders: undefined })[0]).toBe('Working');
  expect(words({ orders: undefined })[1]).toBe('not known yet');
});

const STOP = {
  side: 'sell',
  quantity: '0.125',
  price: undefined,
  triggerPrice: '66000.0',
  state: 'working',
  orderId: '8412009',
} as const;
const LEFT = { orderId: '17', side: 'sell', quantity: '0.125', triggerPrice: '65000.0' } as const;

it('tells the orders of the strategy, its stops, and what else is at the venue apart', () => {
  const { working } = pairFacts('A');
  const orders = ['8412003', '8412004', '8412009', '17', '9', 'intent 3 (in-doubt, its id is not known)'];
  const given = { orders, working: [...working, STOP], leftStops: [LEFT] };
  expect(ordersOf(pairFacts('A', given))).toEqual({ working, others: ['9'] });
  expect(ordersOf(pairFacts('A', { orders: undefined, working: [] }))).toEqual({ working: [], others: [] });
});

it('shows each stop, and whether the position is covered', () => {
  const stops = (given: Parameters<typeof pairFacts>[1]) => stopsOf(pairFacts('A', given));
  expect(stops({})).toEqual({ own: [], left: [], cover: undefined });
  expect(stops({ working: [STOP] })).toEqual({
    own: [STOP],
    left: [],
    cover: { tone: 'good', words: 'the whole position is covered' },
  });
  expect(stops({ working: [STOP], position: '0' }).cover).toBeUndefined();
  expect(stops({ working: [STOP], position: '0.2', ownPosition: '0.125' }).cover).toBeUndefined();
  expect(stops({ leftStops: [LEFT] })).toEqual({ own: [], left: [LEFT], cover: undefined });
});

it.each([
  [{}, 'bad', 'none at the venue: bare for 1 min 5 s'],
  [{ working: [STOP] }, 'bad', 'not covered whole for 1 min 5 s'],
  [{ leftStops: [LEFT] }, 'warning', 'this session has had none of its own for 1 min 5 s'],
])('of a position without a stop that covers it, and %j, it says %s %s', (given, tone, words) => {
  const pair = pairFacts('A', { working: [], bareMs: 65_000, ...given });
  expect(stopsOf(pair).cover).toEqual({ tone, words });
});

it.each([
  ['max-daily-loss', '1843.1042', '2000', '1\u202f843.10 of 2\u202f000'],
  ['price-collar', '0.00005', '0.02', '0.00005 of 0.02'],
  ['max-bare-time', '12400', '60000', '12 s of 1 min 0 s'],
  ['same-side-repeat', '0', '250', '0 ms of 250 ms'],
] as const)('shows of the limit %s that %s of %s is used as %s', (rule, used, bound, words) => {
  expect(limitWords({ rule, used, bound })).toBe(words);
});

it('says why a pair stands there to its end, where the venue does not answer for long', () => {
  const reason =
    'nothing was agreed with the venue for 20000 ms: the venue cannot be read [the last look failed: GET /active_orders was ' +
    'not asked: the private read breaker is open for 17.5 s more: 5 of the last 10 calls failed, the last with: ' +
    'GET /active_orders: no complete answer within 8000 ms]';
  expect(whyWords(pairFacts('A', { reason }))).toBe(reason);
  expect(whyWords(pairFacts('A', { reason, failure: 'it threw' }))).toBe('it threw');
  const cut = `${'A'.repeat(600)}… (10000 characters)`;
  expect(whyWords(pairFacts('A', { reason: 'A'.repeat(10_000) }))).toBe(cut);
});
