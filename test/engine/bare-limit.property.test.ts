import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StopWorld, type Step } from '../support/stop-world.js';

const LIMIT = 3_000;
/** The longest time from one event to the next, ms. */
const APART = 1_000;

const pick = fc.nat({ max: 9 });
const price = fc.integer({ min: 599_990, max: 600_010 });
const lots = fc.integer({ min: -6, max: 6 });

const act: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('want' as const),
    price,
    lots,
    /** Ticks from the price to the stop; 0: without one. */
    stop: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(0)),
  }),
  fc.record({
    kind: fc.constantFrom('same', 'move', 'flat', 'quote', 'orders', 'submit', 'cancel-own'),
    price,
    lots,
  }),
);
const wait: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.constantFrom(1, 100, 250, APART),
});
const news: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('trade' as const), price }) },
  // Of orders that rest: they are filled, or the venue ends them, stops as well.
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('fill', 'fill-part', 'end'), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late-fill' as const), lots }) },
);
const steps = fc.array(
  fc.oneof({ weight: 3, arbitrary: act }, { weight: 6, arbitrary: wait }, { weight: 4, arbitrary: news }),
  { minLength: 20, maxLength: 120, size: 'max' },
);

it('at a venue that answers at once no position is longer without a stop than the limit and one event', () => {
  const seen = { hits: 0, within: 0 };
  fc.assert(
    fc.property(steps, (each) => {
      const world = new StopWorld('one by one', LIMIT);
      for (const step of each) {
        world.take(step);
        world.answerAtOnce();
        const { longestBareMs = 0, bareMs = 0 } = world.engine.bareExposure ?? {};
        expect(longestBareMs).toBeLessThanOrEqual(LIMIT + APART);
        // It acts when the limit has passed, and only then.
        expect((world.engine.bareUse?.hits ?? 0) > 0).toBe(longestBareMs >= LIMIT);
        expect(world.engine.bareUse?.isOver).toBe(false);
        if (bareMs > LIMIT && longestBareMs < LIMIT) seen.within++;
      }
      seen.hits += world.engine.bareUse?.hits ?? 0;
    }),
    { numRuns: 200 },
  );
  // The property says nothing if nothing happened.
  expect(seen.hits).toBeGreaterThan(5);
  expect(seen.within).toBeGreaterThan(10);
});

it('rows that run are decided as trades are, with the limit too', () => {
  let hits = 0;
  fc.assert(
    fc.property(steps, (each) => {
      const [one, run] = [new StopWorld('one by one', LIMIT), new StopWorld('run', LIMIT)];
      for (const [at, step] of each.entries()) {
        for (const world of [one, run]) {
          world.take(step);
          // Not always: what is on its way at the time counts as bare as well.
          if (at % 3 > 0) world.answerAtOnce();
        }
      }
      expect(run.decisions).toEqual(one.decisions);
      expect(run.engine.wantsHash()).toBe(one.engine.wantsHash());
      expect(run.engine.bareExposure).toEqual(one.engine.bareExposure);
      expect(run.engine.bareUse).toEqual(one.engine.bareUse);
      hits += one.engine.bareUse?.hits ?? 0;
    }),
    { numRuns: 80 },
  );
  expect(hits).toBeGreaterThan(2);
});

it.each([
  'reject',
  'end',
] as const)('a venue that answers each close by %s gets no storm of orders', (refusal) => {
  fc.assert(
    fc.property(steps, price, fc.integer({ min: 400, max: 5_000 }), (each, last, pause) => {
      const world = new StopWorld('one by one', LIMIT);
      for (const step of each) {
        world.take(step);
        world.answerAtOnce();
      }
      // Pauses grow to 10 s and more; the way there is a dozen orders, and at most three go at once.
      expect(world.sentWhileRefused(refusal, { forMs: 600_000, pause, price: last })).toBeLessThan(
        3 * (60 + 12),
      );
    }),
    { numRuns: 5 },
  );
});
