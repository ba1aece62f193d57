import fc from 'fast-check';
import { expect, test } from 'vitest';
import { worstCase } from '../../src/execution/exposure-check.js';
import type { Lots } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import { termsOf } from '../support/intents.js';

const order = fc
  .tuple(fc.constantFrom('buy' as const, 'sell' as const), fc.integer({ min: 1, max: 50 }), fc.boolean())
  .map(([side, lots, reduceOnly]) => termsOf({ side, lots: lots as Lots, reduceOnly }));

/** By trying each world: of every order whole or nothing; in all of them the new one fills. */
function largest(position: number, terms: OrderTerms, others: readonly OrderTerms[]): number {
  const signed = ({ side, lots }: OrderTerms) => (side === 'buy' ? lots : -lots);
  let worlds = [position + signed(terms)];
  for (const other of others.filter(({ reduceOnly, side }) => !reduceOnly && side === terms.side)) {
    worlds = worlds.flatMap((world) => [world, world + signed(other)]);
  }
  // On the side of the new order; on the other side it makes nothing worse.
  const sign = terms.side === 'buy' ? 1 : -1;
  return Math.abs(Math.max(...worlds.map((world) => world * sign)));
}

test('the worst case is the worst of all worlds on the side of the new order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -80, max: 80 }),
      order,
      fc.array(order, { maxLength: 7 }),
      (position, terms, others) => {
        const found = worstCase(
          position as Lots,
          terms,
          others.map((other) => ({ terms: other })),
        );
        expect(found).toBe(largest(position, terms, others));
      },
    ),
  );
});

test('what rests on the other side and what only reduces does not count', () => {
  const others = [termsOf({ side: 'sell' }), termsOf({ reduceOnly: true }), termsOf({ lots: 3 as Lots })];
  expect(
    worstCase(
      5 as Lots,
      termsOf({ lots: 2 as Lots }),
      others.map((terms) => ({ terms })),
    ),
  ).toBe(10);
});
