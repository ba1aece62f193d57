/** Balances of an account with positions (specification: Balances; `money.md` §14, examples J and K). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { ETH, has, nearly, only, PAIR } from '../desk.js';
import type { ByKey, WireBalance, WirePosition } from '../wire-records.js';
import { leave } from './margin.js';

const BALANCE_FIELDS = ['free', 'locked', 'withdrawn', 'pnl', 'margin', 'fees'].map(
  (name) => `Balance.${name}`,
);

/** What the client's ledger compares: cash, isolated margin and pending withdrawals (`money.md` §14). */
function total({ free, locked, margin, withdrawn }: WireBalance): number {
  return free + locked + margin + withdrawn;
}

export const BALANCE_CARDS: readonly Card[] = [
  {
    id: 'TC-409',
    claim:
      'example J: working orders reserve 171.54990225 of the pair: locked of the position and of the balance',
    endpoints: ['GET /position', 'GET /personal'],
    fields: ['Position.locked', 'Balance.locked', 'Balance.free', 'Balance.margin'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.1);
      for (const price of [59_990, 59_980]) await desk.place('anna', { side: 'BUY', price, qty: 0.05 });
      for (const price of [60_010, 60_020]) await desk.place('anna', { side: 'SELL', price, qty: 0.05 });
      assert.equal((await desk.position('anna'))['locked'], 171.54990225);
      // W = 100 000 − 3.6; im(6 000) = 96.
      has(await desk.balance('anna'), { locked: 171.54990225, margin: 96, free: 99_728.85009775, fees: 3.6 });
    },
  },
  {
    id: 'TC-410',
    claim: 'example K: cash may be negative while a cross profit carries it: free 0, locked 0, margin −200',
    endpoints: ['GET /personal'],
    fields: BALANCE_FIELDS,
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await desk.trade(60_000, 0.1);
      await desk.trade(2_500, 4, ETH, 'anna', 'bert');
      // The close costs a taker 4 × 2 800 × 0.0006 = 6.72.
      await leave(desk, 'anna', 1_006.72);
      const { withdrawn } = await desk.balance('anna');
      await desk.index(PAIR, 66_000);
      await desk.index(ETH, 2_800);
      await desk.place('cleo', { pair: ETH, side: 'SELL', price: 2_800, qty: 4 });
      await desk.place('anna', { pair: ETH, side: 'BUY', price: 2_800, qty: 4, reduce_only: true });
      has(await desk.balance('anna'), { free: 0, locked: 0, margin: -200, withdrawn, pnl: -1_200 });
    },
  },
  {
    id: 'TC-411',
    claim:
      'free + locked + margin + withdrawn is the cash with isolated margin and pending withdrawals, at any mark',
    endpoints: ['GET /personal'],
    fields: BALANCE_FIELDS,
    needs: ['quiet venue', 'two accounts', 'admin', 'time'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      await desk.place('anna', { side: 'SELL', price: 61_000, qty: 0.1 });
      await desk.post(
        '/auth/withdraw',
        { asset: 'USD', qty: 500, address: 'x', timestamp: desk.now },
        'anna',
      );
      for (const price of [60_000, 58_000, 62_000]) {
        await desk.index(PAIR, price);
        nearly(total(await desk.balance('anna')), 99_982);
      }
    },
  },
  {
    id: 'TC-412',
    claim:
      'pnl of a balance grows by what a closed position realised, fees by what was paid; paid is positive there',
    endpoints: ['GET /personal'],
    fields: ['Balance.pnl', 'Balance.fees'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      has(await desk.balance('anna'), { pnl: 0, fees: 18 });
      await desk.trade(61_000, 0.5, PAIR, 'anna', 'cleo');
      // 500 realised; 0.5 × 61 000 × 0.0002 as maker.
      has(await desk.balance('anna'), { pnl: 500, fees: 24.1, free: 100_475.9, margin: 0, locked: 0 });
      // The same position, finished.
      const done = only(await desk.get<readonly ByKey<WirePosition>[]>('/completed_positions', {}, 'anna'));
      has(done[PAIR], { realized: 500, fees: -24.1, funding: 0, size: 0 });
      has(done[PAIR]?.stats, { rpnl: 475.9, pnl: 475.9, direction: 'BUY' });
    },
  },
  {
    id: 'TC-413',
    claim: 'a position that has passed through 0 starts anew',
    endpoints: ['GET /position'],
    fields: ['Position.realized', 'Position.fees'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      await desk.trade(61_000, 0.5, PAIR, 'anna', 'bert');
      has(await desk.position('anna'), { size: 0, realized: 0, fees: 0, funding: 0 });
    },
  },
];
