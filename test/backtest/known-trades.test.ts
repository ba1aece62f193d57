import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownTrades } from '../../src/backtest/known-trades.js';
import type { Trade } from '../../src/model/trade.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { RowHash } from '../../src/storage/certificate/row-hash.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { inMemory } from '../support/in-memory-recording.js';

const trade = (time: number, at: number): Trade => ({
  id: `t${at}`,
  time,
  price: 100 + at,
  quantity: 1,
  isBuyerMaker: at % 2 === 0,
});
const fact = (time: number): WorldFact => ({ kind: 'depth', time, bids: [[time, 1]], asks: [] });
const ascending = (most: number) =>
  fc
    .array(fc.integer({ min: 0, max: 50 }), { maxLength: most })
    .map((times) => times.toSorted((a, b) => a - b));

/** A recording with facts in batches of so many, and how many of them were asked for. */
function recordingOf(trades: readonly Trade[], facts: readonly WorldFact[], size: number, chunk = 7) {
  const asked = { facts: 0, isClosed: false };
  const recording = {
    ...inMemory(trades, { size: chunk }),
    async *facts() {
      try {
        for (let start = 0; start < facts.length; start += size) {
          const some = facts.slice(start, start + size);
          asked.facts += some.length;
          yield some;
        }
      } finally {
        asked.isClosed = true;
      }
    },
  };
  return { recording, asked };
}

describe('trades with what is known besides', () => {
  it('are all of them, each fact with the first trades that are not before it, however it is cut', async () => {
    const anyCut = fc.record({
      size: fc.integer({ min: 1, max: 9 }),
      chunk: fc.integer({ min: 1, max: 30 }),
      most: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(ascending(40), ascending(60), anyCut, async (times, known, { size, chunk, most }) => {
        const trades = times.map(trade);
        const { recording, asked } = recordingOf(trades, known.map(fact), size, chunk);
        const read: Trade[] = [];
        const facts: WorldFact[] = [];
        const hash = new RowHash();
        let newest = Number.NEGATIVE_INFINITY;
        for await (const { trades: some, facts: learned } of knownTrades(recording, most)) {
          const last = some.time[some.count - 1] as number;
          expect(some.count).toBeGreaterThan(0);
          // Those up to the trades before were learned with them.
          for (const { time } of learned) expect(time > newest && time <= last).toBe(true);
          newest = last;
          read.push(...Array.from({ length: some.count }, (_, row) => some.trade(row)));
          facts.push(...learned);
          hash.update(some);
        }
        expect(read).toEqual(trades);
        expect(facts).toEqual(known.filter((time) => time <= newest).map(fact));
        expect(hash.digest()).toBe(new RowHash().update(TradeColumns.of(trades)).digest());
        expect(asked.isClosed || asked.facts === 0).toBe(true);
      }),
    );
  });

  it('leave most facts where they are until trades have come so far', async () => {
    const trades = Array.from({ length: 1_000 }, (_, at) => trade(at, at));
    const { recording, asked } = recordingOf(
      trades,
      trades.map(({ time }) => fact(time)),
      10,
      1_000,
    );
    let learned = 0;
    for await (const { facts } of knownTrades(recording, 20)) {
      expect(asked.facts - learned).toBeLessThanOrEqual(40);
      learned += facts.length;
    }
    expect(learned).toBe(1_000);
  });

  it('let go of the facts where nobody goes on', async () => {
    const { recording, asked } = recordingOf([trade(0, 0), trade(9, 1)], [fact(0), fact(8), fact(20)], 1, 1);
    for await (const { facts } of knownTrades(recording)) {
      expect(facts).toEqual([fact(0)]);
      break;
    }
    expect(asked.isClosed).toBe(true);
  });
});
