/** Position and its stats (specification: Position; `money.md` §5, §6 and its examples A to E). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { ETH, has, nearly, only, PAIR, refused } from '../desk.js';
import type { ByKey, WirePosition } from '../wire-records.js';
import { exampleA, leave, leverage } from './margin.js';

const POSITION_FIELDS = ['size', 'free', 'locked', 'realized', 'funding', 'fees'].map(
  (name) => `Position.${name}`,
);
const STATS = [
  'size',
  'notional',
  'margin',
  'pnl',
  'upnl',
  'rpnl',
  'equity',
  'roe',
  'mark',
  'avg_entry',
  'leverage',
  'lp',
  'bankrupt',
  'direction',
].map((name) => `Position.stats.${name}`);
export const POSITION_CARDS: readonly Card[] = [
  {
    id: 'TC-400',
    claim: 'without a position GET /position gives one of size 0',
    endpoints: ['GET /position'],
    fields: [...POSITION_FIELDS],
    needs: ['quiet venue'],
    async run(desk) {
      has(await desk.position('anna'), { size: 0, free: 0, locked: 0, realized: 0, funding: 0, fees: 0 });
      has((await desk.position('anna')).stats, {
        size: 0,
        notional: 0,
        upnl: 0,
        avg_entry: 0,
        lp: 0,
        bankrupt: 0,
      });
      refused(await desk.tryGet('/position', { pair: 'USD_XYZ_PERP' }, 'anna'), 'unknown pair');
    },
  },
  {
    id: 'TC-401',
    claim:
      'a cross position: margin im(N), leverage and roe over it, no liquidation price where the cash covers all',
    endpoints: ['GET /position'],
    fields: [...POSITION_FIELDS, 'Position.stats', ...STATS],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      const { stats, ...position } = await desk.position('anna');
      // im(30 000) = 30 000 × (0.01 + 10⁻⁶ × 30 000) = 1 200.
      has(position, { size: 0.5, free: 1_200, locked: 0, realized: 0, funding: 0, fees: -18 });
      has(stats, {
        size: 0.5,
        notional: 30_000,
        margin: 1_200,
        upnl: 0,
        rpnl: -18,
        pnl: -18,
        equity: 1_200,
        roe: -0.015, // −18 / 1 200
        mark: 60_000,
        avg_entry: 60_000,
        leverage: 25, // 30 000 / 1 200
        lp: 0,
        bankrupt: 0,
        direction: 'BUY',
      });
    },
  },
  {
    id: 'TC-402',
    claim: 'a short position has a negative size, an unsigned stats.size and direction SELL',
    endpoints: ['GET /position'],
    fields: ['Position.size', 'Position.stats.size', 'Position.stats.direction', 'Position.stats.bankrupt'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      const { size, fees, stats } = await desk.position('bert');
      assert.deepEqual({ size, fees }, { size: -0.5, fees: -6 });
      // W = 99 994: bankrupt at (30 000 + 99 994) / 0.5.
      has(stats, { size: 0.5, direction: 'SELL', avg_entry: 60_000, bankrupt: 259_988 });
    },
  },
  {
    id: 'TC-403',
    claim:
      'unrealised profit moves with the mark: upnl, pnl, equity, notional, margin, leverage and roe follow',
    endpoints: ['GET /position'],
    fields: STATS,
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      await desk.index(PAIR, 61_000);
      const { stats } = await desk.position('anna');
      // N 30 500: im = 30 500 × 0.0405 = 1 235.25; upnl 500.
      has(stats, {
        notional: 30_500,
        margin: 1_235.25,
        upnl: 500,
        rpnl: -18,
        pnl: 482,
        equity: 1_735.25,
        mark: 61_000,
        avg_entry: 60_000,
      });
      nearly(stats['leverage'], 30_500 / 1_735.25);
      nearly(stats['roe'], 482 / 1_200);
    },
  },
  {
    id: 'TC-404',
    claim:
      'example A: an isolated long at 10 times: margin 3 000, bankrupt 54 000.0, liquidation price 55 032.4',
    endpoints: ['POST /leverage', 'GET /position'],
    fields: [...POSITION_FIELDS, ...STATS],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await exampleA(desk);
      const { stats, ...position } = await desk.position('anna');
      has(position, { size: 0.5, free: 3_000, locked: 0, realized: 0, funding: 0, fees: -18 });
      has(stats, {
        margin: 3_000,
        equity: 3_000,
        leverage: 10,
        roe: -0.006, // −18 / (30 000 / 10)
        avg_entry: 60_000,
        bankrupt: 54_000,
        lp: 55_032.4,
      });
      // W = 100 000 − 3 000 − 18.
      has(await desk.balance('anna'), { free: 96_982, margin: 3_000, locked: 0, withdrawn: 0, fees: 18 });
    },
  },
  {
    id: 'TC-405',
    claim: 'example B: an isolated short at 10 times: bankrupt 66 000.0, liquidation price 64 632.4',
    endpoints: ['POST /leverage', 'GET /position'],
    fields: ['Position.stats.lp', 'Position.stats.bankrupt'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await leverage(desk, 10, 'bert');
      await desk.trade(60_000, 0.5);
      has((await desk.position('bert')).stats, {
        margin: 3_000,
        bankrupt: 66_000,
        lp: 64_632.4,
        direction: 'SELL',
      });
    },
  },
  {
    id: 'TC-406',
    claim: 'example C: a cross long beside a losing short: liquidation price 55 271.9, bankrupt 53 000.0',
    endpoints: ['GET /position'],
    fields: ['Position.stats.lp', 'Position.stats.bankrupt'],
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await desk.trade(60_000, 1);
      await desk.trade(2_500, 10, ETH, 'anna', 'bert');
      await leave(desk, 'anna', 8_000);
      await desk.index(ETH, 2_600);
      has((await desk.position('anna')).stats, { lp: 55_271.9, bankrupt: 53_000 });
    },
  },
  {
    id: 'TC-407',
    claim: 'example D: a cross short of 1 BTC with 8 000: liquidation price 65 525.5, bankrupt 68 000.0',
    endpoints: ['GET /position'],
    fields: ['Position.stats.lp', 'Position.stats.bankrupt'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 1);
      await leave(desk, 'bert', 8_000);
      has((await desk.position('bert')).stats, { lp: 65_525.5, bankrupt: 68_000 });
    },
  },
  {
    id: 'TC-408',
    claim:
      'example E: the average entry is cost by size; a sale takes its share of the cost; a flip opens at its price',
    endpoints: ['GET /position', 'GET /completed_positions', 'GET /personal'],
    fields: ['Position.realized', 'Position.fees', 'Position.stats.avg_entry', 'Balance.pnl'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.001);
      await desk.trade(60_000.1, 0.002);
      await desk.trade(60_010, 0.001, PAIR, 'anna', 'cleo');
      const reduced = await desk.position('anna');
      has(reduced, { size: 0.002, realized: 0.00993333 });
      nearly(reduced.stats['avg_entry'], 60_000.066665);
      await desk.place('bert', { side: 'BUY', price: 60_020, qty: 0.005 });
      await desk.place('anna', { side: 'SELL', price: 60_020, qty: 0.005 });
      const flipped = await desk.position('anna');
      // The fee of the flip is 0.18006, of it 0.072024 for what it closed.
      has(flipped, { size: -0.003, realized: 0, fees: -0.108036 });
      has(flipped.stats, { avg_entry: 60_020, direction: 'SELL' });
      const done = only(await desk.get<readonly ByKey<WirePosition>[]>('/completed_positions', {}, 'anna'));
      has(done[PAIR], { size: 0, realized: 0.0498 });
      has(await desk.balance('anna'), { pnl: 0.0498 });
    },
  },
];
