import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { TapeSession } from '../../src/backtest/tape-session.js';
import type { Fill } from '../../src/model/fill.js';
import type { Trade } from '../../src/model/trade.js';
import { TradeColumns } from '../../src/storage/trade-columns.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';
import smaCross from '../../strategies/sma-cross.js';
import smaCrossStreams from '../../strategies/sma-cross-streams.js';
import { BTC } from '../support/markets.js';
import { readRealTape, realTapePath, WITHOUT_TAPE } from '../support/shared-data.js';

interface Expected {
  time: number;
  side: 'buy' | 'sell';
  tenths: number;
  thousandths: number;
}

/**
 * The same strategy and fill rules once more, by plain loops over integers and no code of the product: 1-second bars,
 * averages of closes in tenths, long above and flat below, market orders that eat prints of their own aggressor later
 * than sent + latency at the print's price, one order at a time, given up 10 s after they arrived.
 */
function recompute(tape: readonly Trade[], latency: number): Expected[] {
  const fills: Expected[] = [];
  const closes: number[] = [];
  let barEnd = Number.NaN;
  let lastTenths = 0;
  let side = 0;
  let target = 0;
  let held = 0;
  let order: { buy: boolean; left: number; from: number } | undefined;
  for (const trade of tape) {
    const tenths = Math.round(trade.price * 10);
    // The venue first: what this print does to the order that was sent before it.
    if (order !== undefined && trade.time > order.from) {
      if (trade.time > order.from + 10_000)
        throw new Error('an order ran out of its window: outside this model');
      if (order.buy === !trade.isBuyerMaker) {
        const eaten = Math.min(order.left, Math.round(trade.quantity * 1_000));
        fills.push({ time: trade.time, side: order.buy ? 'buy' : 'sell', tenths, thousandths: eaten });
        held += order.buy ? eaten : -eaten;
        order.left -= eaten;
        if (order.left === 0) order = undefined;
      }
    }
    // Then the bars that this print closes.
    if (Number.isNaN(barEnd)) barEnd = (Math.floor(trade.time / 1_000) + 1) * 1_000;
    for (; trade.time >= barEnd; barEnd += 1_000) {
      closes.push(lastTenths);
      if (closes.length < 30) continue;
      let fast = 0;
      let slow = 0;
      for (let i = closes.length - 10; i < closes.length; i++) fast += closes[i] as number;
      for (let i = closes.length - 30; i < closes.length; i++) slow += closes[i] as number;
      const now = Math.sign(3 * fast - slow);
      if (now === 0 || now === side) continue;
      target = now > 0 ? 10 : 0;
      side = now;
    }
    lastTenths = tenths;
    if (order !== undefined && (order.buy ? held + order.left : held - order.left) !== target) {
      throw new Error('the want changed while an order was under way: outside this model');
    }
    if (order === undefined && held !== target) {
      order = { buy: target > held, left: Math.abs(target - held), from: trade.time + latency };
    }
  }
  return fills;
}

function backtest(definition: typeof smaCross, tape: readonly Trade[], latencyMs: number) {
  const fills: Fill[] = [];
  const session = new TapeSession({
    engine: new Engine({
      strategy: bindStrategy(definition, { bars: '1s' }),
      market: BTC,
      seed: '1',
      warmUp: false,
    }),
    venue: new TapeVenue({
      market: BTC,
      deposit: '100000',
      latency: { placeMs: latencyMs, cancelMs: latencyMs },
    }),
    limits: NO_LIMITS,
    capital: 100_000,
    gaps: [],
    onFill: (fill) => fills.push(fill),
  });
  session.run(TradeColumns.of(tape));
  return { session, fills };
}

describe.skipIf(realTapePath === undefined)(
  `sma-cross on the real tape (else skipped: ${WITHOUT_TAPE})`,
  () => {
    const tape = realTapePath === undefined ? [] : readRealTape();

    it.each([
      0, 50,
    ])('fills exactly what an independent re-computation fills at a latency of %d ms', (latency) => {
      const expected = recompute(tape, latency);
      expect(expected.length).toBeGreaterThanOrEqual(5);
      const { fills, session } = backtest(smaCross, tape, latency);
      expect(
        fills.map(({ time, side, ticks, lots }) => ({ time, side, tenths: ticks, thousandths: lots })),
      ).toEqual(expected);
      expect(session.watch.roundTrips.done.length).toBeGreaterThanOrEqual(5);
      expect(session.core.counts.trades).toBe(21_313);
    });

    it('wants the same, at the same times, as handlers and as streams', () => {
      const handlers = backtest(smaCross, tape, 50).session.core;
      const streams = backtest(smaCrossStreams, tape, 50).session.core;
      expect(streams.engine.wantsHash()).toBe(handlers.engine.wantsHash());
      expect(streams.decisionHash()).toBe(handlers.decisionHash());
      expect(handlers.engine.counts.derived).toBeGreaterThanOrEqual(10);
    });
  },
);
