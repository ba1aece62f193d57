/** Funding, liquidation, take-over and auto-deleverage as they show on the wire (`money.md` §7, §8 and its examples). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, ETH, has, only, PAIR } from '../desk.js';
import type { ByKey, WirePosition } from '../wire-records.js';
import { exampleA } from './margin.js';

const HOUR = 3_600_000;

/** A book around 60 030 for an hour: by then the average of fair − index has reached 30, and the premium is 0.0005. */
async function steadyPremium(desk: Desk): Promise<void> {
  await desk.place('cleo', { side: 'BUY', price: 60_020, qty: 1 });
  await desk.place('cleo', { side: 'SELL', price: 60_040, qty: 1 });
  await desk.advance(HOUR);
}

const insurance = async (desk: Desk) => (await desk.admin<ByKey<number>>('/insurance', {}))['USD'] ?? 0;

const finished = async (desk: Desk, who: 'anna' | 'bert') =>
  only(await desk.get<readonly ByKey<WirePosition>[]>('/completed_positions', {}, who))[PAIR] as WirePosition;

export const RISK_CARDS: readonly Card[] = [
  {
    id: 'TC-500',
    claim:
      'example F: with a mean premium of 0.0005 a long of 0.5 at mark 60 030 pays 1.50075, and the short receives it',
    endpoints: ['GET /position', 'GET /ticker', 'GET /personal'],
    fields: [
      'Position.funding',
      'Position.stats.rpnl',
      'Market.funding_time_window',
      'Market.funding_interval',
    ],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      await steadyPremium(desk);
      await desk.trade(60_030, 0.5);
      await desk.advance(HOUR - 1_000);
      has(await desk.ticker(), { mark_price: 60_030, index_price: 60_000, funding_rate: 0.00005 });
      assert.equal((await desk.position('anna'))['funding'], 0);
      // W 99 981.991 − im(30 015) = 30 015 × 0.040015.
      has(await desk.balance('anna'), { free: 98_780.940775, fees: 18.009 });
      await desk.advance(1_000);
      const { stats, ...position } = await desk.position('anna');
      // The taker fee is 30 015 × 0.0006.
      has(position, { funding: -1.50075, fees: -18.009, realized: 0 });
      has(stats, { rpnl: -19.50975, pnl: -19.50975 });
      has(await desk.position('bert'), { funding: 1.50075 });
      // Funding is no fee and no P&L of a closed position.
      has(await desk.balance('anna'), { free: 98_779.440025, fees: 18.009, pnl: 0 });
    },
  },
  {
    id: 'TC-501',
    claim: 'while the mark is the index there is no funding',
    endpoints: ['GET /position', 'GET /ticker'],
    fields: ['Position.funding'],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      await desk.advance(HOUR);
      assert.equal((await desk.position('anna'))['funding'], 0);
      assert.equal((await desk.position('bert'))['funding'], 0);
    },
  },
  {
    id: 'TC-502',
    claim: 'funding of an isolated position comes out of its margin',
    endpoints: ['GET /position', 'GET /personal'],
    fields: ['Position.free', 'Position.funding', 'Balance.margin'],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      await steadyPremium(desk);
      await desk.post('/leverage', { pair: PAIR, leverage: 10 }, 'anna');
      await desk.trade(60_030, 0.5);
      // 30 015 / 10 = 3 001.5, less 1.50075.
      const { free } = await desk.balance('anna');
      await desk.advance(HOUR);
      has(await desk.position('anna'), { free: 2_999.99925, funding: -1.50075 });
      has(await desk.balance('anna'), { free, margin: 2_999.99925 });
    },
  },
  {
    id: 'TC-503',
    claim: 'a finished position keeps the funding it paid',
    endpoints: ['GET /completed_positions'],
    fields: ['Position.funding'],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      await steadyPremium(desk);
      await desk.trade(60_030, 0.5);
      await desk.advance(HOUR);
      await desk.trade(60_030, 0.5, PAIR, 'anna', 'bert');
      // 18.009 as a taker in, 6.003 as a maker out.
      has(await finished(desk, 'anna'), { funding: -1.50075, fees: -24.012, realized: 0 });
    },
  },
  {
    id: 'TC-510',
    claim: 'example G: below its maintenance an isolated position loses a tenth at the bid, and lives on',
    endpoints: ['GET /position', 'GET /personal'],
    fields: [
      'Position.free',
      'Position.realized',
      'Position.fees',
      'Market.liquidate_threshold',
      'Market.commission_liquidation',
      'Market.insurance_percentage',
    ],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await exampleA(desk);
      await desk.place('cleo', { side: 'BUY', price: 54_980, qty: 0.05 });
      await desk.index(PAIR, 55_000);
      // The fee of the slice is 0.05 × 54 980 × 0.003 = 8.247, and there is no taker fee besides.
      has(await desk.position('anna'), { size: 0.45, free: 2_740.753, realized: -251, fees: -26.247 });
      has(await desk.balance('anna'), { free: 96_982, margin: 2_740.753, pnl: -251, fees: 26.247 });
      assert.equal(await insurance(desk), 8.247);
    },
  },
  {
    id: 'TC-511',
    claim:
      'the slice is an IOC order of the account with is_liquidation, and its fills say liquidation on both sides',
    endpoints: ['GET /orders', 'GET /fills'],
    fields: ['Order.is_liquidation', 'Fill.liquidation', 'Fill.gross_commission'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await exampleA(desk);
      await desk.place('cleo', { side: 'BUY', price: 54_980, qty: 0.05 });
      await desk.index(PAIR, 55_000);
      const [liquidation, opening] = await desk.list('anna', '/orders');
      has(liquidation, {
        is_liquidation: true,
        side: 'SELL',
        type: 'LIMIT',
        time_in_force: 'IOC',
        // The bankruptcy price.
        price_orig: 54_000,
        qty_orig: 0.05,
        qty_filled: 0.05,
        status: 'COMPLETED',
      });
      has(opening, { is_liquidation: false });
      const [fill] = await desk.fills('anna');
      has(fill, {
        liquidation: true,
        price: 54_980,
        qty: 0.05,
        gross_commission: 8.247,
        is_buyer_maker: true,
      });
      // The maker pays its usual fee: 2 749 × 0.0002.
      has(only(await desk.fills('cleo')), { liquidation: true, gross_commission: 0.5498 });
    },
  },
  {
    id: 'TC-512',
    claim: 'a liquidation first cancels the group’s working orders with "liquidation"; its triggers wait on',
    endpoints: ['GET /order', 'GET /triggers'],
    fields: ['Order.msg'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await exampleA(desk);
      const profit = await desk.place('anna', { side: 'SELL', price: 65_000, qty: 0.5, reduce_only: true });
      const more = await desk.place('anna', { side: 'BUY', price: 50_000, qty: 0.001 });
      const stop = await desk.place('anna', { side: 'SELL', qty: 0.5, trigger_price: 50_000 });
      await desk.place('cleo', { side: 'BUY', price: 54_980, qty: 0.05 });
      await desk.index(PAIR, 55_000);
      for (const { id } of [profit, more]) {
        has(await desk.order('anna', id), { status: 'CANCELLED', msg: 'liquidation' });
      }
      has(await desk.order('anna', stop.id), { status: 'UNTRIGGERED' });
    },
  },
  {
    id: 'TC-513',
    claim: 'example G′: in cross the position with the largest maintenance loses the slice',
    endpoints: ['GET /position', 'GET /personal'],
    fields: ['Balance.pnl', 'Balance.fees'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await desk.trade(60_000, 1);
      await desk.trade(2_500, 10, ETH, 'anna', 'bert');
      const { free, locked, margin, fees } = await desk.balance('anna');
      const qty = Math.round((free + locked + margin - 8_000) * 100) / 100;
      await desk.post('/auth/withdraw', { asset: 'USD', qty, address: 'x', timestamp: desk.now }, 'anna');
      await desk.place('cleo', { side: 'BUY', price: 54_980, qty: 1 });
      await desk.index(ETH, 2_600);
      await desk.index(PAIR, 55_000);
      has(await desk.position('anna'), { size: 0.9, realized: -502 });
      has(await desk.position('anna', ETH), { size: -10, realized: 0 });
      const after = await desk.balance('anna');
      has(after, { pnl: -502, withdrawn: qty });
      // 36 as a taker, 5 as a maker before; 0.1 × 54 980 × 0.003 now.
      assert.equal(fees, 41);
      assert.equal(after['fees'], 57.494);
      assert.equal(Math.round((after.free + after.locked + after.margin) * 1_000), 7_481_506);
    },
  },
  {
    id: 'TC-520',
    claim:
      'example H: at half its maintenance the provider takes the position over at the mark: margin gone, cash untouched',
    endpoints: ['GET /position', 'GET /personal', 'GET /fills', 'GET /completed_positions'],
    fields: ['Market.swap_threshold', 'Fill.liquidation', 'Order.is_liquidation'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await exampleA(desk);
      await desk.index(PAIR, 54_300);
      has(await desk.position('anna'), { size: 0, free: 0 });
      has(await desk.balance('anna'), { free: 96_982, margin: 0, locked: 0, withdrawn: 0 });
      const [fill] = await desk.fills('anna');
      has(fill, { liquidation: true, price: 54_300, qty: 0.5, side: 'SELL', gross_commission: 0 });
      const [order] = await desk.list('anna', '/orders');
      has(order, { is_liquidation: true, qty_filled: 0.5, status: 'COMPLETED' });
      has(await finished(desk, 'anna'), { size: 0 });
      // The other side keeps its position.
      has(await desk.position('bert'), { size: -0.5 });
    },
  },
  {
    id: 'TC-521',
    claim: 'example I: the insurance fund pays what a position taken over is short of: 500 at mark 53 000',
    endpoints: ['GET /position', 'GET /personal'],
    fields: ['Market.deleverage_threshold'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await exampleA(desk);
      await desk.admin('/insurance', { asset: 'USD', qty: 500 });
      await desk.index(PAIR, 53_000);
      has(await desk.position('anna'), { size: 0 });
      has(await desk.balance('anna'), { free: 96_982, margin: 0 });
      assert.equal(await insurance(desk), 0);
      has(await desk.position('bert'), { size: -0.5 });
    },
  },
  {
    id: 'TC-522',
    claim:
      'example I′: with 499 in the fund the other side is deleveraged at the bankruptcy price, and the fund pays nothing',
    endpoints: ['GET /position', 'GET /personal', 'GET /fills', 'GET /completed_positions'],
    fields: ['Fill.liquidation'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await exampleA(desk);
      await desk.admin('/insurance', { asset: 'USD', qty: 499 });
      await desk.index(PAIR, 53_000);
      has(await desk.balance('anna'), { free: 96_982, margin: 0 });
      has(await desk.position('bert'), { size: 0 });
      // 0.5 × (60 000 − 54 000), not the 3 500 of the mark; no fee but that of the opening.
      has(await finished(desk, 'bert'), { realized: 3_000, fees: -6 });
      const [fill] = await desk.fills('bert');
      has(fill, { liquidation: true, price: 54_000, qty: 0.5, side: 'BUY', gross_commission: 0 });
      assert.equal(await insurance(desk), 499);
    },
  },
];
