/** The lists of orders: what each holds, its order and its parameters (`dialect.md` §3). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, ETH, ids, PAIR, refused } from '../desk.js';
import type { WireOrder } from '../wire-records.js';

/**
 * Orders of anna in every state, a second apart: `waiting` a trigger, `untouched` working, `partial` working and half
 * filled, `partlyCanceled`, `canceled`, `completed`.
 */
async function oneOfEach(desk: Desk) {
  const buy = (price: number, qty: number) => desk.place('anna', { side: 'BUY', price, qty });
  const sell = async (qty: number) => {
    await desk.place('bert', { side: 'SELL', price: 59_000, qty });
    await desk.advance(1_000);
  };
  const completed = await buy(60_000, 0.1);
  await sell(0.1);
  const canceled = await buy(58_000, 0.1);
  await desk.post('/auth/cancel', { id: canceled.id }, 'anna');
  await desk.advance(1_000);
  const partlyCanceled = await buy(60_000, 0.2);
  await sell(0.1);
  await desk.post('/auth/cancel', { id: partlyCanceled.id }, 'anna');
  await desk.advance(1_000);
  const partial = await buy(60_000, 0.2);
  await sell(0.1);
  const untouched = await buy(57_000, 0.1);
  await desk.advance(1_000);
  const waiting = await desk.place('anna', {
    side: 'SELL',
    price: 50_000,
    qty: 0.1,
    trigger_price: 55_000,
    trigger_event: 'LAST_PRICE',
  });
  return { completed, canceled, partlyCanceled, partial, untouched, waiting };
}

const LISTS: readonly {
  readonly id: Card['id'];
  readonly path: string;
  readonly claim: string;
  readonly holds: readonly (keyof Awaited<ReturnType<typeof oneOfEach>>)[];
}[] = [
  {
    id: 'TC-215',
    path: '/orders',
    claim: 'all orders but waiting triggers',
    holds: ['untouched', 'partial', 'partlyCanceled', 'canceled', 'completed'],
  },
  { id: 'TC-216', path: '/active_orders', claim: 'the working orders', holds: ['untouched', 'partial'] },
  { id: 'TC-217', path: '/completed_orders', claim: 'only orders filled entirely', holds: ['completed'] },
  {
    id: 'TC-218',
    path: '/cancelled_orders',
    claim: 'the cancelled orders, partly filled or not',
    holds: ['partlyCanceled', 'canceled'],
  },
  {
    id: 'TC-219',
    path: '/filled_orders',
    claim: 'the orders filled at least once',
    holds: ['partial', 'partlyCanceled', 'completed'],
  },
  {
    id: 'TC-220',
    path: '/partially_filled_orders',
    claim: 'the orders filled at least once and not entirely',
    holds: ['partial', 'partlyCanceled'],
  },
  { id: 'TC-221', path: '/triggers', claim: 'the waiting triggers', holds: ['waiting'] },
];

export const ORDER_LIST_CARDS: readonly Card[] = [
  ...LISTS.map(
    ({ id, path, claim, holds }): Card => ({
      id,
      claim: `GET ${path} gives ${claim}, newest first by their last change`,
      endpoints: [`GET ${path}`],
      needs: ['quiet venue', 'two accounts', 'time'],
      async run(desk) {
        const orders = await oneOfEach(desk);
        const expected = holds.map((name) => orders[name].id);
        assert.deepEqual(ids(await desk.list('anna', path)), expected);
      },
    }),
  ),
  {
    id: 'TC-222',
    claim: 'the lists of orders take pair, start, end and limit, by the time of the last change',
    endpoints: [
      'GET /orders',
      'GET /active_orders',
      'GET /completed_orders',
      'GET /cancelled_orders',
      'GET /filled_orders',
      'GET /partially_filled_orders',
    ],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      const { completed } = await oneOfEach(desk);
      const other = await desk.place('anna', { pair: ETH, side: 'BUY', price: 2_400, qty: 0.1 });
      for (const { path } of LISTS) {
        if (path === '/triggers') continue;
        const all = await desk.list('anna', path);
        const onBtc = all.filter(({ id }) => id !== other.id);
        const newest = all[0] as WireOrder;
        const oldest = all.at(-1) as WireOrder;
        assert.deepEqual(await desk.list('anna', path, { pair: PAIR }), onBtc, path);
        assert.deepEqual(await desk.list('anna', path, { limit: 1 }), [newest], path);
        assert.deepEqual(await desk.list('anna', path, { end: oldest.time }), [oldest], path);
        const before = all.filter(({ time }) => time < newest.time);
        assert.deepEqual(await desk.list('anna', path, { end: newest.time - 1 }), before, path);
      }
      assert.deepEqual(ids(await desk.list('anna', '/orders', { pair: ETH })), [other.id]);
      assert.deepEqual(ids(await desk.list('anna', '/completed_orders')), [completed.id]);
      refused(await desk.tryGet('/orders', { pair: 'USD_XYZ_PERP' }, 'anna'), 'unknown pair');
    },
  },
];
