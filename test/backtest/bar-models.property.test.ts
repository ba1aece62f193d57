import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BarSession } from '../../src/backtest/bar-session.js';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { type BarRow, barColumns } from '../../src/storage/rows/bar-columns.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { type BoundStrategy, bindStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { holdPosition, quote } from '../../src/strategy/want.js';
import { BarsVenue } from '../../src/venue/tape/bars-venue.js';
import { type FillModel, THROUGH, TOUCH } from '../../src/venue/tape/fill-model.js';
import { BTC } from '../support/markets.js';
import { expectModelOrder, ModelLog } from '../support/model-order.js';
import { scripted, scripts } from './scripted.js';

const SECOND = 1_000;

/** Bars of a second around 60 000.0: few steps of price, so that limits are reached exactly, and little volume. */
const tapes = fc
  .array(
    fc.record({
      pause: fc.constantFrom(0, 0, 0, 0, 1, 3),
      moves: fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 4, maxLength: 4 }),
      lots: fc.integer({ min: 0, max: 300 }),
    }),
    { minLength: 20, maxLength: 100, size: 'max' },
  )
  .map((steps) => {
    let time = 1_700_000_000_000;
    let ticks = 600_000;
    return steps.map(({ pause, moves, lots }): BarRow => {
      time += (1 + pause) * SECOND;
      const path = moves.map((move) => {
        ticks += move;
        return ticks / 10;
      });
      const [open = 0] = path;
      const close = path.at(-1) ?? open;
      return { time, open, high: Math.max(...path), low: Math.min(...path), close, volume: lots / 1_000 };
    });
  });

/** Ticks away from the close, and lots: as many as trade in a bar. */
const side = fc.record({ away: fc.integer({ min: 0, max: 6 }), lots: fc.integer({ min: 1, max: 200 }) });

/** Quotes that take the volume of a bar from one another. */
const quoters = fc.array(fc.record({ bid: side, ask: side }), { minLength: 1, maxLength: 6 }).map((script) =>
  defineStrategy({
    name: 'quoter',
    params: { bars: barInterval({ default: '1s' }) },
    create() {
      let bars = 0;
      return {
        onBar({ close }) {
          const turn = script[bars++ % script.length];
          if (turn === undefined) return undefined;
          const { bid, ask } = turn;
          return quote({
            bid: { price: close - bid.away / 10, quantity: bid.lots / 1_000 },
            ask: { price: close + ask.away / 10, quantity: ask.lots / 1_000 },
          });
        },
      };
    },
  }),
);

/** Holds long and short positions with stops that move at each bar, and starts again where it was stopped out. */
const holders = fc
  .array(fc.record({ lots: fc.integer({ min: -20, max: 20 }), away: fc.integer({ min: 1, max: 8 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map(
    (script) => (onStop: () => void) =>
      defineStrategy({
        name: 'holder',
        params: { bars: barInterval({ default: '1s' }) },
        create(_, context) {
          let bars = 0;
          return {
            onBar({ close }) {
              if (context.stoppedOut) onStop();
              const turn = script[Math.floor(bars++ / 3) % script.length];
              if (turn === undefined) return undefined;
              const { lots, away } = turn;
              return holdPosition(lots / 1_000, { stop: close - (Math.sign(lots) * away) / 10 });
            },
          };
        },
      }),
  );

const strategies = fc.oneof(
  { weight: 1, arbitrary: scripts.map((acts) => bindStrategy(scripted(acts))) },
  { weight: 4, arbitrary: quoters.map((quoter) => bindStrategy(quoter)) },
);

function logOf(
  strategy: BoundStrategy,
  bars: readonly BarRow[],
  model: FillModel,
  slippageTicks: number,
): ModelLog {
  let seen = 0;
  const log = new ModelLog(() => seen);
  const venue = new BarsVenue({ market: BTC, deposit: '100000', slippageTicks, model });
  const session = new BarSession({
    engine: new Engine({ strategy, market: BTC, seed: '1', warmUp: false }),
    venue,
    limits: NO_LIMITS,
    capital: 100_000,
    gaps: [],
    onFill: log.onFill,
    observer: log.observer,
  });
  for (const bar of bars) {
    session.run(barColumns([bar], SECOND));
    seen++;
  }
  session.end();
  return log;
}

describe('two fill models on bars', () => {
  it('decide the same until their fills differ, and there no order has less in the more optimistic one', () => {
    let differing = 0;
    fc.assert(
      fc.property(tapes, strategies, fc.constantFrom(0, 0, 1, 3), (bars, strategy, slippageTicks) => {
        const logs = [THROUGH, TOUCH].map((model) => logOf(strategy, bars, model, slippageTicks));
        differing += expectModelOrder(logs);
      }),
      { numRuns: 500 },
    );
    expect(differing).toBeGreaterThan(200);
  });

  /** Of a stop and a target in one bar each model takes another one first, so here nothing rests but stops. */
  it('decide the same until their fills differ with stops, and there no order has less in the more optimistic one', () => {
    let differing = 0;
    let stopped = 0;
    fc.assert(
      fc.property(tapes, holders, fc.constantFrom(0, 0, 1, 3), (bars, holder, slippageTicks) => {
        const logs = [THROUGH, TOUCH].map((model) =>
          logOf(bindStrategy(holder(() => stopped++)), bars, model, slippageTicks),
        );
        differing += expectModelOrder(logs);
      }),
      { numRuns: 500 },
    );
    // They differ by their slippage.
    expect(differing).toBeGreaterThan(100);
    expect(stopped).toBeGreaterThan(500);
  });

  it('fill what a bar went beyond before what it only reached', () => {
    const bid = { price: 59_990, quantity: '0.1' };
    const ask = { price: 60_010, quantity: '0.005' };
    const once = defineStrategy({
      name: 'once',
      params: { bars: barInterval({ default: '1s' }) },
      create: () => ({ onBar: () => quote({ bid, ask }) }),
    });
    const still = { open: 60_000, high: 60_000, low: 60_000, close: 60_000, volume: 1 };
    const wide = { ...still, high: 60_020, low: 59_990, volume: 0.1 };
    const bars = [still, still, wide].map((bar, i) => ({ ...bar, time: 1_700_000_000_000 + i * SECOND }));
    const filled = (model: FillModel) =>
      logOf(bindStrategy(once), bars, model, 0).fills.map(
        ({ fill: { side, lots, ticks } }) => `${side} ${lots} @ ${ticks}`,
      );
    expect(filled(THROUGH)).toEqual(['sell 5 @ 600100']);
    expect(filled(TOUCH)).toEqual(['sell 5 @ 600100', 'buy 95 @ 599900']);
  });
});
