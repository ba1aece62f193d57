/** Hidden orders, icebergs, reduce-only and POST /auth/close (`money.md` §4). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, has, ids, PAIR } from '../desk.js';
import type { Customer, Fields } from '../door.js';

const sell = (desk: Desk, who: Customer, price: number, qty: number, more: Fields = {}) =>
  desk.place(who, { side: 'SELL', price, qty, ...more });
const buy = (desk: Desk, who: Customer, price: number | undefined, qty: number, more: Fields = {}) =>
  desk.place(who, { side: 'BUY', price, qty, ...more });

const left = async (desk: Desk, who: Customer, order: { readonly id: string }) =>
  (await desk.order(who, order.id)).qty_remaining;

export const SPECIAL_ORDER_CARDS: readonly Card[] = [
  {
    id: 'TC-270',
    claim: 'a hidden order is not in the depth, and trades after what is shown at its price',
    endpoints: ['POST /auth/order', 'GET /depth'],
    fields: ['Order.hidden'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const hidden = await sell(desk, 'bert', 60_000, 0.1, { hidden: true });
      assert.deepEqual((await desk.depth()).asks, []);
      const shown = await sell(desk, 'cleo', 60_000, 0.1);
      assert.deepEqual((await desk.depth()).asks, [{ price: 60_000, qty: 0.1 }]);
      await buy(desk, 'anna', 60_000, 0.1);
      assert.equal(await left(desk, 'cleo', shown), 0);
      assert.equal(await left(desk, 'bert', hidden), 0.1);
    },
  },
  {
    id: 'TC-271',
    claim: 'an iceberg of n slices shows one slice, its quantity divided by n and rounded up to the step',
    endpoints: ['POST /auth/order', 'GET /depth'],
    fields: ['Order.icebergs', 'Market.filters.icebergs'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      // 1 / 3 = 0.3333…: slices of 0.334, 0.334 and 0.332.
      const iceberg = await sell(desk, 'bert', 60_000, 1, { icebergs: 3 });
      const shown = async () => (await desk.depth()).asks.map(({ qty }) => qty);
      assert.deepEqual(await shown(), [0.334]);
      await buy(desk, 'anna', 60_000, 0.1);
      assert.deepEqual(await shown(), [0.234]);
      await buy(desk, 'anna', 60_000, 0.234);
      assert.deepEqual(await shown(), [0.334]);
      await buy(desk, 'anna', 60_000, 0.334);
      assert.deepEqual(await shown(), [0.332]);
      assert.equal(await left(desk, 'bert', iceberg), 0.332);
    },
  },
  {
    id: 'TC-272',
    claim:
      'a new slice goes behind what is shown at its price, and an order goes on through new slices in one match',
    endpoints: ['POST /auth/order'],
    fields: ['Order.icebergs'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const iceberg = await sell(desk, 'bert', 60_000, 0.2, { icebergs: 2 });
      const plain = await sell(desk, 'cleo', 60_000, 0.1);
      // First slice 0.1, then the plain order, then 0.05 of the second slice.
      await buy(desk, 'anna', 60_000, 0.15);
      assert.equal(await left(desk, 'cleo', plain), 0.05);
      assert.equal(await left(desk, 'bert', iceberg), 0.1);
      await buy(desk, 'anna', 60_000, 0.1);
      assert.equal(await left(desk, 'cleo', plain), 0);
      assert.equal(await left(desk, 'bert', iceberg), 0.05);
    },
  },
  {
    id: 'TC-275',
    claim: 'a reduce-only order without a position to reduce is cancelled with "nothing to reduce"',
    endpoints: ['POST /auth/order'],
    fields: ['Order.reduce_only', 'Order.msg'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const nothing = { status: 'CANCELLED', msg: 'nothing to reduce', reduce_only: true, qty_filled: 0 };
      has(await sell(desk, 'anna', 60_000, 0.1, { reduce_only: true }), nothing);
      await desk.trade(60_000, 0.5);
      has(await buy(desk, 'anna', 59_000, 0.1, { reduce_only: true }), nothing);
    },
  },
  {
    id: 'TC-276',
    claim:
      'a reduce-only order executes at most the position, keeps its quantities, and ends with "position closed"',
    endpoints: ['POST /auth/order', 'GET /position'],
    fields: ['Order.reduce_only', 'Order.msg'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      const stop = await sell(desk, 'anna', 61_000, 0.8, { reduce_only: true });
      has(stop, { status: 'ACTIVE', qty_orig: 0.8, qty_remaining: 0.8 });
      await buy(desk, 'bert', 61_000, 1);
      has(await desk.order('anna', stop.id), {
        status: 'CANCELLED',
        msg: 'position closed',
        qty_orig: 0.8,
        qty_filled: 0.5,
        qty_remaining: 0.3,
      });
      assert.equal((await desk.position('anna')).size, 0);
    },
  },
  {
    id: 'TC-277',
    claim: 'reduce-only orders may add up to more than the position, and all go when it is closed',
    endpoints: ['POST /auth/order'],
    fields: ['Order.reduce_only'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      const near = await sell(desk, 'anna', 61_000, 0.5, { reduce_only: true });
      const far = await sell(desk, 'anna', 62_000, 0.5, { reduce_only: true });
      await buy(desk, 'cleo', 61_000, 0.5);
      has(await desk.order('anna', near.id), { status: 'COMPLETED' });
      has(await desk.order('anna', far.id), { status: 'CANCELLED', msg: 'position closed', qty_filled: 0 });
    },
  },
  {
    id: 'TC-278',
    claim: 'reduce-only orders reserve nothing',
    endpoints: ['POST /auth/order', 'GET /personal'],
    fields: ['Balance.locked', 'Position.locked'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      const before = await desk.balance('anna');
      await sell(desk, 'anna', 61_000, 0.5, { reduce_only: true });
      assert.deepEqual(await desk.balance('anna'), before);
      has(before, { locked: 0 });
      assert.equal((await desk.position('anna'))['locked'], 0);
    },
  },
  {
    id: 'TC-280',
    claim: 'POST /auth/close without qty and price closes the whole position at market, reduce-only',
    endpoints: ['POST /auth/close', 'GET /position'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      await buy(desk, 'cleo', 59_900, 1);
      const { order } = await desk.post<{ order: object }>('/auth/close', { pair: PAIR }, 'anna');
      has(order, {
        side: 'SELL',
        type: 'MARKET',
        reduce_only: true,
        qty_orig: 0.5,
        qty_filled: 0.5,
        price: 59_900,
        status: 'COMPLETED',
      });
      assert.equal((await desk.position('anna')).size, 0);
    },
  },
  {
    id: 'TC-281',
    claim: 'POST /auth/close with qty and price places that much as a reduce-only limit order',
    endpoints: ['POST /auth/close'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      const { order } = await desk.post<{ order: object }>(
        '/auth/close',
        { pair: PAIR, qty: 0.2, price: 60_500 },
        'anna',
      );
      has(order, {
        side: 'SELL',
        type: 'LIMIT',
        reduce_only: true,
        qty_orig: 0.2,
        price_orig: 60_500,
        status: 'ACTIVE',
      });
    },
  },
  {
    id: 'TC-282',
    claim: 'POST /auth/close without a position says "nothing to reduce", and fills nothing',
    endpoints: ['POST /auth/close'],
    needs: ['quiet venue'],
    async run(desk) {
      const reply = await desk.tryPost('/auth/close', { pair: PAIR }, 'anna');
      assert.equal(reply.status, 503, 'without a position there is no quantity, so it is refused');
      assert(String(reply.msg).startsWith('nothing to reduce'), String(reply.msg));
      assert.deepEqual(ids(await desk.list('anna', '/filled_orders')), []);
    },
  },
];
