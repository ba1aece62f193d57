/** /time and /trades (specification: Public trade). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { type Desk, has, ids, only, PAIR, refused } from '../desk.js';
import type { WireTrade } from '../wire-records.js';

const trades = (desk: Desk, query = {}) =>
  desk.get<readonly WireTrade[]>('/trades', { pair: PAIR, ...query });

/** `count` trades of 0.001 at 60 000, a second apart; gives the time of the first. */
async function tradeEverySecond(desk: Desk, count: number): Promise<number> {
  const first = desk.now;
  for (let n = 0; n < count; n++) {
    if (n > 0) await desk.advance(1_000);
    await desk.trade(60_000, 0.001);
  }
  return first;
}

export const TRADE_CARDS: readonly Card[] = [
  {
    id: 'TC-100',
    claim: '/time gives whole milliseconds since 1970',
    endpoints: ['GET /time'],
    needs: [],
    async run(desk) {
      const time = await desk.get<number>('/time');
      assert(Number.isSafeInteger(time), String(time));
      assert(time > 1_577_836_800_000, 'after 2020-01-01, in ms and not in s');
    },
  },
  {
    id: 'TC-101',
    claim: '/time is the clock that stamps records',
    endpoints: ['GET /time', 'GET /order'],
    fields: ['Order.time'],
    needs: ['quiet venue', 'time'],
    async run(desk) {
      await desk.advance(1_234);
      const { time } = await desk.place('anna', { side: 'BUY', qty: 0.001, price: 59_000 });
      assert.equal(await desk.get('/time'), time);
      assert.equal(time, desk.now);
    },
  },
  {
    id: 'TC-102',
    claim: '/trades gives the fields of the specification, newest first, at most 100 of them',
    endpoints: ['GET /trades'],
    needs: [],
    async run(desk) {
      const [pair] = await desk.someMarket();
      const list = await desk.get<readonly WireTrade[]>('/trades', { pair });
      assert(list.length <= 100, `received ${list.length}`);
      for (const [n, trade] of list.entries()) {
        assert.equal(typeof trade.id, 'string');
        assert(trade.price > 0 && trade.qty > 0 && Number.isFinite(trade.time));
        assert.equal(typeof trade['is_buyer_maker'], 'boolean');
        assert(n === 0 || trade.time <= (list[n - 1] as WireTrade).time, 'newest first');
      }
    },
  },
  {
    id: 'TC-103',
    claim:
      'a public trade has the price of the resting order, the quantity that traded and the time of the match',
    endpoints: ['GET /trades'],
    fields: ['Trade.pair', 'Trade.qty', 'Trade.price', 'Trade.time', 'Trade.is_best_match'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.place('bert', { side: 'SELL', price: 60_000.1, qty: 0.5 });
      await desk.place('anna', { side: 'BUY', price: 60_500, qty: 0.2 });
      has(only(await trades(desk)), {
        pair: PAIR,
        price: 60_000.1,
        qty: 0.2,
        time: desk.now,
        is_best_match: true,
      });
    },
  },
  {
    id: 'TC-104',
    claim: 'is_buyer_maker is true when the resting order was the buy, false when it was the sell',
    endpoints: ['GET /trades', 'GET /fills'],
    fields: ['Trade.is_buyer_maker', 'Fill.is_buyer_maker'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.place('anna', { side: 'BUY', price: 60_000, qty: 0.1 });
      await desk.place('bert', { side: 'SELL', price: 60_000, qty: 0.1 });
      await desk.place('bert', { side: 'SELL', price: 60_000, qty: 0.1 });
      await desk.place('anna', { side: 'BUY', price: 60_000, qty: 0.1 });
      assert.deepEqual(
        (await trades(desk)).map((trade) => trade['is_buyer_maker']),
        [false, true],
      );
      for (const who of ['anna', 'bert'] as const) {
        assert.deepEqual(
          (await desk.fills(who)).map((fill) => fill['is_buyer_maker']),
          [false, true],
        );
      }
    },
  },
  {
    id: 'TC-105',
    claim: 'ids of trades are texts that ascend without holes, and a fill carries the id of its trade',
    endpoints: ['GET /trades', 'GET /fills'],
    fields: ['Trade.id', 'Fill.id'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      for (const price of [60_000, 60_001, 60_002]) await desk.trade(price, 0.001);
      const list = await trades(desk);
      const numbers = list.map(({ id }) => Number(id));
      const newest = numbers[0] as number;
      assert.deepEqual(numbers, [newest, newest - 1, newest - 2]);
      assert.deepEqual(ids(await desk.fills('anna')), ids(list));
      assert.deepEqual(ids(await desk.fills('bert')), ids(list));
    },
  },
  {
    id: 'TC-106',
    claim: 'start and end bound the times of trades inclusively, and limit keeps the newest inside them',
    endpoints: ['GET /trades'],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      const first = await tradeEverySecond(desk, 5);
      const times = async (query: object) =>
        (await trades(desk, query)).map(({ time }) => (time - first) / 1_000);
      assert.deepEqual(await times({}), [4, 3, 2, 1, 0]);
      assert.deepEqual(await times({ start: first + 1_000, end: first + 3_000 }), [3, 2, 1]);
      assert.deepEqual(await times({ start: first + 1_001, end: first + 2_999 }), [2]);
      assert.deepEqual(await times({ end: first + 3_000, limit: 2 }), [3, 2]);
      assert.deepEqual(await times({ start: first + 5_000 }), []);
    },
  },
  {
    id: 'TC-107',
    claim: '/trades without a pair, with an unknown pair, or with a limit that is none, is refused',
    endpoints: ['GET /trades'],
    needs: ['quiet venue'],
    async run(desk) {
      refused(await desk.tryGet('/trades', { pair: 'USD_XYZ_PERP' }), 'unknown pair');
      const target = (query: string) => ({ method: 'GET', target: `/trades?${query}` });
      refused(await desk.send(target('')), 'malformed: pair');
      refused(await desk.send(target(`pair=${PAIR}&limit=0`)), 'malformed: limit');
      refused(await desk.send(target(`pair=${PAIR}&limit=ten`)), 'malformed: limit');
      refused(await desk.send(target(`pair=${PAIR}&start=-1`)), 'malformed: start');
    },
  },
  {
    id: 'TC-108',
    claim: 'a list has 100 items unless a limit says otherwise, and never more than 1 000',
    endpoints: ['GET /trades'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      // One order meets 101 others: 101 trades.
      for (let n = 0; n < 3; n++) {
        const orders = Array.from({ length: n < 2 ? 50 : 1 }, () => ({
          pair: PAIR,
          side: 'SELL',
          qty: 0.001,
          price: 60_000,
        }));
        const fields = orders.flatMap((order, i) =>
          Object.entries(order).map(([name, value]) => [`orders[${i}][${name}]`, value] as const),
        );
        await desk.post('/auth/order/bulk', Object.fromEntries(fields), 'bert');
      }
      await desk.place('anna', { side: 'BUY', qty: 0.101, price: 60_000 });
      assert.equal((await trades(desk)).length, 100);
      assert.equal((await trades(desk, { limit: 101 })).length, 101);
      assert.equal((await trades(desk, { limit: 100_000 })).length, 101);
      assert.equal((await desk.fills('anna')).length, 100);
      assert.equal((await desk.list('bert', '/orders')).length, 100);
    },
  },
];
