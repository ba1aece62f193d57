import { expect, test } from 'vitest';
import { Reasons } from '../../src/session/reasons.js';

const POLLS =
  'not-synced: only reduce-only orders may leave on P until this is over: no poll was handled yet';
const visitor = (fill: number) =>
  `not-synced: P must be SYNCED for an order that is not reduce-only, received QUARANTINED (fill ${fill} is of no order of ours)`;
const doubt = (order: number) => `not sent: P is SUSPECT: order tw-5f${order}-1 is in doubt`;

function counted(...texts: readonly string[]): readonly object[] {
  const reasons = new Reasons();
  for (const text of texts) reasons.add(text);
  return reasons.list();
}

test('a rule of many causes has a count for each, whatever numbers and ids are in them', () => {
  expect(counted(POLLS, visitor(7), visitor(8), POLLS, visitor(7), doubt(1), doubt(2))).toEqual([
    { reason: 'not-synced', count: 3, first: visitor(7) },
    { reason: 'not sent', count: 2, first: doubt(1) },
    { reason: 'not-synced', count: 2, first: POLLS },
  ]);
});

test('another rule is one reason, whatever it says', () => {
  const filter = (words: string) => `max-position: ${words}`;
  expect(counted(filter('a'), filter('b'))).toEqual([
    { reason: 'max-position', count: 2, first: filter('a') },
  ]);
});

test('causes are bounded, and those beyond are counted together', () => {
  const causes = Array.from({ length: 100 }, (_, index) => `halted: ${'x'.repeat(index + 1)}`);
  const list = counted(...causes) as readonly { readonly count: number }[];
  expect(list).toHaveLength(9);
  expect(list.reduce((sum, { count }) => sum + count, 0)).toBe(100);
});
