import { describe, expect, it } from 'vitest';
import { priceSection } from '../../src/backtest/report/curves.js';
import { excursionSection } from '../../src/backtest/report/trips.js';
import type { TripRow } from '../../src/backtest/series.js';

const T0 = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

function tripAt(entryTime: number): TripRow {
  const exitTime = entryTime + MINUTE;
  const [entryPrice, exitPrice] = [100, 101];
  const figures = { pnl: '1', fees: '0', funding: '0', worst: -1, best: 2, isInGap: false };
  return { side: 'buy', entryTime, exitTime, quantity: '1', entryPrice, exitPrice, ...figures };
}

/** Both charts of a run with so many round trips, one a minute, of which the first are kept. */
function charts(all: number, kept = all): readonly [price: string, excursions: string] {
  const result = { pair: 'USD_BTC_PERP', quote: 'USD', roundTrips: all };
  const roundTrips = Array.from({ length: kept }, (_, at) => tripAt(T0 + at * MINUTE));
  const series = { times: [T0, T0 + all * MINUTE], prices: [100, 101], roundTrips };
  const bare = (html: string) => html.replaceAll('\u00a0', ' ');
  return [bare(priceSection(result, series)), bare(excursionSection(result, series))];
}

describe('the round trips in the charts of a report', () => {
  it('say nothing of how many they are where all are shown', () => {
    for (const html of charts(300)) expect(html).not.toContain('round trips are');
  });

  it('say how many of them are shown', () => {
    const [price, excursions] = charts(3_000);
    expect(price).toContain('300 of 3 000 round trips are marked.</p>');
    expect(excursions).toContain('1 500 of 3 000 round trips are drawn.</p>');
  });

  it('say where they end, when a run had more of them than are kept', () => {
    const [price, excursions] = charts(20_000, 5_000);
    const end = 'all among the first 5 000: none that ended after 2024-01-04 11:20:00.</p>';
    expect(price).toContain(`295 of 20 000 round trips are marked, ${end}`);
    expect(excursions).toContain(`1 250 of 20 000 round trips are drawn, ${end}`);
  });
});
