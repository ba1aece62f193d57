import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StopWorld, type Step } from '../support/stop-world.js';

const pick = fc.nat({ max: 9 });
const price = fc.integer({ min: 599_990, max: 600_010 });
const lots = fc.integer({ min: -6, max: 6 });

const want: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('want' as const),
  price,
  lots,
  /** Ticks from the price to the stop; 0: without one, negative: beyond the market already, NaN: no number. */
  stop: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 8 }) },
    fc.constantFrom(0, 0, -1, Number.NaN),
  ),
});
const other: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('same', 'move', 'flat', 'quote', 'orders', 'submit', 'cancel-own'),
  price,
  lots,
});
const trade: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('trade' as const), price });
const answer: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    'accept',
    'accept',
    'fill',
    'fill',
    'fill-part',
    'cancel-done',
    'cancel-refused',
    'reject',
    'doubt',
    'end',
  ),
  pick,
});
const rare: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('permit' as const),
    permission: fc.constantFrom('all', 'reduce-only', 'cancel-only'),
  }),
  fc.record({ kind: fc.constant('late-fill' as const), lots }),
  fc.record({ kind: fc.constant('lot' as const), lot: fc.constantFrom(1, 2) }),
);
const wait: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.constantFrom(1, 100, 250, 1_000, 10_000, 60_000),
});
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: want },
    { weight: 5, arbitrary: other },
    { weight: 8, arbitrary: trade },
    { weight: 22, arbitrary: answer },
    { weight: 2, arbitrary: rare },
    { weight: 3, arbitrary: wait },
  ),
  { minLength: 10, maxLength: 90, size: 'max' },
);

it('whatever venue, market and strategy do: few stops, of the right side and size, and one in the end', () => {
  const seen = { stops: 0, out: 0, protected: 0, closedByStop: 0 };
  fc.assert(
    fc.property(steps, (each) => {
      const world = new StopWorld('one by one');
      for (const step of each) world.take(step);
      world.settle();
      if (world.engine.isStoppedOut) {
        seen.out++;
        world.staysOut();
      } else if (world.demandProtected()) seen.protected++;
      seen.stops += world.stops;
      seen.closedByStop += world.stopFills;
    }),
    { numRuns: 800 },
  );
  // The property says nothing if nothing happened.
  expect(seen.stops).toBeGreaterThan(500);
  expect(seen.out).toBeGreaterThan(100);
  expect(seen.protected).toBeGreaterThan(100);
  expect(seen.closedByStop).toBeGreaterThan(50);
});

it('rows that run are decided as trades are, with the same news of the venue between them', () => {
  fc.assert(
    fc.property(steps, (each) => {
      const [one, run] = [new StopWorld('one by one'), new StopWorld('run')];
      for (const step of each) {
        one.take(step);
        run.take(step);
      }
      one.settle();
      run.settle();
      expect(run.decisions).toEqual(one.decisions);
      expect(run.engine.wantsHash()).toBe(one.engine.wantsHash());
      expect(run.engine.bareExposure).toEqual(one.engine.bareExposure);
    }),
    { numRuns: 300 },
  );
});

it.each([
  'reject',
  'end',
] as const)('a venue that answers each stop by %s gets no storm of orders, whenever it begins with it', (refusal) => {
  fc.assert(
    fc.property(steps, price, fc.integer({ min: 100, max: 5_000 }), (each, last, pause) => {
      const world = new StopWorld('one by one');
      for (const step of each) world.take(step);
      // Pauses grow to 10 s and more; the way there is a dozen orders, and at most three go at once.
      expect(world.sentWhileRefused(refusal, { forMs: 600_000, pause, price: last })).toBeLessThan(
        3 * (60 + 12),
      );
    }),
    { numRuns: 12 },
  );
});
