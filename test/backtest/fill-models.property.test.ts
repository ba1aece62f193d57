import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pollsEvery } from '../../src/backtest/poll-schedule.js';
import { tapeSession } from '../../src/backtest/polled-session.js';
import type { TapeSession } from '../../src/backtest/tape-session.js';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Trade } from '../../src/model/trade.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { FILL_MODELS, type FillModel } from '../../src/venue/tape/fill-model.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';
import { BTC } from '../support/markets.js';
import { expectModelOrder, ModelLog } from '../support/model-order.js';
import { sendingStops } from '../support/stops.js';
import { Client } from '../venue/tape/client.js';
import { type Act, booksOf, scripted, scripts, tapes } from './scripted.js';

interface Conditions {
  readonly model: FillModel;
  readonly slippageTicks: number;
  readonly jitterMs: number;
  readonly pollMs: number;
  readonly hasStops: boolean;
}

function sessionOf(acts: readonly Act[], { model, slippageTicks, jitterMs, pollMs, hasStops }: Conditions) {
  const log: ModelLog = new ModelLog(() => session.core.counts.trades);
  const session = tapeSession({
    engine: new Engine({ strategy: bindStrategy(scripted(acts)), market: BTC, seed: '1', warmUp: false }),
    venue: new TapeVenue({ market: BTC, deposit: '100000', latency: { jitterMs }, slippageTicks, model }),
    limits: NO_LIMITS,
    capital: 100_000,
    gaps: [],
    polls: pollMs === 0 ? undefined : pollsEvery(pollMs),
    onFill: log.onFill,
    observer: log.observer,
  });
  if (hasStops) sendingStops(session);
  return { session, log };
}

function runIn(
  session: TapeSession,
  tape: readonly Trade[],
  size: number,
  books: readonly WorldFact[],
): void {
  let known = 0;
  for (let from = 0; from < tape.length; from += size) {
    const chunk = tape.slice(from, from + size);
    const until = chunk.at(-1)?.time ?? 0;
    const due = books.slice(known).filter(({ time }) => time <= until);
    known += due.length;
    session.run(TradeColumns.of(chunk), due);
  }
  session.end();
}

/** Tapes, some of them with books. */
const recordings = tapes.chain((tape) =>
  fc.record({ tape: fc.constant(tape), books: fc.oneof(fc.constant<WorldFact[]>([]), booksOf(tape)) }),
);

const conditions = fc.record({
  slippageTicks: fc.constantFrom(0, 0, 1, 3),
  jitterMs: fc.constantFrom(0, 200),
  hasStops: fc.boolean(),
});

describe('three fill models', () => {
  it('decide the same until their fills differ, and there no order has less in the more optimistic one, streamed or polled', () => {
    let differing = 0;
    let polled = 0;
    let recorded = 0;
    fc.assert(
      fc.property(
        recordings,
        scripts,
        conditions,
        fc.constantFrom(0, 0, 30, 100, 1_000),
        ({ tape, books }, acts, given, pollMs) => {
          const apart = tape.map((trade, i) => ({ ...trade, time: trade.time + i }));
          const booksApart = books.map((book) => {
            const row = tape.findLastIndex(({ time }) => time === book.time);
            return { ...book, time: book.time + row };
          });
          const logs = FILL_MODELS.map((model) => {
            const { session, log } = sessionOf(acts, { ...given, model, pollMs });
            if (pollMs === 0) runIn(session, tape, tape.length, books);
            else runIn(session, apart, tape.length, booksApart);
            if (session.queueAhead === 'recorded') recorded++;
            return log;
          });
          const pairs = expectModelOrder(logs);
          if (pollMs === 0) differing += pairs;
          else polled += pairs;
        },
      ),
      { numRuns: 800 },
    );
    expect(differing).toBeGreaterThan(60);
    expect(polled).toBeGreaterThan(60);
    expect(recorded).toBeGreaterThan(3);
  });

  it.each(FILL_MODELS)('$name does not depend on the size of chunks, streamed or polled', (model) => {
    let fills = 0;
    fc.assert(
      fc.property(
        recordings,
        scripts,
        conditions,
        fc.constantFrom(0, 30, 1_000),
        fc.integer({ min: 1, max: 40 }),
        ({ tape, books }, acts, given, pollMs, size) => {
          const whole = sessionOf(acts, { ...given, model, pollMs });
          const parts = sessionOf(acts, { ...given, model, pollMs });
          runIn(whole.session, tape, tape.length, books);
          runIn(parts.session, tape, size, books);
          expect(parts.log.fills).toEqual(whole.log.fills);
          expect(parts.session.core.decisionHash()).toBe(whole.session.core.decisionHash());
          expect(parts.session.core.engine.wantsHash()).toBe(whole.session.core.engine.wantsHash());
          expect(parts.session.watch.drawdown.worst).toBe(whole.session.watch.drawdown.worst);
          expect(whole.session.core.counts.trades).toBe(tape.length);
          fills += whole.log.fills.length;
        },
      ),
      { numRuns: 100 },
    );
    expect(fills).toBeGreaterThan(50);
  });
});

/** Plain limit orders and cancels at fixed times; buys below 100 and sells above it, so that they never cross. */
const plainScripts = fc.record({
  prints: fc.array(
    fc.record({
      pause: fc.constantFrom(0, 0, 1, 5, 60),
      price: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 94, max: 106 }) },
        { weight: 1, arbitrary: fc.integer({ min: 940, max: 1_060 }).map((tenths) => tenths / 10) },
      ),
      lots: fc.integer({ min: 1, max: 20 }),
      aggressor: fc.constantFrom('buy' as const, 'sell' as const),
    }),
    { minLength: 40, maxLength: 160 },
  ),
  orders: fc.array(
    fc.record({
      at: fc.nat(900),
      isBuy: fc.boolean(),
      away: fc.integer({ min: 0, max: 5 }),
      lots: fc.integer({ min: 1, max: 30 }),
      postOnly: fc.boolean(),
      cancelAfter: fc.option(fc.integer({ min: 60, max: 600 })),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

describe('plain limit orders and cancels at fixed times', () => {
  it('fill at every moment at least as much in queue as in through, and in touch as in queue', () => {
    const totals = [0, 0, 0];
    fc.assert(
      fc.property(plainScripts, fc.constantFrom(0, 1), ({ prints, orders }, slippageTicks) => {
        const clients = FILL_MODELS.map(
          (model) => new Client({ model: { ...model, slippageFactor: 1 }, slippageTicks }),
        );
        const filled = clients.map(() => new Map<number, number>());
        let time = 0;
        let sent = 0;
        const due = orders
          .flatMap(({ at, cancelAfter }, index) => [
            { time: at, index, isCancel: false },
            ...(cancelAfter === null ? [] : [{ time: at + cancelAfter, index, isCancel: true }]),
          ])
          .sort((a, b) => a.time - b.time);
        for (const { pause, price, lots, aggressor } of prints) {
          time += pause;
          for (; (due[sent]?.time ?? Number.POSITIVE_INFINITY) <= time; sent++) {
            const { index, isCancel } = due[sent] as (typeof due)[number];
            const { isBuy, away, lots: size, postOnly } = orders[index] as (typeof orders)[number];
            for (const client of clients) {
              if (isCancel) {
                // Orders are numbered as they arrive, and all wait as long.
                const place = due.slice(0, sent).filter((each) => !each.isCancel);
                const number = place.findIndex((each) => each.index === index) + 1;
                client.cancel(index + 1, String(number), time);
              } else {
                const ticks = isBuy ? 100 - away : 101 + away;
                client.place(index + 1, isBuy ? 'buy' : 'sell', size, ticks, time, { postOnly });
              }
            }
          }
          for (const [which, client] of clients.entries()) {
            client.venue.print(time, price, lots, aggressor === 'sell');
            for (const report of client.venue.reports.splice(0)) {
              if (report.kind !== 'filled') continue;
              const map = filled[which] as Map<number, number>;
              map.set(report.intentId, (map.get(report.intentId) ?? 0) + report.fill.lots);
            }
          }
          for (let order = 1; order <= orders.length; order++) {
            const [through, queue, touch] = filled.map((map) => map.get(order) ?? 0) as [
              number,
              number,
              number,
            ];
            expect(queue).toBeGreaterThanOrEqual(through);
            expect(touch).toBeGreaterThanOrEqual(queue);
          }
        }
        for (const [which, map] of filled.entries()) {
          totals[which] = (totals[which] as number) + [...map.values()].reduce((sum, lots) => sum + lots, 0);
        }
      }),
      { numRuns: 500 },
    );
    const [through, queue, touch] = totals as [number, number, number];
    expect(through).toBeGreaterThan(1_000);
    expect(queue).toBeGreaterThan(through);
    expect(touch).toBeGreaterThan(queue);
  });
});
