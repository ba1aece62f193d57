import { expect, it } from 'vitest';
import { problemTexts } from '../../src/daemon/problems.js';
import { pairFacts } from './dashboard/facts.js';

const CALM = {
  halted: undefined,
  unhalted: [],
  unwritten: undefined,
  foreign: [],
  memory: { rssBytes: 1 },
  startedWith: { config: 'bot.yaml', venue: undefined },
};

it('has what only a person ends first, then orders and positions that have to go, then what is not certain, whatever the order of the pairs', () => {
  const texts = problemTexts({
    ...CALM,
    pairs: [
      pairFacts('A_PERP', { ordersWait: 'the venue is away', doubt: 1 }),
      pairFacts('B_PERP', { state: 'SUSPECT', reason: 'a fill is missing' }),
      pairFacts('C_PERP', { running: false, failure: 'it threw' }),
      pairFacts('D_PERP', { running: false, state: 'QUARANTINED', reason: 'two accounts of one order' }),
      pairFacts('E_PERP', { noRiskBefore: '2026-05-21' }),
      pairFacts('F_PERP', { unrecorded: 'no space left' }),
      pairFacts('G_PERP', { bare: 'it is not closed yet' }),
    ],
    foreign: ['somebody else trades on this account'],
  });
  expect(texts.map((text) => text.slice(0, 6))).toEqual([
    'C_PERP',
    'D_PERP',
    'C_PERP',
    'G_PERP',
    'A_PERP',
    'B_PERP',
    'A_PERP',
    'E_PERP',
    'somebo',
    'F_PERP',
  ]);
});

it('says nothing while all is well', () => {
  expect(problemTexts({ ...CALM, pairs: [pairFacts('A_PERP'), pairFacts('B_PERP')] })).toEqual([]);
});
