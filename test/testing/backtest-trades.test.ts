import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { nodeFiles } from '../../src/platform/files.js';
import type { Trade } from '../../src/model/trade.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { integer } from '../../src/strategy/params.js';
import { holdPosition, quote } from '../../src/strategy/want.js';
import { backtestTrades } from '../../src/testing/backtest-trades.js';
import { tradesAt } from '../../src/testing/trades.js';
import smaCross from '../../strategies/sma-cross.js';

/** Long from the trade with this number on. */
const longAt = defineStrategy({
  name: 'long-at',
  params: { trade: integer({ default: 1, min: 1 }) },
  create({ trade }) {
    let seen = 0;
    return {
      onTrade() {
        seen++;
        return seen === trade ? holdPosition('0.02') : undefined;
      },
    };
  },
});

/** One bid, ten below the first price. */
const bidder = defineStrategy({
  name: 'bidder',
  create() {
    let isSet = false;
    return {
      onTrade({ price }) {
        if (isSet) return undefined;
        isSet = true;
        return quote({ bid: { price: price - 10, quantity: '0.5' } });
      },
    };
  },
});

describe('backtestTrades', () => {
  it('fills a market order at the next print of its own side after its latency', async () => {
    // Buyers print at even seconds, sellers at odd ones.
    const trades = tradesAt([100, 101, 102, 103, 104], { from: 0 });
    const soon = await backtestTrades(longAt, { trades, params: { trade: 2 } });
    expect(soon.fills).toEqual([
      { time: 2_000, side: 'buy', price: 102, quantity: 0.02, liquidity: 'taker' },
    ]);
    expect(soon.position).toBe(0.02);
    // Sent at 1 s, effective after 3 s: the prints at 2 s and 3 s are over.
    const late = await backtestTrades(longAt, { trades, params: { trade: '2' }, latencyMs: 2_000 });
    expect(late.fills).toMatchObject([{ time: 4_000, price: 104 }]);
    const worse = await backtestTrades(longAt, { trades, params: { trade: 2 }, slippageTicks: 3 });
    expect(worse.fills).toMatchObject([{ price: 102.3 }]);
  });

  it('fills a resting order by the model that is asked for', async () => {
    const trades = tradesAt([100, 95, { price: 90, quantity: 0.2, isBuyerMaker: true }, 91, 92], {
      from: 0,
    });
    const touched = await backtestTrades(bidder, { trades, fill: 'touch' });
    expect(touched.fills).toMatchObject([{ side: 'buy', price: 90, liquidity: 'maker' }]);
    const through = await backtestTrades(bidder, { trades, fill: 'through' });
    expect(through.fills).toEqual([]);
    expect(through.result.headline).toBe('through');
  });

  it('is the backtest of the command line: the same decisions and the same money over the recording that ships', async () => {
    const recording = await openRecording(nodeFiles, ['backtest/sample']);
    const trades: Trade[] = [];
    for await (const chunk of recording.chunks())
      for (let row = 0; row < chunk.count; row++) trades.push(chunk.trade(row));
    const { result } = await backtestTrades(smaCross, { trades, params: { bars: '5s' } });
    const { result: expected } = await runBacktest({
      strategy: bindStrategy(smaCross, { bars: '5s' }),
      strategyHash: 'x',
      recording,
      capital: '100000',
      fill: 'queue',
      engineVersion: 'x',
    });
    expect(result.roundTrips).toBeGreaterThan(5);
    const { runId: _runId, strategyHash: _strategyHash, engine: _engine, data: _data, ...rest } = expected;
    expect(result).toMatchObject(rest);
    expect(result.data.hash).toBe(expected.data.hash);
  });

  it('takes the rules of another market', async () => {
    const trades = tradesAt([1, 1.01, 1.02], { from: 0, quantity: 100 });
    const market = {
      pair: 'USD_TEST_PERP',
      base: 'TEST',
      quote: 'USD',
      price: { min: '0.01', max: '1000', step: '0.01' },
      quantity: { min: '1', max: '100', step: '1' },
      fees: { maker: '0', taker: '0' },
    };
    const { result } = await backtestTrades(longAt, { trades, market });
    expect(result).toMatchObject({ pair: 'USD_TEST_PERP', orders: 0, refusals: 1 });
    expect(result.reasons.refused).toEqual([
      {
        reason: 'target-below-lot',
        count: 1,
        first: 'target-below-lot: target position must be at least 1, received 0.02',
      },
    ]);
  });

  it('throws on what the strategy throws', async () => {
    const broken = defineStrategy({
      name: 'broken',
      create: () => ({
        onTrade() {
          throw new Error('not today');
        },
      }),
    });
    await expect(backtestTrades(broken, { trades: tradesAt([1]) })).rejects.toThrow('not today');
  });

  it.each([
    [[{ price: 0 }], 'trade 0 must have a price above 0, received 0'],
    [['100'], 'trade 0 must have a price above 0, received "100"'],
    [[5, null], 'trade 1 must have a price above 0, received undefined'],
    [[5, { price: 5, id: '1' }], 'trade 1 must have an id of its own, received "1"'],
    [[{ price: 5, id: '' }], 'trade 0 must have an id, a text, received ""'],
    [[{ price: 5, isBuyerMaker: 'no' }], 'trade 0 must have isBuyerMaker, true or false, received "no"'],
    [[{ price: 5, time: 1e300 }], 'trade 0 must have a time in whole epoch ms, received 1e+300'],
    [[{ price: 5, time: -1 }], 'trade 0 must have a time in whole epoch ms, received -1'],
    [
      [
        { price: 5, time: 1_767_225_600 },
        { price: 5, time: 1_767_225_600_000 },
      ],
      'trade 1 must have a time within a year of the trade before it (1767225600), in ms, received 1767225600000',
    ],
    [[5, { price: Number.NaN }], 'trade 1 must have a price above 0, received NaN'],
    [[5, { price: 5, quantity: 0 }], 'trade 1 must have a quantity above 0, received 0'],
    [
      [5, { price: 5, time: 3 }],
      'trade 1 must have a time at or after that of the trade before it (7), received 3',
    ],
    [[{ price: 5, time: Number.NaN }], 'trade 0 must have a time in whole epoch ms, received NaN'],
  ])('refuses trades that could not have been: %j', (prices, message) => {
    expect(() => tradesAt(prices as number[], { from: 7 })).toThrow(message);
  });

  it('checks trades that come from elsewhere, parameters and markets', async () => {
    const [trade] = tradesAt([5], { from: 7 });
    const backwards = [trade as Trade, { ...(trade as Trade), id: '2', time: 6 }];
    await expect(backtestTrades(longAt, { trades: backwards })).rejects.toThrow('trade 1 must have a time');
    const typo = { trades: [], params: { tarde: 3 } as { trade?: number } };
    await expect(backtestTrades(longAt, typo)).rejects.toThrow('long-at.tarde must be one of trade');
    await expect(backtestTrades(longAt, { trades: [], market: 'X' })).rejects.toThrow('received X');
  });

  it.each([
    [{ fill: 'all' }, 'fill must be one of through, queue, touch, received "all"'],
    [{ latencyMs: -1 }, 'latencyMs must be whole ms of 0 or above, received -1'],
    [{ latencyMs: '50' }, 'latencyMs must be whole ms of 0 or above, received "50"'],
    [{ slippageTicks: 0.5 }, 'slippageTicks must be whole ticks of 0 or above, received 0.5'],
    [{ capital: '0' }, 'capital must be a decimal above 0, like \'100000\', received "0"'],
    [{ capital: 'much' }, 'capital must be a decimal above 0'],
    [
      { latency: 50 },
      'options of backtestTrades must be of trades, params, market, fill, latencyMs, slippageTicks, capital, seed, received latency',
    ],
    [
      { market: {} },
      'market must be the name of a pair or its rules, at least pair, price and quantity, received {}',
    ],
    [{ market: 5 }, 'market must be the name of a pair or its rules'],
    [
      { trades: tradesAt([5], { quantity: 0.00001 }) },
      'trade 0 must be of at least 0.001 BTC at 0.1 USD, as USD_BTC_PERP is counted, received 0.00001 at 5',
    ],
    [{ trades: 'x' }, 'trades must be a list, received "x"'],
    [{ trades: [null] }, 'trade 0 must be an object, received null'],
    [{ trades: [undefined] }, 'trade 0 must be an object, received undefined'],
  ])('refuses options that are not what they must be: %j', async (wrong, message) => {
    const options = { trades: tradesAt([5]), ...wrong } as { trades: readonly Trade[] };
    await expect(backtestTrades(longAt, options)).rejects.toThrow(message);
  });

  it('refuses what is no strategy, as a whole module would be', async () => {
    const module = { default: longAt } as unknown as typeof longAt;
    await expect(backtestTrades(module, { trades: [] })).rejects.toThrow(
      'the strategy must be made by defineStrategy, received an object with default',
    );
  });

  it('makes nothing of no trades', async () => {
    const { fills, position, result } = await backtestTrades(longAt, { trades: [] });
    expect({ fills, position, trades: result.trades }).toEqual({ fills: [], position: 0, trades: 0 });
  });
});

it('throws what a subscriber of the strategy throws, in the form with handlers too', async () => {
  const strategy = defineStrategy({
    name: 'own-subject',
    create() {
      const prices$ = new Subject<number>();
      prices$.subscribe(() => {
        throw new Error('boom');
      });
      return { onTrade: ({ price }) => prices$.next(price) };
    },
  });
  await expect(backtestTrades(strategy, { trades: tradesAt([1, 2, 3]) })).rejects.toThrow('boom');
});
