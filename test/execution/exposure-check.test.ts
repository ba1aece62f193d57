import fc from 'fast-check';
import { expect, test } from 'vitest';
import { worstCase } from '../../src/execution/exposure-check.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import { termsOf } from '../support/intents.js';

const order = fc
  .tuple(fc.constantFrom('buy' as const, 'sell' as const), fc.integer({ min: 1, max: 50 }), fc.boolean())
  .map(([side, lots, reduceOnly]) => termsOf({ side, lots: lots as Lots, reduceOnly }));

/** By trying each world: of every order whole or nothing; in all of them the new one fills. */
function largest(position: number, terms: OrderTerms, others: readonly OrderTerms[]): number {
  const signed = ({ side, lots }: OrderTerms) => (side === 'buy' ? lots : -lots);
  const ofSide = others.filter(({ side }) => side === terms.side);
  // What only reduces may fill first, up to the position that it reduces.
  const away = signed(terms) > 0 ? -position : position;
  const reducing = ofSide.filter(({ reduceOnly }) => reduceOnly).reduce((sum, { lots }) => sum + lots, 0);
  const reduced = Math.sign(signed(terms)) * Math.max(0, Math.min(away, reducing));
  let worlds = [position + signed(terms), position + reduced + signed(terms)];
  for (const other of others.filter(({ reduceOnly, side }) => !reduceOnly && side === terms.side)) {
    worlds = worlds.flatMap((world) => [world, world + signed(other)]);
  }
  // On the side of the new order; on the other side it makes nothing worse.
  const sign = terms.side === 'buy' ? 1 : -1;
  const worst = Math.abs(Math.max(...worlds.map((world) => world * sign)));
  // One that is still to come may take off all that is held, before any of these fills.
  const adding = ofSide
    .filter(({ reduceOnly }) => !reduceOnly)
    .reduce<number>((sum, { lots }) => sum + lots, terms.lots);
  return away > 0 ? Math.max(worst, adding) : worst;
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

test('a stop that may close the position first leaves the whole of the next order as the new one', () => {
  const trigger = { ticks: 610_000 as Ticks, event: 'last' } as const;
  const stop = termsOf({ lots: 40 as Lots, reduceOnly: true, trigger });
  expect(worstCase(-6 as Lots, termsOf({ lots: 43 as Lots }), [{ terms: stop }])).toBe(43);
  // Also one that comes later: it is not refused.
  expect(worstCase(-6 as Lots, termsOf({ lots: 43 as Lots }), [])).toBe(43);
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
