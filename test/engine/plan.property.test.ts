import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OwnOrder } from '../../src/engine/own-order.js';
import { type Plan, plan, without } from '../../src/engine/plan.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { type OrderTerms, sameTerms } from '../../src/model/order.js';

/** Few prices and quantities, so that many orders have just the same terms, and some are beyond 32 bits. */
const someTerms: fc.Arbitrary<OrderTerms> = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom('limit', 'market'),
  ticks: fc
    .constantFrom(undefined, 1, 2, 3, 2 ** 32 + 1, 2 ** 32 + 2)
    .map((ticks) => ticks as Ticks | undefined),
  lots: fc.constantFrom(1, 2, 2 ** 32 + 1).map((lots) => lots as Lots),
  timeInForce: fc.constantFrom('GTC', 'IOC'),
  postOnly: fc.boolean(),
  reduceOnly: fc.boolean(),
});
const termsList = fc.array(someTerms, { maxLength: 80, size: 'max' });
const liveList = fc
  .array(fc.tuple(someTerms, fc.constantFrom('pending-new', 'working', 'pending-cancel', 'own')), {
    maxLength: 80,
    size: 'max',
  })
  .map((list) =>
    list.map(([terms, state], at) => {
      const order = new OwnOrder(at + 1, terms, state === 'own' ? undefined : 1, false);
      if (state === 'pending-new') return order;
      order.orderId = String(at);
      order.meet('accept');
      if (state === 'pending-cancel') order.meet('request-cancel');
      return order;
    }),
  );

/** `without` and `plan` of a list in as many words, each looking through all that is left. */
function slowWithout(wanted: readonly OrderTerms[], done: readonly OrderTerms[]): readonly OrderTerms[] {
  const left = [...done];
  return wanted.filter((terms) => {
    const at = left.findIndex((other) => sameTerms(other, terms));
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

function slowPlan(open: readonly OrderTerms[], position: number, live: readonly OwnOrder[]): Plan {
  const unmatched = live.filter(({ want }) => want !== undefined);
  const place: OrderTerms[] = [];
  const wait: OrderTerms[] = [];
  for (const terms of open) {
    const at = unmatched.findIndex((order) => sameTerms(order.terms, terms));
    const match = at === -1 ? undefined : unmatched.splice(at, 1)[0];
    const canReduce = !terms.reduceOnly || (terms.side === 'buy' ? position < 0 : position > 0);
    if (match === undefined) (canReduce ? place : wait).push(terms);
    else if (match.state === 'pending-cancel') wait.push(terms);
  }
  return { cancel: unmatched.filter(({ isCancellable }) => isCancellable), place, wait };
}

it('a list of orders, however long, has the plan that looking through all of them has, order by order', () => {
  fc.assert(
    fc.property(
      termsList,
      termsList,
      liveList,
      fc.constantFrom(-1, 0, 1),
      (orders, rests, live, position) => {
        const done = orders.filter((_, at) => at % 3 === 0).reverse();
        const planned = plan({ kind: 'orders', orders }, position as Lots, live, { done, rests }, 1);
        const slow = slowPlan(slowWithout([...orders, ...rests], done), position, live);
        const ids = ({ cancel }: Plan) => cancel.map(({ intentId }) => intentId);
        expect(ids(planned)).toEqual(ids(slow));
        expect(planned.place).toEqual(slow.place);
        expect(planned.wait).toEqual(slow.wait);
        expect(without(orders, rests)).toEqual(slowWithout(orders, rests));
      },
    ),
  );
});

/** Limit buys from a price down, whose reads of their side, which every comparison begins with, are counted. */
function counted(count: number, top: number, reads: { count: number }): OrderTerms[] {
  return Array.from({ length: count }, (_, at) => ({
    get side() {
      reads.count++;
      return 'buy' as const;
    },
    type: 'limit',
    ticks: (top - at) as Ticks,
    lots: 1 as Lots,
    timeInForce: 'GTC',
    postOnly: true,
    reduceOnly: false,
  }));
}

it('a list of thousands is compared with thousands of other orders in a few steps for each', () => {
  const reads = { count: 0 };
  const orders = counted(2_000, 20_000, reads);
  const done = counted(1_000, 18_500, reads);
  const live = counted(2_000, 10_000, reads).map((terms, at) => new OwnOrder(at + 1, terms, 1, false));
  const { place } = plan({ kind: 'orders', orders }, 0 as Lots, live, { done, rests: [] }, 1);
  expect(place).toHaveLength(1_500);
  expect(reads.count).toBeLessThan(20 * 2_000);
});
