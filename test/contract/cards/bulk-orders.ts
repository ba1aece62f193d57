/** POST /auth/order/bulk. */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, ETH, has, PAIR, refused } from '../desk.js';
import type { WireOrder } from '../wire-records.js';

export const BULK_ORDER_CARDS: readonly Card[] = [
  {
    id: 'TC-235',
    claim: 'a bulk order places 1 to 50 orders of one market and gives their records in the order they came',
    endpoints: ['POST /auth/order/bulk'],
    needs: ['quiet venue'],
    async run(desk) {
      const orders = Array.from({ length: 50 }, (_, n) => ({
        pair: PAIR,
        side: 'BUY',
        price: 59_000 - n,
        qty: 0.001,
      }));
      const placed = await bulk(desk, orders);
      assert.deepEqual(
        placed.map(({ price }) => price),
        orders.map(({ price }) => price),
      );
      assert.equal((await desk.list('anna', '/active_orders')).length, 50);
    },
  },
  {
    id: 'TC-236',
    claim:
      'a bulk of more than 50, of two markets, or with a reduce-only order is refused whole, each with its own words',
    endpoints: ['POST /auth/order/bulk'],
    needs: ['quiet venue'],
    async run(desk) {
      const bid = { pair: PAIR, side: 'BUY', price: 59_000, qty: 0.001 };
      const many = Array.from({ length: 51 }, () => bid);
      const other = { ...bid, pair: ETH, price: 2_400, qty: 0.01 };
      for (const [orders, says] of [
        [many, 'bulk: not 1 to 50 orders'],
        [[bid, other], 'bulk: more than one market'],
        [[bid, { ...bid, reduce_only: true }], 'bulk: reduce-only inside'],
      ] as const) {
        const body = formOf(orders);
        const reply = await desk.send({
          method: 'POST',
          target: '/auth/order/bulk',
          headers: desk.signed('anna', body),
          body,
        });
        refused(reply, says);
      }
      assert.deepEqual(await desk.list('anna', '/orders'), []);
    },
  },
  {
    id: 'TC-237',
    claim: 'one refused member refuses the whole bulk',
    endpoints: ['POST /auth/order/bulk'],
    needs: ['quiet venue'],
    async run(desk) {
      const bid = { pair: PAIR, side: 'BUY', price: 59_000, qty: 0.001 };
      const fields = fieldsOf([bid, { ...bid, price: 20_000_000 }]);
      refused(await desk.tryPost('/auth/order/bulk', fields, 'anna'), 'price outside filter');
      assert.deepEqual(await desk.list('anna', '/orders'), []);
    },
  },
  {
    id: 'TC-238',
    claim: 'the members of a bulk must be paid together: two that fit alone are refused when both do not',
    endpoints: ['POST /auth/order/bulk'],
    needs: ['quiet venue'],
    async run(desk) {
      // A buy of 200 000 takes 200 000 × (0.01 + 0.2) + 120 = 42 120; 400 000 takes 400 000 × 0.41 + 240 = 164 240.
      const bid = { pair: ETH, side: 'BUY', price: 2_500, qty: 80 };
      refused(await desk.tryPost('/auth/order/bulk', fieldsOf([bid, bid]), 'anna'), 'insufficient balance');
      assert.deepEqual(await desk.list('anna', '/orders'), []);
      assert.equal((await bulk(desk, [bid])).length, 1);
    },
  },
  {
    id: 'TC-239',
    claim: 'a member of a bulk that the book does not allow is cancelled at once, and the others stay',
    endpoints: ['POST /auth/order/bulk'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.place('bert', { side: 'SELL', price: 60_000, qty: 0.1 });
      const bid = { pair: PAIR, side: 'BUY', price: 59_000, qty: 0.001, post_only: true };
      const [stays, goes] = await bulk(desk, [bid, { ...bid, price: 60_000 }]);
      has(stays, { status: 'ACTIVE' });
      has(goes, { status: 'CANCELLED', msg: 'post-only would trade', qty_filled: 0 });
    },
  },
  {
    id: 'TC-240',
    claim: 'a bulk without orders is malformed',
    endpoints: ['POST /auth/order/bulk'],
    needs: ['quiet venue'],
    async run(desk) {
      const headers = desk.signed('anna', '');
      refused(
        await desk.send({ method: 'POST', target: '/auth/order/bulk', headers, body: '' }),
        'malformed: orders',
      );
    },
  },
];

type Asked = Readonly<Record<string, string | number | boolean>>;

function fieldsOf(orders: readonly Asked[]): Asked {
  return Object.fromEntries(
    orders.flatMap((order, n) =>
      Object.entries(order).map(([name, value]) => [`orders[${n}][${name}]`, value] as const),
    ),
  );
}

function formOf(orders: readonly Asked[]): string {
  return new URLSearchParams(
    Object.entries(fieldsOf(orders)).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

async function bulk(desk: Desk, orders: readonly Asked[]): Promise<readonly WireOrder[]> {
  const { orders: placed } = await desk.post<{ orders: readonly WireOrder[] }>(
    '/auth/order/bulk',
    fieldsOf(orders),
    'anna',
  );
  return placed;
}
