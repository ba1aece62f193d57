import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TradeCursor } from '../../src/backtest/trade-cursor.js';
import { NOTHING } from '../../src/engine/decision.js';
import { Engine } from '../../src/engine/engine.js';
import type { Trade } from '../../src/model/trade.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { holdPosition } from '../../src/strategy/want.js';
import { BTC } from '../support/markets.js';

const steps = fc.array(
  fc.record({
    // Now and then a trade that comes after its bar.
    ms: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 700 }) },
      fc.integer({ min: -1_500, max: 0 }),
    ),
    ticks: fc.integer({ min: 599_990, max: 600_010 }),
    lots: fc.integer({ min: 1, max: 50 }),
    act: fc.constantFrom('nothing', 'want', 'same', 'stop', 'submit', 'timer'),
  }),
  { minLength: 20, maxLength: 150 },
);

/** Writes down all that it is told, with the time that it is told it is, and acts as it is told by trade. */
function scribe(told: string[], acts: readonly string[]) {
  return defineStrategy({
    name: 'scribe',
    params: { short: barInterval({ default: '1s' }), long: barInterval({ default: '3s' }) },
    create(_, context) {
      let seen = 0;
      return {
        onTrade({ id, time, price, quantity, isBuyerMaker }) {
          told.push(`trade ${id} ${time} ${price} ${quantity} ${isBuyerMaker} at ${context.now}`);
          if (context.stoppedOut) told.push('stopped out');
          const act = acts[seen++];
          if (act === 'want') return holdPosition((seen % 7) / 1_000);
          if (act === 'same') return holdPosition('0.001');
          if (act === 'stop') {
            const quantity = ((seen % 5) - 2) / 1_000;
            return holdPosition(quantity, { stop: price - Math.sign(quantity) * 0.3 });
          }
          if (act === 'submit') context.submit({ side: 'buy', quantity: '0.001' });
          if (act === 'timer') context.setTimer('soon', time + 400);
          return undefined;
        },
        onBar: (bar) => void told.push(`bar ${JSON.stringify(bar)} at ${context.now}`),
        onTimer: ({ name, time }) => void told.push(`timer ${name} ${time} at ${context.now}`),
      };
    },
  });
}

function engineOf(told: string[], acts: readonly string[]): Engine {
  return new Engine({ strategy: bindStrategy(scribe(told, acts)), market: BTC, seed: '1', warmUp: false });
}

it('rows that run come to what they come to one by one, wherever the run is interrupted', () => {
  let bars = 0;
  let late = 0;
  let stopped = 0;
  fc.assert(
    fc.property(
      steps,
      fc.record({
        until: fc.integer({ min: 1_000_000, max: 1_030_000 }),
        above: fc.integer({ min: 599_985, max: 600_000 }),
        below: fc.integer({ min: 600_001, max: 600_015 }),
      }),
      (each, { until, above, below }) => {
        let time = 1_000_000;
        const trades: Trade[] = each.map(({ ms, ticks, lots }, at) => {
          time += ms;
          return {
            id: String(at + 1),
            time,
            price: ticks / 10,
            quantity: lots / 1_000,
            isBuyerMaker: at % 3 === 0,
          };
        });
        const acts = each.map(({ act }) => act);
        const toldOne: string[] = [];
        const one = engineOf(toldOne, acts);
        const decided = trades.map((trade) => one.trade(trade)).filter((decision) => decision !== NOTHING);

        const toldRun: string[] = [];
        const run = engineOf(toldRun, acts);
        const rows = TradeColumns.of(trades);
        const cursor = new TradeCursor(rows);
        const bounds = { until, above: above / 10, below: below / 10 };
        const decisions = [];
        for (let row = 0; row < trades.length; ) {
          const next = run.run(cursor, rows, row, trades.length, bounds);
          if (next === row) {
            decisions.push(run.trade(cursor.at(row)));
            row++;
          } else {
            decisions.push(run.decision());
            row = next;
          }
        }
        expect(toldRun).toEqual(toldOne);
        expect(decisions.filter((decision) => decision !== NOTHING)).toEqual(decided);
        expect(run.wantsHash()).toBe(one.wantsHash());
        expect([run.now, run.bars, run.lateTrades, run.dueAt]).toEqual([
          one.now,
          one.bars,
          one.lateTrades,
          one.dueAt,
        ]);
        stopped += toldOne.filter((words) => words === 'stopped out').length;
        bars += one.bars;
        late += one.lateTrades;
      },
    ),
    { numRuns: 300 },
  );
  // The property says nothing if nothing happened.
  expect(bars).toBeGreaterThan(1_000);
  expect(late).toBeGreaterThan(100);
  expect(stopped).toBeGreaterThan(1_000);
});
