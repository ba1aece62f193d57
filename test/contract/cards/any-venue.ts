/** What can be asked of a venue that is somebody else's: reads of an account, and orders that are taken back at once. */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, has, refused } from '../desk.js';
import type { Fields } from '../door.js';
import type { WireOrder } from '../wire-records.js';

const LISTS = [
  '/orders',
  '/active_orders',
  '/completed_orders',
  '/cancelled_orders',
  '/filled_orders',
  '/partially_filled_orders',
  '/triggers',
  '/fills',
  '/deposits',
  '/withdrawals',
  '/completed_positions',
];

/** The smallest post-only buy far below the market, of the venue's first active market. */
async function farBid(desk: Desk): Promise<Fields> {
  const [pair, market] = await desk.someMarket();
  const { price, qty } = market['filters'] as Readonly<Record<string, Readonly<Record<string, number>>>>;
  const { min_price: lowest = 0 } = await desk.ticker(pair);
  const { tick_size: tick = 1, min_price: least = 0 } = price ?? {};
  const digits = decimals(tick);
  const cheapest = Math.ceil(Math.max(Number(lowest), least, tick) / tick) * tick;
  return {
    pair,
    side: 'BUY',
    price: cheapest.toFixed(digits),
    qty: String(qty?.['min_qty']),
    post_only: true,
  };
}

function decimals(step: number): number {
  const [, fraction = ''] = step.toFixed(12).replace(/0+$/, '').split('.');
  return fraction.length;
}

export const ANY_VENUE_CARDS: readonly Card[] = [
  {
    id: 'TC-700',
    claim: 'each list of an account is an array of at most 100, newest first',
    endpoints: LISTS.map((path) => `GET ${path}`),
    needs: ['key'],
    async run(desk) {
      for (const path of LISTS) {
        const list = await desk.get<readonly { readonly time?: number }[]>(path, {}, 'anna');
        assert(Array.isArray(list) && list.length <= 100, path);
        const times = list.map(({ time }) => time).filter((time) => time !== undefined);
        assert.deepEqual(
          times,
          times.toSorted((a, b) => b - a),
          path,
        );
      }
    },
  },
  {
    id: 'TC-701',
    claim: 'an account has positions and balances whose parts are numbers',
    endpoints: ['GET /position', 'GET /active_positions', 'GET /personal'],
    needs: ['key'],
    async run(desk) {
      const [pair] = await desk.someMarket();
      assert.equal(typeof (await desk.position('anna', pair)).size, 'number');
      assert.equal(typeof (await desk.get('/active_positions', {}, 'anna')), 'object');
      for (const balance of Object.values(await desk.balances('anna')))
        assert.equal(typeof balance.free, 'number');
    },
  },
  {
    id: 'TC-702',
    claim:
      'an order far below the market rests, is found by its id and among the active ones, and is cancelled',
    endpoints: [
      'POST /auth/order',
      'GET /order',
      'GET /active_orders',
      'POST /auth/cancel',
      'GET /cancelled_orders',
    ],
    needs: ['key', 'write'],
    async run(desk) {
      const asked = await farBid(desk);
      const { order } = await desk.post<{ order: WireOrder }>('/auth/order', asked, 'anna');
      has(order, {
        pair: asked['pair'],
        side: 'BUY',
        status: 'ACTIVE',
        qty_filled: 0,
        price: Number(asked['price']),
        qty_orig: Number(asked['qty']),
        post_only: true,
      });
      try {
        has(await desk.order('anna', order.id), { id: order.id, status: 'ACTIVE' });
        assert((await desk.list('anna', '/active_orders')).some(({ id }) => id === order.id));
      } finally {
        await desk.post('/auth/cancel', { id: order.id }, 'anna');
      }
      has(await desk.order('anna', order.id), { status: 'CANCELLED', qty_filled: 0 });
      assert((await desk.list('anna', '/cancelled_orders')).some(({ id }) => id === order.id));
    },
  },
  {
    id: 'TC-703',
    claim: 'two orders of a bulk rest and are cancelled by a bulk of their ids',
    endpoints: ['POST /auth/order/bulk', 'POST /auth/cancel/bulk'],
    needs: ['key', 'write'],
    async run(desk) {
      const asked = await farBid(desk);
      const members = [0, 1].flatMap((n) =>
        Object.entries(asked).map(([name, value]) => [`orders[${n}][${name}]`, value] as const),
      );
      const { orders } = await desk.post<{ orders: readonly WireOrder[] }>(
        '/auth/order/bulk',
        Object.fromEntries(members),
        'anna',
      );
      const fields = Object.fromEntries(orders.map(({ id }, n) => [`ids[${n}]`, id]));
      await desk.post('/auth/cancel/bulk', fields, 'anna');
      assert.equal(orders.length, 2);
      for (const { id } of orders) has(await desk.order('anna', id), { status: 'CANCELLED', qty_filled: 0 });
    },
  },
  {
    id: 'TC-704',
    claim: 'an order of nothing is refused and leaves nothing behind',
    endpoints: ['POST /auth/order'],
    needs: ['key', 'write'],
    async run(desk) {
      const asked = await farBid(desk);
      const before = (await desk.list('anna', '/active_orders')).length;
      refused(await desk.tryPost('/auth/order', { ...asked, qty: 0 }, 'anna'), '');
      assert.equal((await desk.list('anna', '/active_orders')).length, before);
    },
  },
];
