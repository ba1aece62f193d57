/** Every field of Fill, commissions and their discount (specification: Fill; `dialect.md` §6, `money.md` §5). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { ETH, has, ids, only, PAIR, refused } from '../desk.js';

/** A taker's fill of 0.5 at 60 000: 30 000 × 0.0006. */
const TAKER = {
  pair: PAIR,
  side: 'BUY',
  type: 'LIMIT',
  is_buyer_maker: false,
  qty: 0.5,
  qty_usd: 30_000,
  price: 60_000,
  cost: 30_000,
  gross_commission: 18,
  net_commission: 18,
  net_commission_usd: 18,
  gross_commission_asset: 'USD',
  net_commission_asset: 'USD',
  discount: 0,
  conversion_rate: null,
  liquidation: false,
};

export const FILL_CARDS: readonly Card[] = [
  {
    id: 'TC-340',
    claim: 'the fill of a taker: its side, notional and the taker fee in the quote asset',
    endpoints: ['GET /fills'],
    fields: [...Object.keys(TAKER).map((name) => `Fill.${name}`), 'Fill.time'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      has(only(await desk.fills('anna')), { ...TAKER, time: desk.now });
    },
  },
  {
    id: 'TC-341',
    claim: 'the fill of the maker has the maker fee: 30 000 × 0.0002',
    endpoints: ['GET /fills'],
    fields: ['Fill.side', 'Fill.gross_commission', 'Fill.net_commission'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.5);
      has(only(await desk.fills('bert')), {
        side: 'SELL',
        is_buyer_maker: false,
        gross_commission: 6,
        net_commission: 6,
        net_commission_usd: 6,
      });
    },
  },
  {
    id: 'TC-342',
    claim: 'the fill of a MARKET order says so',
    endpoints: ['GET /fills'],
    fields: ['Fill.type'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.place('bert', { side: 'SELL', price: 60_000, qty: 0.1 });
      await desk.place('anna', { side: 'BUY', qty: 0.1 });
      has(only(await desk.fills('anna')), { type: 'MARKET' });
      has(only(await desk.fills('bert')), { type: 'LIMIT' });
    },
  },
  {
    id: 'TC-343',
    claim: 'who holds the special commission asset pays a tenth less: gross 18, net 16.2, discount 0.1',
    endpoints: ['GET /fills', 'GET /personal', 'GET /position'],
    fields: [
      'Fill.discount',
      'Fill.gross_commission',
      'Fill.net_commission',
      'Fill.net_commission_usd',
      'Asset.is_special_commission_asset',
      'Balance.fees',
      'Position.fees',
    ],
    needs: ['quiet venue', 'two accounts', 'admin'],
    async run(desk) {
      await desk.admin('/deposit', { account: 'anna', asset: 'TWT', qty: 10 });
      await desk.trade(60_000, 0.5);
      has(only(await desk.fills('anna')), {
        gross_commission: 18,
        net_commission: 16.2,
        net_commission_usd: 16.2,
        discount: 0.1,
      });
      // The net is what is posted.
      has(await desk.position('anna'), { fees: -16.2 });
      has(await desk.balance('anna'), { fees: 16.2 });
      has(only(await desk.fills('bert')), { gross_commission: 6, net_commission: 6, discount: 0 });
    },
  },
  {
    id: 'TC-344',
    claim: 'the fills of an order stand in its record as they stand in /fills',
    endpoints: ['GET /fills', 'GET /order'],
    fields: ['Order.fills'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const { taker } = await desk.trade(60_000, 0.5);
      assert.deepEqual(taker.fills, await desk.fills('anna'));
    },
  },
  {
    id: 'TC-345',
    claim: '/fills takes pair, start, end and limit, newest first',
    endpoints: ['GET /fills'],
    fields: ['Fill.time'],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      const first = desk.now;
      await desk.trade(60_000, 0.001);
      await desk.advance(1_000);
      await desk.trade(2_500, 0.01, ETH);
      await desk.advance(1_000);
      await desk.trade(60_001, 0.001);
      const all = await desk.fills('anna');
      assert.deepEqual(
        all.map(({ price, time }) => [price, (time - first) / 1_000]),
        [
          [60_001, 2],
          [2_500, 1],
          [60_000, 0],
        ],
      );
      assert.deepEqual(ids(await desk.fills('anna', { pair: ETH })), ids(all.slice(1, 2)));
      assert.deepEqual(ids(await desk.fills('anna', { limit: 2 })), ids(all.slice(0, 2)));
      assert.deepEqual(
        ids(await desk.fills('anna', { start: first + 1_000, end: first + 1_000 })),
        ids(all.slice(1, 2)),
      );
      refused(await desk.tryGet('/fills', { pair: 'USD_XYZ_PERP' }, 'anna'), 'unknown pair');
    },
  },
];
