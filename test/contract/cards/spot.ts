/** Spot pairs exchange balances (`money.md` §9). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, has, only, refused, SPOT } from '../desk.js';
import type { Customer } from '../door.js';

const credit = (desk: Desk, account: Customer, qty: number) =>
  desk.admin('/deposit', { account, asset: 'BTC', qty });
const order = (desk: Desk, who: Customer, side: 'BUY' | 'SELL', price: number, qty: number) =>
  desk.place(who, { pair: SPOT, side, price, qty });

export const SPOT_CARDS: readonly Card[] = [
  {
    id: 'TC-640',
    claim: 'a spot buy locks its amount with the taker fee, a spot sell the quantity of the base',
    endpoints: ['POST /auth/order', 'GET /personal'],
    fields: ['Balance.locked', 'Balance.free'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      await credit(desk, 'anna', 1);
      await order(desk, 'anna', 'BUY', 60_000, 0.1);
      // 6 000 + 3.6.
      has(await desk.balance('anna'), { locked: 6_003.6, free: 93_996.4, margin: 0 });
      await order(desk, 'anna', 'SELL', 61_000, 0.4);
      has(await desk.balance('anna', 'BTC'), { locked: 0.4, free: 0.6, margin: 0 });
    },
  },
  {
    id: 'TC-641',
    claim: 'at a spot fill base and quote change hands, the fee in the quote from both sides',
    endpoints: ['POST /auth/order', 'GET /personal', 'GET /fills'],
    fields: ['Balance.fees', 'Balance.pnl', 'Fill.gross_commission_asset', 'Fill.net_commission_asset'],
    needs: ['quiet venue', 'two accounts', 'admin'],
    async run(desk) {
      await credit(desk, 'bert', 1);
      await desk.trade(60_000, 0.1, SPOT);
      has(await desk.balance('anna'), { free: 93_996.4, locked: 0, fees: 3.6, pnl: 0 });
      has(await desk.balance('anna', 'BTC'), { free: 0.1, locked: 0, fees: 0 });
      // 6 000 − 1.2.
      has(await desk.balance('bert'), { free: 105_998.8, fees: 1.2, pnl: 0 });
      has(await desk.balance('bert', 'BTC'), { free: 0.9, locked: 0 });
      has(only(await desk.fills('anna')), {
        pair: SPOT,
        cost: 6_000,
        gross_commission: 3.6,
        gross_commission_asset: 'USD',
        net_commission_asset: 'USD',
      });
    },
  },
  {
    id: 'TC-642',
    claim: 'spot makes no position',
    endpoints: ['GET /position', 'GET /active_positions', 'GET /completed_positions'],
    needs: ['quiet venue', 'two accounts', 'admin'],
    async run(desk) {
      await credit(desk, 'bert', 1);
      await desk.trade(60_000, 0.1, SPOT);
      has(await desk.position('anna', SPOT), { size: 0, realized: 0, fees: 0, locked: 0 });
      assert.deepEqual(await desk.get('/active_positions', {}, 'anna'), {});
      assert.deepEqual(await desk.get('/completed_positions', {}, 'anna'), []);
    },
  },
  {
    id: 'TC-643',
    claim:
      'more than is held of the base, or than the quote pays for, is refused with "insufficient balance"',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      const sell = (qty: number) => desk.tryPlace('anna', { pair: SPOT, side: 'SELL', price: 60_000, qty });
      refused(await sell(0.1), 'insufficient balance');
      await credit(desk, 'anna', 0.1);
      refused(await sell(0.1001), 'insufficient balance');
      assert.equal((await sell(0.1)).status, 200);
      // 100 000 / (60 000 × 1.0006) = 1.6656….
      refused(
        await desk.tryPlace('bert', { pair: SPOT, side: 'BUY', price: 60_000, qty: 1.6657 }),
        'insufficient balance',
      );
      await order(desk, 'bert', 'BUY', 60_000, 1.6656);
    },
  },
  {
    id: 'TC-644',
    claim: 'a cancelled spot order unlocks what it held',
    endpoints: ['POST /auth/cancel', 'GET /personal'],
    fields: ['Balance.locked'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      await credit(desk, 'anna', 1);
      const { id } = await order(desk, 'anna', 'SELL', 61_000, 0.4);
      await desk.post('/auth/cancel', { id }, 'anna');
      has(await desk.balance('anna', 'BTC'), { locked: 0, free: 1 });
    },
  },
  {
    id: 'TC-645',
    claim:
      'on spot, reduce_only, close_on_trigger and a trigger on anything but the last price are malformed',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      await credit(desk, 'anna', 1);
      const sell = { pair: SPOT, side: 'SELL', price: 60_000, qty: 0.1 };
      const trigger = { ...sell, trigger_price: 59_000 };
      refused(await desk.tryPlace('anna', { ...sell, reduce_only: true }), 'malformed');
      refused(
        await desk.tryPlace('anna', { ...trigger, trigger_event: 'LAST_PRICE', close_on_trigger: true }),
        'malformed',
      );
      refused(await desk.tryPlace('anna', { ...trigger, trigger_event: 'MARK_PRICE' }), 'malformed');
      refused(await desk.tryPlace('anna', { ...trigger, trigger_event: 'INDEX_PRICE' }), 'malformed');
      has(await desk.place('anna', { ...trigger, trigger_event: 'LAST_PRICE' }), { status: 'UNTRIGGERED' });
    },
  },
  {
    id: 'TC-646',
    claim: 'spot matches hidden orders, icebergs, IOC and post-only as any market does',
    endpoints: ['POST /auth/order', 'GET /depth'],
    needs: ['quiet venue', 'two accounts', 'admin'],
    async run(desk) {
      await credit(desk, 'bert', 1);
      await desk.place('bert', { pair: SPOT, side: 'SELL', price: 60_000, qty: 0.2, icebergs: 2 });
      await desk.place('bert', { pair: SPOT, side: 'SELL', price: 60_001, qty: 0.1, hidden: true });
      assert.deepEqual((await desk.depth(SPOT)).asks, [{ price: 60_000, qty: 0.1 }]);
      const buy = { pair: SPOT, side: 'BUY', price: 60_001, qty: 0.4 };
      has(await desk.place('anna', { ...buy, post_only: true }), {
        status: 'CANCELLED',
        msg: 'post-only would trade',
      });
      has(await desk.place('anna', { ...buy, time_in_force: 'IOC' }), {
        status: 'CANCELLED',
        qty_filled: 0.3,
      });
      has(await desk.balance('anna', 'BTC'), { free: 0.3 });
    },
  },
];
