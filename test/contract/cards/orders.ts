/** The Order record and its states (specification: Order, States; `dialect.md` §4, §5). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { has, only, PAIR, refused } from '../desk.js';

/** What a limit order that asks for nothing special shows besides its terms. */
const PLAIN = {
  oco: null,
  icebergs: null,
  trigger_price: null,
  trigger_event: null,
  close_on_trigger: false,
  reduce_only: false,
  post_only: false,
  hidden: false,
  leverage: 0,
  is_liquidation: false,
  fills: [],
};

export const ORDER_CARDS: readonly Card[] = [
  {
    id: 'TC-200',
    claim: 'the record of a new limit order says what was asked for, and nothing is filled yet',
    endpoints: ['POST /auth/order'],
    fields: [
      'Order.pair',
      'Order.price',
      'Order.price_orig',
      'Order.qty_orig',
      'Order.qty_orig_usd',
      'Order.qty_remaining',
      'Order.qty_filled',
      'Order.side',
      'Order.status',
      'Order.time',
      'Order.time_in_force',
      'Order.type',
      'Order.customer_id',
      ...Object.keys(PLAIN).map((name) => `Order.${name}`),
    ],
    needs: ['quiet venue'],
    async run(desk) {
      has(await desk.place('anna', { side: 'BUY', price: 59_990.5, qty: 0.123 }), {
        pair: PAIR,
        price: 59_990.5,
        price_orig: 59_990.5,
        qty_orig: 0.123,
        // At the mark of acceptance: 0.123 × 60 000.
        qty_orig_usd: 7_380,
        qty_remaining: 0.123,
        qty_filled: 0,
        side: 'BUY',
        status: 'ACTIVE',
        time: desk.now,
        time_in_force: 'GTC',
        type: 'LIMIT',
        customer_id: 'anna',
        ...PLAIN,
      });
    },
  },
  {
    id: 'TC-201',
    claim: 'ids of orders are texts that differ, and GET /order gives the record that placing gave',
    endpoints: ['POST /auth/order', 'GET /order'],
    fields: ['Order.id'],
    needs: ['quiet venue'],
    async run(desk) {
      const first = await desk.place('anna', { side: 'BUY', price: 59_000, qty: 0.1 });
      const second = await desk.place('anna', { side: 'BUY', price: 59_000, qty: 0.1 });
      assert(typeof first.id === 'string' && first.id !== '' && first.id !== second.id);
      assert.deepEqual(await desk.order('anna', first.id), first);
      assert.deepEqual(await desk.order('anna', second.id), second);
    },
  },
  {
    id: 'TC-202',
    claim:
      'a fill in part leaves the order ACTIVE: qty_orig = qty_filled + qty_remaining, and time is that of the fill',
    endpoints: ['POST /auth/order', 'GET /order'],
    fields: ['Order.status', 'Order.qty_filled', 'Order.qty_remaining', 'Order.time', 'Order.fills'],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      const { id } = await desk.place('anna', { side: 'BUY', price: 60_000, qty: 0.5 });
      await desk.advance(1_500);
      await desk.place('bert', { side: 'SELL', price: 60_000, qty: 0.2 });
      const order = await desk.order('anna', id);
      has(order, { status: 'ACTIVE', qty_orig: 0.5, qty_filled: 0.2, qty_remaining: 0.3, time: desk.now });
      has(only(order.fills), { pair: PAIR, price: 60_000, qty: 0.2, side: 'BUY' });
    },
  },
  {
    id: 'TC-203',
    claim: 'an order filled entirely is COMPLETED with qty_remaining 0, and has all its fills',
    endpoints: ['POST /auth/order', 'GET /order'],
    fields: ['Order.status', 'Order.fills'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.place('bert', { side: 'SELL', price: 60_000, qty: 0.2 });
      await desk.place('bert', { side: 'SELL', price: 60_010, qty: 0.3 });
      const order = await desk.place('anna', { side: 'BUY', price: 60_010, qty: 0.5 });
      has(order, { status: 'COMPLETED', qty_filled: 0.5, qty_remaining: 0 });
      const filled = order.fills.map(({ price, qty }) => [price, qty]);
      assert.deepEqual(
        filled.toSorted(([a = 0], [b = 0]) => a - b),
        [
          [60_000, 0.2],
          [60_010, 0.3],
        ],
      );
      assert.deepEqual(await desk.order('anna', order.id), order);
    },
  },
  {
    id: 'TC-204',
    claim: 'an order without a price is a MARKET order: price_orig 0, price that of its last fill',
    endpoints: ['POST /auth/order'],
    fields: ['Order.type', 'Order.price', 'Order.price_orig'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.place('bert', { side: 'SELL', price: 60_000, qty: 0.2 });
      await desk.place('bert', { side: 'SELL', price: 60_010, qty: 0.3 });
      const order = await desk.place('anna', { side: 'BUY', qty: 0.5 });
      has(order, { type: 'MARKET', price_orig: 0, price: 60_010, status: 'COMPLETED', qty_filled: 0.5 });
    },
  },
  {
    id: 'TC-205',
    claim: 'options of an order are shown in its record as they were asked for',
    endpoints: ['POST /auth/order'],
    fields: [
      'Order.oco',
      'Order.icebergs',
      'Order.hidden',
      'Order.post_only',
      'Order.leverage',
      'Order.time_in_force',
    ],
    needs: ['quiet venue'],
    async run(desk) {
      const bid = { side: 'BUY', price: 59_000, qty: 0.1 };
      has(await desk.place('anna', { ...bid, oco: 'group-1' }), { oco: 'group-1' });
      has(await desk.place('anna', { ...bid, icebergs: 4 }), { icebergs: 4 });
      has(await desk.place('anna', { ...bid, hidden: true }), { hidden: true });
      has(await desk.place('anna', { ...bid, post_only: true }), { post_only: true });
      has(await desk.place('anna', { ...bid, leverage: 5 }), { leverage: 5 });
      has(await desk.place('anna', { ...bid, time_in_force: 'IOC' }), { time_in_force: 'IOC' });
      has(await desk.place('anna', { ...bid, time_in_force: 'FOK' }), { time_in_force: 'FOK' });
    },
  },
  {
    id: 'TC-206',
    claim: 'leverage on an order is stored and does nothing: the position stays cross',
    endpoints: ['POST /auth/order', 'GET /position'],
    fields: ['Order.leverage'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.place('bert', { side: 'SELL', price: 60_000, qty: 0.5 });
      has(await desk.place('anna', { side: 'BUY', price: 60_000, qty: 0.5, leverage: 2 }), { leverage: 2 });
      // im(30 000) = 30 000 × (0.01 + 0.03), and not a half.
      has((await desk.position('anna')).stats, { margin: 1_200 });
    },
  },
  {
    id: 'TC-207',
    claim: 'GET /order refuses an unknown id with "The order was not found"',
    endpoints: ['GET /order'],
    needs: ['quiet venue'],
    async run(desk) {
      refused(await desk.tryGet('/order', { id: '123456789' }, 'anna'), 'The order was not found');
      refused(await desk.tryGet('/order', { id: '__proto__' }, 'anna'), 'The order was not found');
    },
  },
  {
    id: 'TC-208',
    claim: 'GET /order without an id is malformed',
    endpoints: ['GET /order'],
    needs: ['quiet venue'],
    async run(desk) {
      const headers = desk.keyed('anna');
      refused(await desk.send({ method: 'GET', target: '/order', headers }), 'malformed: id');
    },
  },
];
