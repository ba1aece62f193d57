import { expect, it } from 'vitest';
import { heldWords, orderWords } from '../../../src/daemon/dashboard/pair-words.js';
import { pairFacts } from './facts.js';

it.each([
  [{ position: '0.125' }, 'long 0.125'],
  [{ position: '-2' }, 'short 2'],
  [{ position: '0' }, '0'],
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
