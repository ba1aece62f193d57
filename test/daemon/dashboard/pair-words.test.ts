import { expect, it } from 'vitest';
import { heldWords, orderWords, whyWords } from '../../../src/daemon/dashboard/pair-words.js';
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
