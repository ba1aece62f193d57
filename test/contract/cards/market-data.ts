/** /depth, /ticker and /ohlcv, which the specification only names (`dialect.md` §3, §4). */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { ETH, has, only, OPTION, PAIR, refused, SPOT } from '../desk.js';

export const MARKET_DATA_CARDS: readonly Card[] = [
  {
    id: 'TC-110',
    claim: '/depth has bids descending and asks ascending, each level with a price and a quantity above 0',
    endpoints: ['GET /depth'],
    needs: [],
    async run(desk) {
      const [pair] = await desk.someMarket();
      const { bids, asks } = await desk.depth(pair);
      const prices = (side: typeof bids) => side.map(({ price }) => price);
      assert.deepEqual(
        prices(bids),
        prices(bids).toSorted((a, b) => b - a),
      );
      assert.deepEqual(
        prices(asks),
        prices(asks).toSorted((a, b) => a - b),
      );
      for (const { price, qty } of [...bids, ...asks]) assert(price > 0 && qty > 0);
      const [bid, ask] = [bids[0], asks[0]];
      assert(bid === undefined || ask === undefined || bid.price < ask.price, 'the book is not crossed');
    },
  },
  {
    id: 'TC-111',
    claim: '/depth adds up the orders of a price and gives 40 levels a side unless a limit says otherwise',
    endpoints: ['GET /depth'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      for (let n = 0; n < 41; n++) await desk.place('anna', { side: 'BUY', qty: 0.001, price: 59_000 - n });
      await desk.place('bert', { side: 'BUY', qty: 0.002, price: 59_000 });
      await desk.place('bert', { side: 'SELL', qty: 0.5, price: 61_000 });
      const { bids, asks } = await desk.depth();
      assert.equal(bids.length, 40);
      assert.deepEqual(bids[0], { price: 59_000, qty: 0.003 });
      assert.deepEqual(bids[39], { price: 58_961, qty: 0.001 });
      assert.deepEqual(asks, [{ price: 61_000, qty: 0.5 }]);
      assert.equal((await desk.depth(PAIR, 2)).bids.length, 2);
      assert.equal((await desk.depth(PAIR, 100)).bids.length, 41);
    },
  },
  {
    id: 'TC-112',
    claim: 'a market without orders has an empty book',
    endpoints: ['GET /depth'],
    needs: ['quiet venue'],
    async run(desk) {
      for (const pair of [PAIR, ETH, SPOT, OPTION]) {
        assert.deepEqual(await desk.depth(pair), { bids: [], asks: [] }, pair);
      }
      refused(await desk.tryGet('/depth', { pair: 'USD_XYZ_PERP' }), 'unknown pair');
    },
  },
  {
    id: 'TC-115',
    claim: '/ticker is keyed by pair: the pair that was asked for, or all',
    endpoints: ['GET /ticker'],
    needs: [],
    async run(desk) {
      const [pair] = await desk.someMarket();
      const all = await desk.get<object>('/ticker');
      assert(Object.hasOwn(all, pair));
      assert.deepEqual(Object.keys(await desk.get<object>('/ticker', { pair })), [pair]);
    },
  },
  {
    id: 'TC-116',
    claim:
      'the ticker shows the best prices of the book with what stands there, and the last trade and the one before',
    endpoints: ['GET /ticker'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      await desk.trade(60_000, 0.1);
      await desk.trade(60_100, 0.2);
      await desk.place('anna', { side: 'BUY', price: 59_900, qty: 0.3 });
      await desk.place('bert', { side: 'SELL', price: 60_200, qty: 0.4 });
      has(await desk.ticker(), {
        last_price: 60_100,
        prev_last_price: 60_000,
        last_qty: 0.2,
        bid_price: 59_900,
        bid_qty: 0.3,
        ask_price: 60_200,
        ask_qty: 0.4,
        open_price: 60_000,
        high_price: 60_100,
        low_price: 60_000,
        close_price: 60_100,
        price_change: 100,
        base_volume: 0.3,
        // 0.1 × 60 000 + 0.2 × 60 100.
        quote_volume: 18_020,
        close_time: desk.now,
      });
    },
  },
  {
    id: 'TC-117',
    claim: 'before the first trade and order the ticker has no last, bid and ask price',
    endpoints: ['GET /ticker'],
    needs: ['quiet venue'],
    async run(desk) {
      const ticker = await desk.ticker();
      for (const name of ['last_price', 'bid_price', 'ask_price', 'open_price'])
        assert.equal(ticker[name] ?? null, null);
      has(ticker, { base_volume: 0, quote_volume: 0 });
    },
  },
  {
    id: 'TC-118',
    claim:
      'index and mark are what the index was set to while the book shows no fair price, the band 10 % around the mark',
    endpoints: ['GET /ticker'],
    fields: ['Market.trading_max_mark_deviation'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      has(await desk.ticker(), {
        index_price: 60_000,
        mark_price: 60_000,
        min_price: 54_000,
        max_price: 66_000,
      });
      await desk.index(PAIR, 60_000.3);
      // 60 000.3 × 0.9 = 54 000.27 and × 1.1 = 66 000.33, inward on the tick.
      has(await desk.ticker(), {
        index_price: 60_000.3,
        mark_price: 60_000.3,
        min_price: 54_000.3,
        max_price: 66_000.3,
      });
    },
  },
  {
    id: 'TC-119',
    claim:
      'the fair price is the mean of the impact prices of fair_qty, and the mark goes 2/61 of the way to it at an update',
    endpoints: ['GET /ticker'],
    fields: ['Market.fair_qty', 'Market.mark_price_ema_range', 'Market.index_price_update_interval'],
    needs: ['quiet venue', 'time'],
    async run(desk) {
      // fair_qty 0.1: selling it takes 0.04 at 60 050 and 0.06 at 60 040: 60 044; buying it all at 60 066. Fair 60 055.
      await desk.place('anna', { side: 'BUY', price: 60_050, qty: 0.04 });
      await desk.place('anna', { side: 'BUY', price: 60_040, qty: 1 });
      await desk.place('anna', { side: 'SELL', price: 60_066, qty: 1 });
      await desk.advance(1_000);
      // δ = 2/61 × 55 = 1.80…: the mark is 60 001.8.
      has(await desk.ticker(), { index_price: 60_000, fair_price: 60_055, mark_price: 60_001.8 });
    },
  },
  {
    id: 'TC-120',
    claim: 'the ticker tells the funding rate so far and when it is due: the next full hour',
    endpoints: ['GET /ticker'],
    fields: ['Market.funding_interval'],
    needs: ['quiet venue', 'time'],
    async run(desk) {
      await desk.advance(1);
      const hour = 3_600_000;
      has(await desk.ticker(), { funding_rate: 0, next_funding_time: Math.ceil(desk.now / hour) * hour });
    },
  },
  {
    id: 'TC-125',
    claim:
      '/ohlcv gives five-minute candles, ascending, each from open_time to the last millisecond before the next',
    endpoints: ['GET /ohlcv'],
    needs: [],
    async run(desk) {
      const [pair] = await desk.someMarket();
      const candles = await desk.get<readonly Record<string, number>[]>('/ohlcv', { pair, limit: 10 });
      assert(candles.length <= 10);
      for (const [n, candle] of candles.entries()) {
        const { open_time: openTime = 0, open = 0, high = 0, low = 0, close = 0 } = candle;
        assert.equal(openTime % 300_000, 0);
        assert(high >= Math.max(open, close) && low <= Math.min(open, close));
        assert(n === 0 || openTime > ((candles[n - 1] as Record<string, number>)['open_time'] as number));
      }
    },
  },
  {
    id: 'TC-126',
    claim: 'a candle has first, highest, lowest and last price, volumes and the number of its trades',
    endpoints: ['GET /ohlcv'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      const openTime = desk.now;
      for (const price of [60_000, 60_200, 59_900, 60_100]) await desk.trade(price, 0.01);
      const candles = await desk.get<readonly object[]>('/ohlcv', { pair: PAIR });
      has(only(candles), {
        open: 60_000,
        high: 60_200,
        low: 59_900,
        close: 60_100,
        base_volume: 0.04,
        // 0.01 × (60 000 + 60 200 + 59 900 + 60 100).
        quote_volume: 2_402,
        trades: 4,
        last_price: 60_100,
        last_qty: 0.01,
        open_time: openTime,
        close_time: openTime + 299_999,
      });
    },
  },
  {
    id: 'TC-127',
    claim: 'interval makes other candles, and one without trades stands at the last price',
    endpoints: ['GET /ohlcv'],
    needs: ['quiet venue', 'two accounts', 'time'],
    async run(desk) {
      const start = desk.now;
      await desk.trade(60_000, 0.01);
      await desk.advance(120_000);
      await desk.trade(60_100, 0.01);
      const candles = await desk.get<readonly Record<string, unknown>[]>('/ohlcv', {
        pair: PAIR,
        interval: '1m',
      });
      assert.deepEqual(
        candles.map((candle) => [candle['open_time'], candle['close'], candle['trades']]),
        [
          [start, 60_000, 1],
          [start + 60_000, 60_000, 0],
          [start + 120_000, 60_100, 1],
        ],
      );
      assert.equal((await desk.get<readonly object[]>('/ohlcv', { pair: PAIR, interval: '1h' })).length, 1);
      refused(await desk.tryGet('/ohlcv', { pair: PAIR, interval: '7m' }), 'malformed: interval');
    },
  },
];
