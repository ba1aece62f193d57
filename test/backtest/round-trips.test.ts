import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { documentText } from '../../src/backtest/registry.js';
import { MOST_KEPT } from '../../src/backtest/round-trips.js';
import { runSeries } from '../../src/backtest/series.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition } from '../../src/strategy/want.js';
import { inMemory } from '../support/in-memory-recording.js';

const TRADES = 150_000;

/** A print every 100 ms, bought and sold in turn. */
const recording: Recording = {
  ...inMemory([]),
  async *chunks() {
    const columns = new TradeColumns(TRADES);
    for (let i = 0; i < TRADES; i++) {
      columns.push({
        id: String(i + 1),
        time: (i + 1) * 100,
        price: 60_000 + (i % 7),
        quantity: 1,
        isBuyerMaker: i % 2 === 0,
      });
    }
    yield columns;
  },
};

/** In and out at every print. */
const busy = defineStrategy({
  name: 'busy',
  create: () => {
    let prints = 0;
    return { onTrade: () => (prints++ % 2 === 0 ? holdPosition('0.001') : flat()) };
  },
});

async function run(more: { readonly allRoundTrips?: boolean }) {
  const { result, runs, headline } = await runBacktest({
    strategy: bindStrategy(busy, {}),
    strategyHash: '',
    recording,
    capital: '1000000',
    fill: 'touch',
    latencyMs: 0,
    engineVersion: 'test',
    ...more,
  });
  const series = runSeries(result.runId, runs, headline, 1_000_000);
  return {
    result,
    text: documentText(result) + documentText(series),
    trips: headline.session.watch.roundTrips,
  };
}

describe('round trips beyond 65 536', () => {
  it('are all there where all are asked for, and no figure depends on that', async () => {
    const some = await run({});
    const all = await run({ allRoundTrips: true });
    expect(all.result.roundTrips).toBeGreaterThan(MOST_KEPT);
    expect(some.trips.done).toHaveLength(MOST_KEPT);
    expect(all.trips.done).toHaveLength(all.result.roundTrips);
    expect(all.trips.done.slice(0, MOST_KEPT)).toEqual(some.trips.done);
    expect(all.result.metrics.medianHoldingMs).toBeNull();
    expect(all.text === some.text).toBe(true);
  });
});
