import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { isTerminal, nextOrderState, type OrderEvent, type OrderState } from '../../src/model/order.js';
import type { ExecutionReport } from '../../src/model/report.js';
import type { CallKind, Fault } from '../support/fake-venue-api.js';
import { lotsIn } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { cancelOf, harness, placeOf, SESSION } from './harness.js';

type Step =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'place'; readonly lots: number; readonly side: 'buy' | 'sell' }
  /** Of the nth order that has an id. */
  | { readonly kind: 'cancel'; readonly nth: number }
  /** The venue fills or ends the nth order it holds. */
  | { readonly kind: 'fill'; readonly nth: number; readonly lots: number }
  | { readonly kind: 'end'; readonly nth: number };

const index = fc.integer({ min: 0, max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 4_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      lots: fc.integer({ min: 1, max: 20 }),
      side: fc.constantFrom('buy' as const, 'sell' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: index }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fill' as const),
      nth: index,
      lots: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), nth: index }) },
);

const scenario = fc.record({
  steps: fc.array(step, { maxLength: 60, size: 'max' }),
  faults: fc.array(
    fc.constantFrom<(Fault | undefined)[]>(
      undefined,
      undefined,
      undefined,
      'fail',
      'throttle',
      'not-sent',
      'lost',
      'unanswered',
      'late',
      'refuse',
    ),
    { maxLength: 120, size: 'max' },
  ),
  latencies: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 9 }),
  visibilityMs: fc.constantFrom(0, 0, 700, 3_000),
  /** Filled or ended on arrival, in lots; 0 rests. */
  onArrival: fc.array(fc.constantFrom(0, 0, 3, 50, -1), { minLength: 1, maxLength: 5 }),
  truthful: fc.boolean(),
});

const WRITES: readonly CallKind[] = ['place', 'cancel', 'cancelMany'];

/** What the engine's own table makes of the reports: it throws at any sequence that cannot be. */
class Ledger {
  readonly state = new Map<number, OrderState>();
  readonly filled = new Map<number, number>();
  readonly orderIds = new Map<number, string>();
  readonly ends = new Map<number, number>();
  readonly fillIds = new Set<string>();

  meet(intentId: number, event: OrderEvent): void {
    const before = this.state.get(intentId);
    if (before === undefined) throw new Error(`a report of an unknown intent ${intentId}`);
    const next = nextOrderState(before, event);
    this.state.set(intentId, next);
    if (isTerminal(next)) this.ends.set(intentId, (this.ends.get(intentId) ?? 0) + 1);
  }

  take(report: ExecutionReport, lotsOf: (intentId: number) => number): void {
    if (report.kind === 'late-fill') throw new Error('a fill of an order that was given up');
    const { intentId } = report;
    switch (report.kind) {
      case 'accepted':
        this.orderIds.set(intentId, report.orderId);
        return this.meet(intentId, 'accept');
      case 'rejected':
        return this.meet(intentId, 'reject');
      case 'in-doubt':
        return this.meet(intentId, 'doubt');
      case 'canceled':
        return this.meet(intentId, 'cancel');
      case 'cancel-rejected':
        // As the engine does: news of a cancel that is over is no news.
        if (this.state.get(intentId) === 'pending-cancel') this.meet(intentId, 'cancel-reject');
        return;
      case 'filled': {
        expect(this.fillIds.has(report.fill.id), 'a fill is told once').toBe(false);
        this.fillIds.add(report.fill.id);
        const filled = (this.filled.get(intentId) ?? 0) + report.fill.lots;
        this.filled.set(intentId, filled);
        return this.meet(intentId, filled === lotsOf(intentId) ? 'fill-rest' : 'fill-part');
      }
    }
  }
}

test('each intent is posted at most once and ends once, and its fills add up, under any faults', async () => {
  let ends = 0;
  let absent = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ steps, faults, latencies, visibilityMs, onArrival, truthful }) => {
      const { time, venue, execution, count } = await harness({ visibilityMs, lateMs: 12_000 });
      venue.visibilityMs = visibilityMs;
      venue.cancelAnswersTruly = truthful;
      let asked = 0;
      let faulty = true;
      venue.fault = (kind) => {
        const fault = faulty ? faults[asked++] : undefined;
        // Reads only fail; what happens to writes is for writes.
        return fault === undefined || WRITES.includes(kind) ? fault : 'fail';
      };
      let calls = 0;
      venue.latency = () => latencies[calls++ % latencies.length]!;
      let arrivals = 0;
      venue.onArrival = (id) => {
        const lots = onArrival[arrivals++ % onArrival.length]!;
        if (lots > 0) venue.fill(id, lots, 600_001 as Ticks, 'taker');
        if (lots < 0) venue.end(id, 'post-only would trade');
      };
      const ledger = new Ledger();
      const lots: number[] = [0];
      execution.reports$.subscribe((report) => ledger.take(report, (intentId) => lots[intentId]!));

      for (const one of steps) {
        const orders = venue.truth();
        if (one.kind === 'wait') await time.advance(one.ms);
        else if (one.kind === 'place') {
          const intentId = lots.push(one.lots) - 1;
          ledger.state.set(intentId, 'pending-new');
          execution.send(placeOf(intentId, { lots: one.lots as Lots, side: one.side }));
        } else if (one.kind === 'cancel') {
          const live = [...ledger.orderIds].filter(([intentId]) => !isTerminal(ledger.state.get(intentId)!));
          const [intentId, orderId] = live[one.nth % Math.max(1, live.length)] ?? [];
          if (intentId === undefined || orderId === undefined || ledger.state.get(intentId) === 'in-doubt')
            continue;
          ledger.meet(intentId, 'request-cancel');
          execution.send(cancelOf(intentId, orderId));
        } else {
          const order = orders[one.nth % Math.max(1, orders.length)];
          if (order === undefined) continue;
          if (one.kind === 'fill') venue.fill(order.id, one.lots, 600_000 as Ticks);
          else venue.end(order.id, 'liquidation');
        }
      }
      // Faults end, late orders arrive, and everything comes to rest.
      faulty = false;
      await time.advance(150_000);

      const byTag = new Map(venue.truth().map((order) => [order.oco, order]));
      expect(byTag.size, 'no intent has two orders').toBe(venue.truth().length);
      expect(count('place')).toBeLessThanOrEqual(lots.length - 1);
      expect(venue.overlap.get('place') ?? 0).toBeLessThanOrEqual(1);
      const open = new Map(execution.openOrders().map((order) => [order.intent, order]));
      for (let intentId = 1; intentId < lots.length; intentId++) {
        const order = byTag.get(`${SESSION}-${intentId}`);
        const state = ledger.state.get(intentId)!;
        expect(ledger.ends.get(intentId) ?? 0, 'one end').toBe(isTerminal(state) ? 1 : 0);
        const truth = order === undefined ? 0 : lotsIn(BTC, order.filledQuantity);
        expect(ledger.filled.get(intentId) ?? 0, 'fills add up').toBe(truth);
        if (isTerminal(state)) {
          ends++;
          if (state === 'rejected' && order === undefined) absent++;
          expect(open.has(`${SESSION}-${intentId}`)).toBe(false);
          const status = { filled: 'COMPLETED', canceled: 'CANCELLED' }[state as string];
          expect(order?.status, state).toBe(status);
        } else {
          expect(order?.status, state).toBe('ACTIVE');
          expect(state).toBe('working');
          expect(open.get(`${SESSION}-${intentId}`)).toMatchObject({
            stage: 'live',
            leaves: lots[intentId]! - truth,
          });
        }
      }

      const left = await time.until(execution.cancelAllOwn(60_000));
      expect(left.every(({ stage }) => stage === 'in-doubt')).toBe(true);
      expect(venue.truth().filter(({ status }) => status === 'ACTIVE')).toEqual([]);
      await time.until(execution.stop(1_000));
      expect(time.pending).toBe(0);
    }),
    { numRuns: 200 },
  );
  // The property says something only if these happened.
  expect(ends).toBeGreaterThan(500);
  expect(absent).toBeGreaterThan(20);
});
