import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { Pace } from '../../src/gate/pace.js';
import { approved } from './state.js';

it('there is room for an order exactly when a recount of the last 60 s finds fewer than the bound', () => {
  let refused = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.constantFrom(0, 1, 500, 9_000, 20_000, 60_000), { maxLength: 120, size: 'max' }),
      (bound, waits) => {
        const pace = new Pace({ ...NO_LIMITS, maxOrdersPerMinute: bound });
        const sent: number[] = [];
        let time = 1_700_000_000_000;
        for (const wait of waits) {
          time += wait;
          const recent = sent.filter((at) => at > time - 60_000).length;
          expect(pace.ordersWithin(time)).toBe(recent);
          expect(pace.ordersFreeAt <= time).toBe(recent < bound);
          if (recent >= bound) {
            refused++;
            continue;
          }
          pace.approved(approved({}), time);
          sent.push(time);
        }
        for (const from of sent) {
          expect(sent.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(bound);
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(refused).toBeGreaterThan(1_000);
});

it('news that is older than the newest order does not make room', () => {
  const pace = new Pace({ ...NO_LIMITS, maxOrdersPerMinute: 1 });
  pace.approved(approved({}), 100_000);
  pace.approved(approved({}), 10_000);
  expect(pace.ordersFreeAt).toBe(160_000);
});
