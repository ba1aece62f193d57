/** GET /personal, and GET /balances and /account beside the specification (`dialect.md` §3). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { has, PAIR } from '../desk.js';
import type { ByKey, WireBalance } from '../wire-records.js';
import { type Account, exampleA } from './margin.js';

const BALANCE_FIELDS = ['free', 'locked', 'withdrawn', 'pnl', 'margin', 'fees'].map(
  (name) => `Balance.${name}`,
);

export const PERSONAL_CARDS: readonly Card[] = [
  {
    id: 'TC-440',
    claim:
      'GET /personal names the account, what may be withdrawn, an address for each asset, and the balances',
    endpoints: ['GET /personal'],
    needs: ['quiet venue'],
    async run(desk) {
      const personal = await desk.get<Readonly<Record<string, unknown>>>('/personal', {}, 'anna');
      has(personal, { withdrawal_allowance: 100_000, verification_level: 0 });
      assert.deepEqual(Object.keys(personal['deposit_addresses'] as object), ['USD', 'BTC', 'ETH', 'TWT']);
      const balances = personal['balances'] as ByKey<WireBalance>;
      has(balances['USD'], { free: 100_000, locked: 0, withdrawn: 0, pnl: 0, margin: 0, fees: 0 });
    },
  },
  {
    id: 'TC-441',
    claim: 'GET /balances and GET /account, beside the specification, say the same of the balances',
    endpoints: ['GET /personal'],
    fields: BALANCE_FIELDS,
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await exampleA(desk);
      const balances = await desk.balances('anna');
      assert.deepEqual(await desk.get('/balances', {}, 'anna'), balances);
      const account = await desk.get<Account>('/account', {}, 'anna');
      assert.deepEqual(account.balances, balances);
      has(account.positions[PAIR], { pair: PAIR, size: 0.5, free: 3_000 });
    },
  },
];
