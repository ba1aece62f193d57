/** POST /auth/cancel and /auth/cancel/bulk. */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { ETH, has, ids, PAIR, refused } from '../desk.js';
import type { WireOrder } from '../wire-records.js';

export const CANCEL_CARDS: readonly Card[] = [
  {
    id: 'TC-225',
    claim:
      'POST /auth/cancel gives the record, and the order reads CANCELLED from then on, its quantities as they were',
    endpoints: ['POST /auth/cancel', 'GET /order'],
    fields: ['Order.status', 'Order.time'],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      const { id } = await desk.place('anna', { side: 'BUY', price: 60_000, qty: 0.5 });
      await desk.place('bert', { side: 'SELL', price: 60_000, qty: 0.2 });
      await desk.advance(2_000);
      has(await desk.post('/auth/cancel', { id }, 'anna'), { id, pair: PAIR, customer_id: 'anna' });
      has(await desk.order('anna', id), {
        status: 'CANCELLED',
        qty_orig: 0.5,
        qty_filled: 0.2,
        qty_remaining: 0.3,
        time: desk.now,
      });
      assert.deepEqual(await desk.depth(), { bids: [], asks: [] });
    },
  },
  {
    id: 'TC-226',
    claim:
      'cancelling what is done is refused with "order already done", what never was with "The order was not found"',
    endpoints: ['POST /auth/cancel'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const { taker } = await desk.trade(60_000, 0.1);
      const { id } = await desk.place('anna', { side: 'BUY', price: 59_000, qty: 0.1 });
      await desk.post('/auth/cancel', { id }, 'anna');
      refused(await desk.tryPost('/auth/cancel', { id }, 'anna'), 'order already done');
      refused(await desk.tryPost('/auth/cancel', { id: taker.id }, 'anna'), 'order already done');
      refused(await desk.tryPost('/auth/cancel', { id: '987654' }, 'anna'), 'The order was not found');
    },
  },
  {
    id: 'TC-227',
    claim: 'POST /auth/cancel without an id is malformed',
    endpoints: ['POST /auth/cancel'],
    needs: ['quiet venue'],
    async run(desk) {
      refused(await desk.tryPost('/auth/cancel', {}, 'anna'), 'malformed: id');
    },
  },
  {
    id: 'TC-230',
    claim:
      'a bulk cancel by ids gives the orders it cancelled and skips ids that are unknown, dead or another’s',
    endpoints: ['POST /auth/cancel/bulk'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const bid = { side: 'BUY', price: 59_000, qty: 0.1 };
      const first = await desk.place('anna', bid);
      const dead = await desk.place('anna', bid);
      const foreign = await desk.place('bert', bid);
      const last = await desk.place('anna', bid);
      const stays = await desk.place('anna', bid);
      await desk.post('/auth/cancel', { id: dead.id }, 'anna');
      const wanted = [first.id, dead.id, '987654', foreign.id, last.id];
      const fields = Object.fromEntries(wanted.map((id, n) => [`ids[${n}]`, id]));
      const canceled = await desk.post<readonly WireOrder[]>('/auth/cancel/bulk', fields, 'anna');
      assert.deepEqual(ids(canceled), [first.id, last.id]);
      assert.deepEqual(ids(await desk.list('anna', '/active_orders')), [stays.id]);
      assert.deepEqual(ids(await desk.list('bert', '/active_orders')), [foreign.id]);
    },
  },
  {
    id: 'TC-231',
    claim: 'a bulk cancel takes ids[], one bare ids, and any other spelling of a list',
    endpoints: ['POST /auth/cancel/bulk'],
    needs: ['quiet venue'],
    async run(desk) {
      for (const spell of [
        (id: string) => `ids=${id}`,
        (id: string) => `ids[]=${id}`,
        (id: string) => `ids%5B7%5D=${id}`,
      ]) {
        const { id } = await desk.place('anna', { side: 'BUY', price: 59_000, qty: 0.1 });
        const body = spell(id);
        const reply = await desk.send({
          method: 'POST',
          target: '/auth/cancel/bulk',
          headers: desk.signed('anna', body),
          body,
        });
        assert.deepEqual(ids(reply.result as readonly WireOrder[]), [id], body);
      }
    },
  },
  {
    id: 'TC-232',
    claim:
      'a bulk cancel without ids cancels every working order of the account on every pair, and leaves waiting triggers',
    endpoints: ['POST /auth/cancel/bulk', 'GET /triggers'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const btc = await desk.place('anna', { side: 'BUY', price: 59_000, qty: 0.1 });
      const eth = await desk.place('anna', { pair: ETH, side: 'SELL', price: 2_600, qty: 0.1 });
      const waiting = await desk.place('anna', {
        side: 'BUY',
        price: 61_000,
        qty: 0.1,
        trigger_price: 61_000,
      });
      const foreign = await desk.place('bert', { side: 'BUY', price: 59_000, qty: 0.1 });
      const canceled = await desk.post<readonly WireOrder[]>('/auth/cancel/bulk', {}, 'anna');
      assert.deepEqual(ids(canceled).toSorted(), [btc.id, eth.id].toSorted());
      assert.deepEqual(await desk.list('anna', '/active_orders'), []);
      assert.deepEqual(ids(await desk.list('anna', '/triggers')), [waiting.id]);
      assert.deepEqual(ids(await desk.list('bert', '/active_orders')), [foreign.id]);
    },
  },
];
