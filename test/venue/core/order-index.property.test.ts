import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderIndex } from '../../../src/venue/core/order-index.js';
import type { CoreOrder } from '../../../src/venue/core/account.js';

/** The index looks at nothing of an order but its number. */
function order(sequence: number): CoreOrder {
  return { sequence } as CoreOrder;
}

describe('the orders by their numbers', () => {
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ add: fc.integer({ min: 1, max: 1_500 }), skip: fc.nat({ max: 2_500 }) }),
    },
    { weight: 2, arbitrary: fc.record({ remove: fc.nat(), many: fc.integer({ min: 1, max: 3_000 }) }) },
    { weight: 1, arbitrary: fc.record({ look: fc.array(fc.nat({ max: 20_000 }), { maxLength: 20 }) }) },
  );

  it('are found as in a map, whatever came, went and was asked for before', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.nat({ max: 3_000 }), (steps, first) => {
        const index = new OrderIndex();
        const plain = new Map<number, CoreOrder>();
        let next = first;
        for (const each of steps) {
          if ('add' in each) {
            next += each.skip;
            for (let n = 0; n < each.add; n++, next++) {
              const made = order(next);
              index.add(made);
              plain.set(next, made);
            }
          } else if ('remove' in each) {
            const kept = [...plain.values()];
            const from = each.remove % (kept.length + 1);
            for (const gone of kept.slice(from, from + each.many)) {
              index.remove(gone);
              plain.delete(gone.sequence);
            }
          } else {
            for (const sequence of each.look) expect(index.get(sequence)).toBe(plain.get(sequence));
          }
          expect(index.get(next)).toBeUndefined();
        }
        for (let sequence = first; sequence < next; sequence++) {
          if (index.get(sequence) !== plain.get(sequence)) expect(sequence).toBe('found as in the map');
        }
      }),
      { numRuns: 60 },
    );
  });
});
