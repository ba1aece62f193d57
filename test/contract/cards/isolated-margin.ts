/** POST /leverage, /fund and /draw (specification: API-key endpoints; `money.md` §6). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { has, PAIR, refused, SPOT } from '../desk.js';
import { type Account, exampleA, leverage } from './margin.js';

export const ISOLATED_MARGIN_CARDS: readonly Card[] = [
  {
    id: 'TC-430',
    claim:
      'POST /leverage above 0 makes a position isolated, its margin its cost by the leverage, and gives both records',
    endpoints: ['POST /leverage'],
    fields: ['Balance.margin', 'Position.free', 'Position.stats.margin'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      const { balances, positions } = await leverage(desk, 10);
      has(balances['USD'], { margin: 3_000, free: 96_982 });
      has(positions[PAIR], { size: 0.5, free: 3_000 });
      has((await desk.position('anna')).stats, { margin: 3_000, leverage: 10, bankrupt: 54_000 });
    },
  },
  {
    id: 'TC-431',
    claim: 'POST /leverage 0 goes back to cross',
    endpoints: ['POST /leverage'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await exampleA(desk);
      const { balances } = await leverage(desk, 0);
      // im(30 000) = 1 200 of the 99 982.
      has(balances['USD'], { margin: 1_200, free: 98_782 });
      has((await desk.position('anna')).stats, { margin: 1_200, leverage: 25, bankrupt: 0 });
    },
  },
  {
    id: 'TC-432',
    claim:
      'the most leverage is 1 / (i₀ + rᵢ·max(N, k)): 25 for 30 000; more is "leverage above the maximum"',
    endpoints: ['POST /leverage'],
    fields: ['Market.min_initial_margin', 'Market.initial_risk_limit'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const set = (value: string) => desk.tryPost('/leverage', { pair: PAIR, leverage: value }, 'anna');
      refused(await set('100.1'), 'leverage above the maximum');
      assert.equal((await set('100')).status, 200);
      assert.equal((await set('0')).status, 200);
      await desk.trade(60_000, 0.5);
      refused(await set('25.1'), 'leverage above the maximum');
      assert.equal((await set('25')).status, 200);
    },
  },
  {
    id: 'TC-433',
    claim:
      'POST /fund moves cash into an isolated margin: the effective leverage falls, the bankruptcy price too',
    endpoints: ['POST /fund'],
    fields: ['Position.free', 'Position.stats.leverage', 'Balance.margin', 'Balance.free'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await exampleA(desk);
      const { balances, positions } = await desk.post<Account>('/fund', { pair: PAIR, qty: 1_000 }, 'anna');
      has(balances['USD'], { margin: 4_000, free: 95_982 });
      has(positions[PAIR], { free: 4_000 });
      // 30 000 / 4 000; (30 000 − 4 000) / 0.5.
      has(positions[PAIR]?.stats, { margin: 4_000, leverage: 7.5, bankrupt: 52_000 });
    },
  },
  {
    id: 'TC-434',
    claim: 'POST /draw takes margin out down to N·(i₀ + rᵢ·N), and not a unit more',
    endpoints: ['POST /draw'],
    fields: ['Position.free', 'Balance.margin'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await exampleA(desk);
      // 3 000 − 1 200.
      const tooMuch = await desk.tryPost('/draw', { pair: PAIR, qty: '1800.00000001' }, 'anna');
      refused(tooMuch, 'insufficient balance');
      const { balances, positions } = await desk.post<Account>('/draw', { pair: PAIR, qty: 1_800 }, 'anna');
      has(balances['USD'], { margin: 1_200, free: 98_782 });
      has(positions[PAIR], { free: 1_200 });
    },
  },
  {
    id: 'TC-435',
    claim: 'POST /fund and /draw of a cross position are refused with "not isolated"',
    endpoints: ['POST /fund', 'POST /draw'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      refused(await desk.tryPost('/fund', { pair: PAIR, qty: 10 }, 'anna'), 'not isolated');
      refused(await desk.tryPost('/draw', { pair: PAIR, qty: 10 }, 'anna'), 'not isolated');
    },
  },
  {
    id: 'TC-436',
    claim: 'POST /fund of more than is available is refused with "insufficient balance"',
    endpoints: ['POST /fund'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await exampleA(desk);
      refused(
        await desk.tryPost('/fund', { pair: PAIR, qty: '96982.00000001' }, 'anna'),
        'insufficient balance',
      );
      await desk.post('/fund', { pair: PAIR, qty: 96_982 }, 'anna');
      has(await desk.balance('anna'), { free: 0, margin: 99_982 });
    },
  },
  {
    id: 'TC-437',
    claim: 'what is no amount, and a pair without positions, is malformed for /fund, /draw and /leverage',
    endpoints: ['POST /fund', 'POST /draw', 'POST /leverage'],
    needs: ['quiet venue'],
    async run(desk) {
      for (const [path, name] of [
        ['/fund', 'qty'],
        ['/draw', 'qty'],
        ['/leverage', 'leverage'],
      ] as const) {
        refused(await desk.tryPost(path, { pair: SPOT, [name]: 1 }, 'anna'), 'malformed');
        const body = `pair=${PAIR}&${name}=much`;
        const reply = await desk.send({
          method: 'POST',
          target: path,
          headers: desk.signed('anna', body),
          body,
        });
        refused(reply, `malformed: ${name}`);
      }
    },
  },
  {
    id: 'TC-438',
    claim: 'closing part of an isolated position releases its share of the margin',
    endpoints: ['GET /position', 'GET /personal'],
    fields: ['Position.free', 'Balance.margin'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await exampleA(desk);
      await desk.trade(60_000, 0.2, PAIR, 'anna', 'bert');
      // 3 000 × 0.2 / 0.5 = 1 200 goes; the maker fee of the sale is 12 000 × 0.0002 = 2.4.
      has(await desk.position('anna'), { size: 0.3, free: 1_800, fees: -20.4 });
      has(await desk.balance('anna'), { margin: 1_800, free: 98_179.6 });
    },
  },
];
