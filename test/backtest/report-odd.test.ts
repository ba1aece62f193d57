import { describe, expect, it } from 'vitest';
import { chart } from '../../src/backtest/report/chart.js';
import { many, number } from '../../src/backtest/report/numbers.js';
import { reportHtml } from '../../src/backtest/report/report.js';
import { runSeries } from '../../src/backtest/series.js';
import { trialVerdict } from '../../src/backtest/trials.js';
import { inMemory } from '../support/in-memory-recording.js';
import { CAPITAL, run, START } from '../support/walk.js';

const texts = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text);

describe('a report of odd data', () => {
  it('breaks no number where a line ends', () => {
    expect(number(-1_694)).toBe('−1\u00a0694.00');
    expect(many(1_234, 'trade')).toBe('1\u00a0234 trades');
  });

  it('has one label below a chart of one moment', () => {
    const frame = { label: 'x', from: START, to: START, low: 1, high: 2 };
    expect(texts(chart(frame, () => '')).filter((text) => text?.includes(':'))).toEqual(['00:00:00']);
  });

  it('has short labels beside a chart of zeros', () => {
    const frame = { label: 'x', from: START, to: START, low: 0, high: 0 };
    for (const text of texts(chart(frame, () => ''))) expect(text?.length).toBeLessThan(9);
  });

  it('of one trade and no order says so', async () => {
    const trade = { id: '1', time: START, price: 60_000, quantity: 1, isBuyerMaker: false };
    const { result, runs, headline } = await run(inMemory([trade], { size: 16 }));
    const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
    const html = reportHtml(result, series, trialVerdict(result, []));
    expect(html).toContain(' 1 trade ·');
    expect(html).toContain('Nothing was traded.');
    expect(html).not.toContain('n/a bps');
    expect(html).toContain('No round trip: nothing to tell skill from luck by.');
    expect(html).toContain('It was never below it.');
    expect(html).not.toContain('Only 0');
  });
});
