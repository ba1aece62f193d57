/** Matching as it shows on the wire: price and time, FOK, IOC, post-only, the band (`money.md` §4). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, has, PAIR } from '../desk.js';
import type { Customer, Fields } from '../door.js';

const sell = (desk: Desk, who: Customer, price: number, qty: number, more: Fields = {}) =>
  desk.place(who, { side: 'SELL', price, qty, ...more });
const buy = (desk: Desk, who: Customer, price: number | undefined, qty: number, more: Fields = {}) =>
  desk.place(who, { side: 'BUY', price, qty, ...more });

const left = async (desk: Desk, who: Customer, order: { readonly id: string }) =>
  (await desk.order(who, order.id)).qty_remaining;

export const MATCHING_CARDS: readonly Card[] = [
  {
    id: 'TC-260',
    claim: 'a better price trades first, and among equals the older order',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const dear = await sell(desk, 'bert', 60_010, 0.1);
      const older = await sell(desk, 'bert', 60_000, 0.1);
      const newer = await sell(desk, 'cleo', 60_000, 0.1);
      await buy(desk, 'anna', 60_010, 0.15);
      assert.equal(await left(desk, 'bert', older), 0);
      assert.equal(await left(desk, 'cleo', newer), 0.05);
      assert.equal(await left(desk, 'bert', dear), 0.1);
    },
  },
  {
    id: 'TC-261',
    claim: 'a trade is at the price of the resting order',
    endpoints: ['POST /auth/order', 'GET /fills'],
    fields: ['Fill.price'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await sell(desk, 'bert', 60_000, 0.1);
      const order = await buy(desk, 'anna', 61_000, 0.1);
      has(order.fills[0], { price: 60_000 });
      has(order, { price: 61_000, price_orig: 61_000 });
    },
  },
  {
    id: 'TC-262',
    claim: 'IOC fills what it can and cancels the rest, with "IOC remainder"',
    endpoints: ['POST /auth/order'],
    fields: ['Order.time_in_force', 'Order.msg'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await sell(desk, 'bert', 60_000, 0.1);
      has(await buy(desk, 'anna', 60_000, 0.3, { time_in_force: 'IOC' }), {
        status: 'CANCELLED',
        msg: 'IOC remainder',
        qty_orig: 0.3,
        qty_filled: 0.1,
        qty_remaining: 0.2,
      });
      assert.deepEqual((await desk.depth()).bids, []);
    },
  },
  {
    id: 'TC-263',
    claim: 'FOK fills whole or is cancelled unfilled, with "FOK cannot fill"',
    endpoints: ['POST /auth/order'],
    fields: ['Order.time_in_force', 'Order.msg'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await sell(desk, 'bert', 60_000, 0.1);
      await sell(desk, 'bert', 60_010, 0.1, { hidden: true });
      has(await buy(desk, 'anna', 60_010, 0.201, { time_in_force: 'FOK' }), {
        status: 'CANCELLED',
        msg: 'FOK cannot fill',
        qty_filled: 0,
      });
      // What is hidden counts.
      has(await buy(desk, 'anna', 60_010, 0.2, { time_in_force: 'FOK' }), {
        status: 'COMPLETED',
        qty_filled: 0.2,
      });
    },
  },
  {
    id: 'TC-264',
    claim:
      'a post-only order that would trade, against a hidden one too, is cancelled with "post-only would trade"',
    endpoints: ['POST /auth/order'],
    fields: ['Order.post_only', 'Order.msg'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await sell(desk, 'bert', 60_000, 0.1, { hidden: true });
      has(await buy(desk, 'anna', 60_000, 0.1, { post_only: true }), {
        status: 'CANCELLED',
        msg: 'post-only would trade',
        qty_filled: 0,
      });
      has(await buy(desk, 'anna', 59_999.9, 0.1, { post_only: true }), { status: 'ACTIVE' });
    },
  },
  {
    id: 'TC-265',
    claim: 'a MARKET order without anybody to trade with is cancelled with "no liquidity"',
    endpoints: ['POST /auth/order'],
    fields: ['Order.msg'],
    needs: ['quiet venue'],
    async run(desk) {
      has(await buy(desk, 'anna', undefined, 0.1), {
        type: 'MARKET',
        status: 'CANCELLED',
        msg: 'no liquidity',
        qty_filled: 0,
        price: 0,
      });
    },
  },
  {
    id: 'TC-266',
    claim:
      'a limit beyond the trading band is cancelled with "outside the trading band", one at its edge rests',
    endpoints: ['POST /auth/order'],
    fields: ['Market.trading_max_mark_deviation', 'Order.msg'],
    needs: ['quiet venue'],
    async run(desk) {
      const outside = { status: 'CANCELLED', msg: 'outside the trading band', qty_filled: 0 };
      has(await buy(desk, 'anna', 66_000.1, 0.1), outside);
      has(await sell(desk, 'anna', 53_999.9, 0.1), outside);
      has(await buy(desk, 'anna', 66_000, 0.1), { status: 'ACTIVE' });
      await desk.post('/auth/cancel/bulk', {}, 'anna');
      has(await sell(desk, 'anna', 54_000, 0.1), { status: 'ACTIVE' });
    },
  },
  {
    id: 'TC-267',
    claim: 'a MARKET order goes no further than the edge of the band',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await sell(desk, 'bert', 66_000, 0.1);
      await sell(desk, 'bert', 66_000.1, 0.1);
      has(await buy(desk, 'anna', undefined, 0.2), { status: 'CANCELLED', qty_filled: 0.1, price: 66_000 });
    },
  },
  {
    id: 'TC-268',
    claim: 'an order never trades with its own account: what is left of it is cancelled with "self-trade"',
    endpoints: ['POST /auth/order'],
    fields: ['Order.msg'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await sell(desk, 'bert', 60_000, 0.1);
      const own = await sell(desk, 'anna', 60_001, 0.1);
      await sell(desk, 'bert', 60_002, 0.1);
      has(await buy(desk, 'anna', 60_002, 0.3), { status: 'CANCELLED', msg: 'self-trade', qty_filled: 0.1 });
      has(await desk.order('anna', own.id), { status: 'ACTIVE', qty_remaining: 0.1 });
    },
  },
  {
    id: 'TC-269',
    claim: 'the band bounds the order that comes in, not what rests: a better price outside it trades',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await sell(desk, 'bert', 60_000, 0.1);
      // From here the band is 63 000 to 77 000.
      await desk.index(PAIR, 70_000);
      const order = await buy(desk, 'anna', 65_000, 0.1);
      has(order, { status: 'COMPLETED', qty_filled: 0.1 });
      has(order.fills[0], { price: 60_000 });
    },
  },
];
