/** Triggers and one-cancels-other groups (specification: Trigger order, States; `money.md` §4). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, has, ids, only, PAIR, refused } from '../desk.js';
import type { Fields } from '../door.js';

/** A market sell of anna's 0.5 when the mark is at or below 58 000. */
const STOP = { side: 'SELL', qty: 0.5, trigger_price: 58_000, trigger_event: 'MARK_PRICE' };

async function withPosition(desk: Desk): Promise<void> {
  await desk.trade(60_000, 0.5);
}

const bid = (desk: Desk, more: Fields) => desk.place('anna', { side: 'BUY', qty: 0.1, ...more });

export const TRIGGER_CARDS: readonly Card[] = [
  {
    id: 'TC-300',
    claim: 'an order with a trigger price waits, UNTRIGGERED, in /triggers and in no list of orders',
    endpoints: ['POST /auth/order', 'GET /triggers', 'GET /orders', 'GET /active_orders'],
    fields: ['Order.status', 'Order.trigger_price', 'Order.trigger_event'],
    needs: ['quiet venue'],
    async run(desk) {
      const order = await bid(desk, { price: 61_000, trigger_price: 60_500, trigger_event: 'INDEX_PRICE' });
      has(order, {
        status: 'UNTRIGGERED',
        trigger_price: 60_500,
        trigger_event: 'INDEX_PRICE',
        qty_filled: 0,
      });
      assert.deepEqual(await desk.list('anna', '/triggers'), [order]);
      assert.deepEqual(await desk.list('anna', '/orders'), []);
      assert.deepEqual(await desk.list('anna', '/active_orders'), []);
    },
  },
  {
    id: 'TC-301',
    claim:
      'a waiting trigger watches the mark unless it says otherwise, reserves nothing and is not in the depth',
    endpoints: ['POST /auth/order', 'GET /personal', 'GET /depth'],
    fields: ['Order.trigger_event'],
    needs: ['quiet venue'],
    async run(desk) {
      has(await bid(desk, { price: 58_000, trigger_price: 58_500 }), { trigger_event: 'MARK_PRICE' });
      has(await desk.balance('anna'), { free: 100_000, locked: 0 });
      assert.deepEqual(await desk.depth(), { bids: [], asks: [] });
    },
  },
  {
    id: 'TC-302',
    claim:
      'a trigger that is accepted when it fires becomes an order with the same id, in /orders and not in /triggers',
    endpoints: ['GET /triggers', 'GET /orders', 'GET /order'],
    fields: ['Order.status'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      const { id } = await bid(desk, { price: 58_000, trigger_price: 60_500, trigger_event: 'INDEX_PRICE' });
      await desk.index(PAIR, 60_499.9);
      assert.deepEqual(ids(await desk.list('anna', '/triggers')), [id]);
      await desk.index(PAIR, 60_500);
      assert.deepEqual(await desk.list('anna', '/triggers'), []);
      has(only(await desk.list('anna', '/orders')), {
        id,
        status: 'ACTIVE',
        price: 58_000,
        trigger_price: 60_500,
      });
      assert.deepEqual((await desk.depth()).bids, [{ price: 58_000, qty: 0.1 }]);
    },
  },
  {
    id: 'TC-303',
    claim: 'a trigger above the price waits for it to rise, one below for it to fall',
    endpoints: ['GET /triggers'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      const above = await bid(desk, { price: 55_000, trigger_price: 61_000 });
      const below = await bid(desk, { price: 55_000, trigger_price: 59_000 });
      await desk.index(PAIR, 59_000);
      assert.deepEqual(ids(await desk.list('anna', '/triggers')), [above.id]);
      assert.deepEqual(ids(await desk.list('anna', '/active_orders')), [below.id]);
      await desk.index(PAIR, 61_000);
      assert.deepEqual(await desk.list('anna', '/triggers'), []);
    },
  },
  {
    id: 'TC-304',
    claim: 'a trigger at the very price of its event fires at once',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      const { id } = await bid(desk, { price: 58_000, trigger_price: 60_000 });
      has(await desk.order('anna', id), { status: 'ACTIVE' });
      assert.deepEqual(await desk.list('anna', '/triggers'), []);
    },
  },
  {
    id: 'TC-305',
    claim: 'a trigger on the last price fires with the trade that reaches it',
    endpoints: ['POST /auth/order', 'GET /triggers'],
    fields: ['Order.trigger_event'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.001, PAIR, 'bert', 'cleo');
      const { id } = await bid(desk, { price: 58_000, trigger_price: 60_100, trigger_event: 'LAST_PRICE' });
      await desk.trade(60_099.9, 0.001, PAIR, 'bert', 'cleo');
      assert.deepEqual(ids(await desk.list('anna', '/triggers')), [id]);
      await desk.trade(60_100, 0.001, PAIR, 'bert', 'cleo');
      assert.deepEqual(await desk.list('anna', '/triggers'), []);
      has(await desk.order('anna', id), { status: 'ACTIVE', trigger_event: 'LAST_PRICE' });
    },
  },
  {
    id: 'TC-306',
    claim: 'a stop without a price is a MARKET order when it fires, and fills',
    endpoints: ['POST /auth/order', 'GET /order', 'GET /position'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await withPosition(desk);
      await desk.place('cleo', { side: 'BUY', price: 57_900, qty: 1 });
      const { id } = await desk.place('anna', STOP);
      await desk.index(PAIR, 58_000);
      has(await desk.order('anna', id), {
        status: 'COMPLETED',
        type: 'MARKET',
        price: 57_900,
        qty_filled: 0.5,
      });
      assert.equal((await desk.position('anna')).size, 0);
    },
  },
  {
    id: 'TC-307',
    claim: 'a trigger that is refused when it fires stays in /triggers, CANCELLED, with a msg that says why',
    endpoints: ['GET /triggers', 'GET /orders'],
    fields: ['Order.status', 'Order.msg'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      // 10 BTC at 61 000: im = 610 000 × 0.62 = 378 200, far beyond 100 000.
      const { id } = await bid(desk, { price: 61_000, qty: 10, trigger_price: 60_500 });
      await desk.index(PAIR, 60_500);
      const trigger = only(await desk.list('anna', '/triggers'));
      has(trigger, { id, status: 'CANCELLED', qty_filled: 0 });
      assert.match(String(trigger['msg']), /insufficient balance/);
      assert.deepEqual(await desk.list('anna', '/orders'), []);
    },
  },
  {
    id: 'TC-308',
    claim: 'a trigger that is cancelled unfilled when it fires stays in /triggers with the reason',
    endpoints: ['GET /triggers'],
    fields: ['Order.msg'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      const { id } = await desk.place('anna', { ...STOP, reduce_only: true });
      await desk.index(PAIR, 58_000);
      has(only(await desk.list('anna', '/triggers')), { id, status: 'CANCELLED', msg: 'nothing to reduce' });
    },
  },
  {
    id: 'TC-309',
    claim: 'a waiting trigger is cancelled by its id',
    endpoints: ['POST /auth/cancel', 'GET /triggers'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      const { id } = await bid(desk, { price: 58_000, trigger_price: 60_500 });
      await desk.post('/auth/cancel', { id }, 'anna');
      has(await desk.order('anna', id), { status: 'CANCELLED' });
      await desk.index(PAIR, 60_500);
      assert.deepEqual((await desk.depth()).bids, []);
      refused(await desk.tryPost('/auth/cancel', { id }, 'anna'), 'order already done');
    },
  },
  {
    id: 'TC-310',
    claim: 'close_on_trigger is reduce-only and first cancels the account’s other working orders of its side',
    endpoints: ['POST /auth/order', 'GET /order'],
    fields: ['Order.close_on_trigger', 'Order.reduce_only'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await withPosition(desk);
      const rival = await desk.place('anna', { side: 'SELL', price: 62_000, qty: 0.5 });
      const other = await desk.place('anna', { side: 'BUY', price: 50_000, qty: 0.1 });
      await desk.place('cleo', { side: 'BUY', price: 57_900, qty: 1 });
      // With orders on both sides there is a fair price, which holds the mark up.
      const stop = await desk.place('anna', {
        ...STOP,
        trigger_event: 'INDEX_PRICE',
        close_on_trigger: true,
      });
      has(stop, { close_on_trigger: true, reduce_only: true });
      await desk.index(PAIR, 58_000);
      has(await desk.order('anna', stop.id), { status: 'COMPLETED', qty_filled: 0.5 });
      has(await desk.order('anna', rival.id), { status: 'CANCELLED', qty_filled: 0 });
      has(await desk.order('anna', other.id), { status: 'ACTIVE' });
    },
  },
  {
    id: 'TC-311',
    claim: '/triggers takes pair and limit, newest first',
    endpoints: ['GET /triggers'],
    needs: ['quiet venue', 'time'],
    async run(desk) {
      const first = await bid(desk, { price: 58_000, trigger_price: 61_000 });
      await desk.advance(10);
      const second = await bid(desk, { price: 58_000, trigger_price: 61_001 });
      await desk.advance(10);
      const eth = await desk.place('anna', {
        pair: 'USD_ETH_PERP',
        side: 'BUY',
        qty: 1,
        price: 2_000,
        trigger_price: 2_600,
      });
      assert.deepEqual(ids(await desk.list('anna', '/triggers')), [eth.id, second.id, first.id]);
      assert.deepEqual(ids(await desk.list('anna', '/triggers', { pair: PAIR })), [second.id, first.id]);
      assert.deepEqual(ids(await desk.list('anna', '/triggers', { limit: 1 })), [eth.id]);
      assert.deepEqual(ids(await desk.list('anna', '/triggers', { end: first.time })), [first.id]);
    },
  },
  {
    id: 'TC-320',
    claim: 'the first fill of an oco order, even in part, cancels the others of its group with "oco sibling"',
    endpoints: ['POST /auth/order', 'GET /order'],
    fields: ['Order.oco', 'Order.msg'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const filled = await bid(desk, { price: 59_900, oco: 'a' });
      const sibling = await bid(desk, { price: 59_800, oco: 'a' });
      const other = await bid(desk, { price: 59_700, oco: 'b' });
      await desk.place('bert', { side: 'SELL', price: 59_900, qty: 0.01 });
      has(await desk.order('anna', filled.id), { status: 'ACTIVE', qty_filled: 0.01 });
      has(await desk.order('anna', sibling.id), { status: 'CANCELLED', msg: 'oco sibling', qty_filled: 0 });
      has(await desk.order('anna', other.id), { status: 'ACTIVE' });
    },
  },
  {
    id: 'TC-321',
    claim: 'an oco group is of one account and one pair',
    endpoints: ['POST /auth/order'],
    fields: ['Order.oco'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await bid(desk, { price: 59_900, oco: 'a' });
      const eth = await desk.place('anna', {
        pair: 'USD_ETH_PERP',
        side: 'BUY',
        price: 2_400,
        qty: 1,
        oco: 'a',
      });
      const foreign = await desk.place('cleo', { side: 'BUY', price: 59_800, qty: 0.1, oco: 'a' });
      await desk.place('bert', { side: 'SELL', price: 59_900, qty: 0.1 });
      has(await desk.order('anna', eth.id), { status: 'ACTIVE' });
      has(await desk.order('cleo', foreign.id), { status: 'ACTIVE' });
    },
  },
  {
    id: 'TC-322',
    claim: 'a trigger of a group that fires and is accepted cancels the others, even before it fills',
    endpoints: ['POST /auth/order', 'GET /triggers'],
    fields: ['Order.oco'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      const resting = await bid(desk, { price: 59_000, oco: 'a' });
      const trigger = await bid(desk, { price: 58_000, trigger_price: 60_500, oco: 'a' });
      await desk.index(PAIR, 60_500);
      has(await desk.order('anna', trigger.id), { status: 'ACTIVE' });
      has(await desk.order('anna', resting.id), { status: 'CANCELLED', msg: 'oco sibling' });
    },
  },
  {
    id: 'TC-323',
    claim: 'reduce-only members of a group outlive a fill in part, and go when a member is completed',
    endpoints: ['POST /auth/order'],
    fields: ['Order.oco', 'Order.reduce_only'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await withPosition(desk);
      const profit = await desk.place('anna', {
        side: 'SELL',
        price: 61_000,
        qty: 0.2,
        reduce_only: true,
        oco: 'exit',
      });
      const further = await desk.place('anna', {
        side: 'SELL',
        price: 62_000,
        qty: 0.2,
        reduce_only: true,
        oco: 'exit',
      });
      await desk.place('cleo', { side: 'BUY', price: 61_000, qty: 0.1 });
      has(await desk.order('anna', further.id), { status: 'ACTIVE' });
      await desk.place('cleo', { side: 'BUY', price: 61_000, qty: 0.1 });
      has(await desk.order('anna', profit.id), { status: 'COMPLETED' });
      has(await desk.order('anna', further.id), { status: 'CANCELLED', msg: 'oco sibling' });
    },
  },
  {
    id: 'TC-324',
    claim: 'naming a group that has ended is refused with "oco group ended"',
    endpoints: ['POST /auth/order'],
    fields: ['Order.oco'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await bid(desk, { price: 59_900, oco: 'a' });
      await bid(desk, { price: 59_800, oco: 'a' });
      await desk.place('bert', { side: 'SELL', price: 59_900, qty: 0.1 });
      refused(
        await desk.tryPlace('anna', { side: 'BUY', price: 59_000, qty: 0.1, oco: 'a' }),
        'oco group ended',
      );
    },
  },
];
