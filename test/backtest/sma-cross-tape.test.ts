import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { runBacktest } from '../../src/backtest/backtest.js';
import { TapeSession } from '../../src/backtest/tape-session.js';
import type { Fill } from '../../src/model/fill.js';
import type { Trade } from '../../src/model/trade.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import type { FillModelName } from '../../src/venue/tape/fill-model.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';
import smaCross from '../../strategies/sma-cross.js';
import smaCrossStreams from '../../strategies/sma-cross-streams.js';
import { inMemory } from '../support/in-memory-recording.js';
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
 * than sent + latency at the print's price and so many tenths worse, one order at a time, given up 10 s after they
 * arrived.
 */
function recompute(tape: readonly Trade[], latency: number, worse = 0): Expected[] {
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
        const paid = order.buy ? tenths + worse : tenths - worse;
        fills.push({ time: trade.time, side: order.buy ? 'buy' : 'sell', tenths: paid, thousandths: eaten });
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

function recordingOf(tape: readonly Trade[]): Recording {
  return {
    ...inMemory([]),
    async *chunks() {
      yield TradeColumns.of(tape);
    },
  };
}

/** P&L after fees of 6 bp, in whole 10^-8 USD, the position valued at the last print. */
function pnlOf(fills: readonly Expected[], lastTenths: number): bigint {
  let cash = 0n;
  let held = 0n;
  for (const { side, tenths, thousandths } of fills) {
    // Tenths times thousandths are 10^-4 USD.
    const amount = BigInt(tenths) * BigInt(thousandths) * 10_000n;
    cash += (side === 'buy' ? -amount : amount) - (amount * 6n) / 10_000n;
    held += BigInt(side === 'buy' ? thousandths : -thousandths);
  }
  return cash + held * BigInt(lastTenths) * 10_000n;
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

    it('fills by all three models what the re-computation fills with their slippage, and earns that', async () => {
      const run = (fill: 'all' | FillModelName, onFill?: (fill: Fill) => void) =>
        runBacktest({
          strategy: bindStrategy(smaCross, { bars: '1s' }),
          strategyHash: 'none',
          recording: recordingOf(tape),
          capital: '100000',
          fill,
          slippageTicks: 3,
          engineVersion: 'test',
          ...(onFill === undefined ? {} : { onFill }),
        });
      const all = await run('all');
      for (const [model, worse] of [
        ['through', 6],
        ['queue', 3],
        ['touch', 0],
      ] as const) {
        const expected = recompute(tape, 50, worse);
        const fills: Fill[] = [];
        const alone = await run(model, (fill) => fills.push(fill));
        expect(
          fills.map(({ time, side, ticks, lots }) => ({ time, side, tenths: ticks, thousandths: lots })),
        ).toEqual(expected);
        const last = Math.round((tape.at(-1)?.price ?? 0) * 10);
        expect(Math.round(Number(alone.result.pnl[model]) * 1e8)).toBe(Number(pnlOf(expected, last)));
        expect(all.result.pnl[model]).toBe(alone.result.pnl[model]);
        expect(alone.result.roundTrips).toBeGreaterThanOrEqual(5);
      }
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
