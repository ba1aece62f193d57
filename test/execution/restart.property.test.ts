import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { Fault } from '../support/fake-venue-api.js';
import { type BotLife, RestartDesk } from '../support/restart-desk.js';
import { cancelOf, placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;

/** What a bot does, or the venue, before the next thing happens. */
type Step =
  | { readonly kind: 'place'; readonly lots: number; readonly side: 'buy' | 'sell' }
  | { readonly kind: 'cancel'; readonly nth: number }
  | { readonly kind: 'fill'; readonly nth: number; readonly lots: number }
  | { readonly kind: 'wait'; readonly ms: number };

const nth = fc.nat(8);
const lots = fc.integer({ min: 1, max: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      lots,
      side: fc.constantFrom('buy' as const, 'sell' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fill' as const), nth, lots }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 3_000 }) }),
  },
);

const life = fc.record({
  steps: fc.array(step, { maxLength: 15 }),
  /** Dies at this record, before it is written. */
  recordsLeft: fc.integer({ min: 1, max: 25 }),
  powerToo: fc.boolean(),
  faults: fc.array(
    fc.constantFrom<(Fault | undefined)[]>(
      undefined,
      undefined,
      undefined,
      'lost',
      'unanswered',
      'late',
      'refuse',
      'not-sent',
    ),
    { maxLength: 12 },
  ),
  latency: fc.constantFrom(0, 0, 40, 700),
});

test('wherever a bot dies, its next life knows all that it sent, and what became of it', async () => {
  let deaths = 0;
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
      const desk = new RestartDesk();
      desk.venue.lateMs = 4_000;
      for (const { steps, recordsLeft, powerToo, faults, latency } of lives) {
        let left = recordsLeft;
        let asked = 0;
        desk.venue.latency = () => latency;
        desk.venue.fault = (kind) => (kind === 'place' || kind === 'cancel' ? faults[asked++] : undefined);
        const dying = (_: unknown, it: BotLife) => {
          // The record of its own start is written before there is anybody to kill.
          if (left-- === 0) it.kill();
        };
        const bot = desk.begin({ onRecord: dying });
        await desk.time.advance(2_500);
        let intents = 0;
        for (const each of steps) {
          const orders = desk.venue.truth();
          const order =
            each.kind === 'cancel' || each.kind === 'fill'
              ? orders[each.nth % Math.max(1, orders.length)]
              : undefined;
          if (each.kind === 'wait') await desk.time.advance(each.ms);
          else if (each.kind === 'place')
            bot.execution.send(placeOf(++intents, { lots: each.lots as Lots, side: each.side }));
          else if (order !== undefined && each.kind === 'fill') desk.venue.fill(order.id, each.lots, PRICE);
          else if (order !== undefined && intents > 0)
            bot.execution.send(cancelOf(1 + (Number(order.id) % intents), order.id));
          await desk.time.advance(1);
        }
        if (bot.isDead) deaths++;
        bot.kill();
        if (powerToo) desk.journal.losePower();
      }
      desk.venue.fault = () => undefined;
      desk.venue.latency = () => 0;
      const last = await desk.start();
      // Past the last late order, and every bound of a verdict.
      await desk.time.advance(200_000);
      const { state, reason } = last.execution.state();
      expect(`${state}: ${reason}`).toBe('SYNCED: orders, fills and position agree');
      const orders = desk.venue.truth();
      const held = orders.reduce(
        (sum, { side, filledQuantity }) =>
          sum + (side === 'buy' ? 1 : -1) * Math.round(filledQuantity * 1_000),
        0,
      );
      expect(last.execution.position).toBe(held === 0 ? 0 : held);
      expect(orders.filter(({ status }) => status === 'ACTIVE')).toEqual([]);
      // Each order is of an intent that was written down before, and no intent has two.
      const prepared = new Set(
        desk.journal.records.flatMap((record) => (record.kind === 'prep' ? [record.intent] : [])),
      );
      const tags = orders.map(({ oco }) => oco ?? '');
      expect(new Set(tags).size).toBe(tags.length);
      for (const tag of tags) expect(prepared.has(tag), `${tag} was written down`).toBe(true);
      // And its end is in the journal, with what was filled.
      const ends = new Map(
        desk.journal.records.flatMap((record) =>
          record.kind === 'end' ? [[record.orderId, record.filled]] : [],
        ),
      );
      for (const { id, filledQuantity } of orders)
        expect(ends.get(id)).toBe(Math.round(filledQuantity * 1_000));
      found += desk.journal.records.filter(({ kind }) => kind === 'adopt').length;
    }),
    { numRuns: 200, seed: 4 },
  );
  // What was meant to happen did.
  expect(deaths).toBeGreaterThan(20);
  expect(found).toBeGreaterThan(5);
});
