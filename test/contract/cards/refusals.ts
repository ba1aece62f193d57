/** What is refused, and in which order of rules (`dialect.md` §7). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, ETH, OPTION, PAIR, refused } from '../desk.js';
import type { Fields } from '../door.js';
import { formText } from '../hmac.js';

const BID = { side: 'BUY', qty: 0.001, price: 59_000 };

interface Case {
  readonly id: Card['id'];
  readonly claim: string;
  readonly changes: Fields;
  readonly says: string;
}

/** Each breaks one rule, on the market of the worked examples: tick 0.1, step 0.001, 100 at most, interest 50. */
const ORDER_CASES: readonly Case[] = [
  { id: 'TC-050', claim: 'an unknown pair', changes: { pair: 'USD_XYZ_PERP' }, says: 'unknown pair' },
  {
    id: 'TC-051',
    claim: 'a market that is not active',
    changes: { pair: OPTION },
    says: 'market not active',
  },
  { id: 'TC-052', claim: 'no pair', changes: { pair: undefined }, says: 'malformed: pair' },
  { id: 'TC-053', claim: 'no side', changes: { side: undefined }, says: 'malformed: side' },
  { id: 'TC-054', claim: 'an unknown side', changes: { side: 'buy' }, says: 'malformed: side' },
  { id: 'TC-055', claim: 'no quantity', changes: { qty: undefined }, says: 'malformed: qty' },
  {
    id: 'TC-056',
    claim: 'a quantity that is no plain number',
    changes: { qty: '1e-3' },
    says: 'malformed: qty',
  },
  { id: 'TC-057', claim: 'an empty price', changes: { price: '' }, says: 'malformed: price' },
  {
    id: 'TC-058',
    claim: 'an unknown time in force',
    changes: { time_in_force: 'DAY' },
    says: 'malformed: time_in_force',
  },
  {
    id: 'TC-059',
    claim: 'a flag that is no boolean',
    changes: { post_only: 'yes' },
    says: 'malformed: post_only',
  },
  {
    id: 'TC-060',
    claim: 'post-only with IOC',
    changes: { post_only: true, time_in_force: 'IOC' },
    says: 'malformed: post_only',
  },
  {
    id: 'TC-061',
    claim: 'post-only with FOK',
    changes: { post_only: true, time_in_force: 'FOK' },
    says: 'malformed: post_only',
  },
  {
    id: 'TC-062',
    claim: 'post-only without a price',
    changes: { post_only: true, price: undefined },
    says: 'malformed: post_only',
  },
  {
    id: 'TC-063',
    claim: 'hidden icebergs',
    changes: { hidden: true, icebergs: 2, qty: 1 },
    says: 'malformed: hidden',
  },
  { id: 'TC-064', claim: 'one iceberg', changes: { icebergs: 1 }, says: 'malformed: icebergs' },
  {
    id: 'TC-065',
    claim: 'icebergs with IOC',
    changes: { icebergs: 2, time_in_force: 'IOC' },
    says: 'malformed: icebergs',
  },
  {
    id: 'TC-066',
    claim: 'close_on_trigger without a trigger',
    changes: { close_on_trigger: true },
    says: 'malformed: close_on_trigger',
  },
  {
    id: 'TC-067',
    claim: 'a trigger event without a trigger price',
    changes: { trigger_event: 'MARK_PRICE' },
    says: 'malformed: trigger_event',
  },
  { id: 'TC-068', claim: 'a price off the tick', changes: { price: '59000.05' }, says: 'price off tick' },
  { id: 'TC-069', claim: 'a price of 0', changes: { price: 0 }, says: 'price outside filter' },
  {
    id: 'TC-070',
    claim: 'a price above the filter',
    changes: { price: 10_000_000.1 },
    says: 'price outside filter',
  },
  { id: 'TC-071', claim: 'a quantity off the step', changes: { qty: '0.0015' }, says: 'quantity off step' },
  { id: 'TC-072', claim: 'a quantity of 0', changes: { qty: 0 }, says: 'quantity outside filter' },
  {
    id: 'TC-073',
    claim: 'a quantity above the filter',
    changes: { qty: 100.001 },
    says: 'quantity outside filter',
  },
  {
    id: 'TC-074',
    claim: 'a position beyond the interest filter',
    changes: { qty: 50.001, price: 1 },
    says: 'interest exceeded',
  },
  // 1.7 BTC at 60 000 is 102 000: im = 102 000 × (0.01 + 0.102) = 11 424; at 10 BTC 600 000 × 0.61 = 366 000.
  {
    id: 'TC-075',
    claim: 'more than it can pay',
    changes: { qty: 10, price: 60_000 },
    says: 'insufficient balance',
  },
];

/** Each breaks two rules; the one that stands first in the list is the one that is heard. */
const PRECEDENCE: readonly (readonly [string, Fields, string])[] = [
  ['pair before side', { pair: 'X', side: 'Y' }, 'unknown pair'],
  ['inactive before malformed', { pair: OPTION, side: 'Y' }, 'market not active'],
  ['malformed before tick', { side: 'Y', price: '1.05' }, 'malformed: side'],
  ['tick before quantity', { price: '59000.05', qty: '0.0001' }, 'price off tick'],
  ['price filter before quantity', { price: 20_000_000, qty: '0.0001' }, 'price outside filter'],
  ['quantity before interest', { qty: '60.0001' }, 'quantity off step'],
  ['interest before balance', { qty: 60, price: 60_000 }, 'interest exceeded'],
];

async function nothingPlaced(desk: Desk): Promise<void> {
  assert.deepEqual(await desk.list('anna', '/orders'), []);
}

export const REFUSAL_CARDS: readonly Card[] = [
  ...ORDER_CASES.map(
    ({ id, claim, changes, says }): Card => ({
      id,
      claim: `an order with ${claim} is refused with "${says}" and leaves no record`,
      endpoints: ['POST /auth/order'],
      needs: ['quiet venue'],
      async run(desk) {
        refused(await desk.tryPlace('anna', { ...BID, ...changes }), says);
        await nothingPlaced(desk);
      },
    }),
  ),
  {
    id: 'TC-080',
    claim: 'of several broken rules of an order, the first in the list is the one that is heard',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      for (const [name, changes, says] of PRECEDENCE) {
        const body = formText({ pair: PAIR, ...BID, ...changes });
        const headers = desk.signed('anna', body);
        const reply = await desk.send({ method: 'POST', target: '/auth/order', headers, body });
        assert(String(reply.msg).startsWith(says), `${name}: received ${String(reply.msg)}`);
      }
    },
  },
  {
    id: 'TC-081',
    claim: 'the key is judged before the signature, the signature before the age, the age before the rest',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      const body = formText({ pair: 'X', side: 'Y', timestamp: 1 });
      const post = (headers: Readonly<Record<string, string>>) =>
        desk.send({ method: 'POST', target: '/auth/order', headers, body });
      const signed = desk.signed('anna', body);
      refused(await post({}), 'missing key');
      refused(await post({ ...signed, 'x-api-key': 'nobody', 'x-signature': 'x' }), 'unknown key');
      refused(await post({ ...signed, 'x-signature': 'x' }), 'bad signature');
      assert.equal((await post(signed)).status, 408);
    },
  },
  {
    id: 'TC-082',
    claim: 'the ends of a filter are inside it',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      await desk.admin('/deposit', { account: 'anna', asset: 'USD', qty: 10_000_000 });
      // Price 0.1 to 10 000 000, quantity from 0.001, position up to 50.
      await desk.place('anna', { side: 'BUY', qty: 0.001, price: 0.1 });
      await desk.place('anna', { side: 'SELL', qty: 0.001, price: 10_000_000 });
      await desk.place('anna', { side: 'BUY', qty: 49.999, price: 0.1 });
    },
  },
  {
    id: 'TC-083',
    claim:
      'working orders count toward the interest filter: with 49.999 working, 0.001 more fits and 0.002 does not',
    endpoints: ['POST /auth/order'],
    fields: ['Market.filters.interest'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      // im of 50 BTC at the mark: 3 000 000 × (0.01 + 3) = 9 030 000.
      await desk.admin('/deposit', { account: 'anna', asset: 'USD', qty: 10_000_000 });
      await desk.place('anna', { side: 'BUY', qty: 49.999, price: 0.1 });
      refused(await desk.tryPlace('anna', { side: 'BUY', qty: 0.002, price: 0.1 }), 'interest exceeded');
      await desk.place('anna', { side: 'BUY', qty: 0.001, price: 0.1 });
    },
  },
  {
    id: 'TC-084',
    claim: 'a halted market refuses new orders with "market not active" and lets its orders be cancelled',
    endpoints: ['POST /auth/order', 'POST /auth/cancel', 'GET /pairs'],
    fields: ['Market.status', 'Market.active'],
    needs: ['quiet venue', 'admin'],
    async run(desk) {
      const { id } = await desk.place('anna', { side: 'BUY', qty: 0.001, price: 59_000 });
      await desk.admin('/market', { pair: PAIR, active: false });
      refused(await desk.tryPlace('anna', BID), 'market not active');
      refused(await desk.tryPost('/auth/close', { pair: PAIR }, 'anna'), 'market not active');
      const { status, active } = await desk.market();
      assert.deepEqual({ status, active }, { status: 'HALTED', active: false });
      await desk.post('/auth/cancel', { id }, 'anna');
      await desk.admin('/market', { pair: PAIR, active: true });
      await desk.place('anna', BID);
    },
  },
  {
    id: 'TC-085',
    claim: 'an order is admitted up to the last unit that is available, and not a step beyond',
    endpoints: ['POST /auth/order'],
    needs: ['quiet venue'],
    async run(desk) {
      // A buy of q at the mark reserves im(N) + 0.0006 N with N = 2 500 q, and its complete fill must leave A ≥ 0.
      // N (0.01 + 10⁻⁶ N) + 0.0006 N = 100 000 at N = 310 972.2…: q = 124.38 fits (310 950), 124.39 (310 975) does not.
      refused(
        await desk.tryPlace('anna', { pair: ETH, side: 'BUY', qty: 124.39, price: 2_500 }),
        'insufficient balance',
      );
      await desk.place('anna', { pair: ETH, side: 'BUY', qty: 124.38, price: 2_500 });
    },
  },
];
