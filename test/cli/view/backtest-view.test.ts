import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/backtest/backtest.js';
import { reportHtml } from '../../../src/backtest/report/report.js';
import type { BacktestResult } from '../../../src/backtest/result.js';
import { type RunSeries, runSeries } from '../../../src/backtest/series.js';
import { trialVerdict } from '../../../src/backtest/trials.js';
import { backtestText } from '../../../src/cli/view/backtest-view.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { openRecording } from '../../../src/storage/recording/recording.js';
import { defineStrategy } from '../../../src/strategy/definition.js';
import { bindStrategy } from '../../../src/strategy/instance.js';

const REMARKS = { trials: undefined, folder: undefined, report: undefined };

describe('what a result of a backtest had to assume', () => {
  let result: BacktestResult;
  let series: RunSeries;

  beforeAll(async () => {
    const recording = await openRecording(nodeFiles, [resolve('backtest/sample')]);
    const idle = bindStrategy(defineStrategy({ name: 'idle', params: {}, create: () => ({}) }), {});
    const run = await runBacktest({
      strategy: idle,
      strategyHash: '',
      recording,
      capital: '10000',
      engineVersion: 'test',
    });
    ({ result } = run);
    series = runSeries(result.runId, run.runs, run.headline, 10_000);
  });

  const text = (more: Partial<BacktestResult> = {}) => backtestText({ ...result, ...more }, REMARKS);
  const report = (more: Partial<BacktestResult> = {}) =>
    reportHtml({ ...result, ...more }, series, trialVerdict(result, []));

  it('is said in the text and in the report: no funding, since nothing to work it out from was recorded', () => {
    expect(text()).toContain('of fees; funding 0: no marks and rates were recorded\n');
    expect(report()).toContain('Funding is 0: no marks and rates were recorded.');
    const bars = { data: { ...result.data, kind: 'bars' as const } };
    expect(text(bars)).toContain('funding 0: bars have no marks and rates\n');
    const known = { data: { ...result.data, factsHash: 'of some' } };
    expect(text(known)).toContain('of fees; funding 0\n');
    expect(report(known)).not.toContain('Funding is 0');
    expect(text({ funding: '1.5' })).toContain('of fees and +1.50 USD of funding\n');
  });

  it('is said in the text: that the venue liquidated, and when first', () => {
    expect(text()).not.toContain('liquidated');
    expect(text({ liquidatedAt: Date.UTC(2026, 0, 1, 8) })).toContain(
      '  liquidated    2026-01-01T08:00:00.000Z: the venue took the position or a part of it;',
    );
  });

  it('is said in both: for how long positions had no stop at the venue, where one was wanted', () => {
    expect(text()).not.toContain('without stop');
    const protection = { heldMs: 80_000, bareMs: 400, longestBareMs: 50, bareNotionalSeconds: '12.5' };
    expect(text({ protection })).toContain('  without stop  0.50 % of the time held, 50 ms at the longest\n');
    expect(report({ protection })).toContain('0.50 % of the time held, 50 ms at the longest<');
    const limited = { protection: { ...protection, longestBareMs: 30_000, limitHits: 2 } };
    expect(text(limited)).toContain(', 30 s at the longest; 2 × limits.maxBareTime was reached\n');
    expect(text({ protection: { ...protection, heldMs: 0, bareMs: 0, longestBareMs: 0 } })).toContain(
      '  without stop  0.00 % of the time held, 0.0 s at the longest\n',
    );
  });

  it('is said in both: no funding before the rates that were recorded', () => {
    expect(text()).not.toContain('  funding ');
    expect(report()).not.toContain('funding rates');
    const late = { data: { ...result.data, factsHash: 'of some', unfundedUntil: Date.UTC(2026, 0, 1, 8) } };
    expect(text(late)).toContain(
      '  funding       none before 2026-01-01T08:00:00.000Z, where recorded rates begin\n',
    );
    expect(report(late)).toContain(
      'Recorded funding rates begin at 2026-01-01 08:00:00: what was due before is not charged.',
    );
  });

  it.each([
    [1, '1 later rate', '1 funding rate is'],
    [3, '3 later rates', '3 funding rates are'],
  ])('is said in both: %d rates are missing later on', (missingRates, inText, inReport) => {
    const holed = { data: { ...result.data, factsHash: 'of some', missingRates } };
    expect(text(holed)).toContain(`  funding       without ${inText} that nobody recorded\n`);
    expect(report(holed)).toContain(
      `Later on ${inReport} missing in the recording: what was due then is not charged.`,
    );
  });

  it('is said in both: margin rates changed, and the run did not follow', () => {
    expect(text()).not.toContain('  margin ');
    expect(report()).not.toContain('Margin rates');
    const changed = { data: { ...result.data, marginChangedAt: Date.UTC(2026, 0, 1, 8) } };
    expect(text(changed)).toContain(
      '  margin        as of the beginning, though its rates changed at 2026-01-01T08:00:00.000Z\n',
    );
    expect(report(changed)).toContain(
      'Margin rates of the market changed at 2026-01-01 08:00:00: the run keeps those of its beginning.',
    );
  });

  it('is said with the names of assets as text, in the page and in a terminal', () => {
    const name = '<img src=x>\u001b[2J\n';
    const protection = { heldMs: 80_000, bareMs: 400, longestBareMs: 50, bareNotionalSeconds: '12.5' };
    const odd = {
      pair: name,
      base: name,
      quote: name,
      funding: '1.5',
      finalPosition: '1',
      roundTrips: 40,
      protection,
      data: { ...result.data, gaps: 1 },
    };
    expect(report(odd)).not.toContain('<img');
    expect(report(odd)).toContain('&lt;img src=x&gt;');
    expect(/[^\P{Cc}\n]/u.exec(text(odd))?.[0]).toBeUndefined();
    expect(text(odd)).toContain('<img src=x>\uFFFD[2J\uFFFD');
    expect(text(odd).split('\n')).toHaveLength(
      text({ ...odd, pair: 'P', base: 'B', quote: 'Q' }).split('\n').length,
    );
  });

  it('has no rows of drawdowns that are shown as 0', () => {
    const equity = [10_000, 9_999.999_9, 10_000, 9_000, 10_000];
    const curve = { ...series, times: equity.map((_, at) => at), equity: { queue: equity } };
    const html = reportHtml(result, curve, trialVerdict(result, []));
    const falls = html.slice(html.indexOf('id="falls"')).split('</section>')[0];
    expect(falls).toContain('10.000 %');
    expect(falls).not.toMatch(/[^\d]0\.000 %<\/\w+><\/td>/);
  });

  it('is said in both: what positions are marked at, and where the queue ahead comes from', () => {
    expect(text()).toContain('  marked at     last price; queue ahead estimated from the prints\n');
    expect(text({ queueAhead: 'recorded', mark: 'mixed' })).toContain(
      "  marked at     last price; margin and funding at recorded marks where there are any; queue ahead the recorded book's\n",
    );
    expect(text({ headline: 'touch' })).toContain('  marked at     last price\n');
    expect(report()).toContain('estimated from the prints');
  });
});
