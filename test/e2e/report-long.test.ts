import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/backtest/report/report.js';
import { runSeries } from '../../src/backtest/series.js';
import { trialVerdict } from '../../src/backtest/trials.js';
import { inMemory } from '../support/in-memory-recording.js';
import { CAPITAL, HOUR, run, START, walk } from '../support/walk.js';
import { withFolder } from './program.js';
import { expectReport, isWithoutChromium } from './report-page.js';

const DAYS = 250;

describe.skipIf(isWithoutChromium)('a report of most of a year (skipped without chromium)', () => {
  it('has every section, laid out at the width of a desktop and of a phone without an error', () =>
    withFolder(async (cwd) => {
      const gaps = [40, 2_000, 2_001].map((hour) => {
        const from = START + hour * HOUR;
        return { from, to: from + 60_000, missing: 3 };
      });
      const { result, runs, headline } = await run(inMemory(walk(DAYS), { size: 65_536, gaps }));
      expect(result.metrics.days).toBe(DAYS);
      const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
      const html = reportHtml(result, series, trialVerdict(result, []));
      // Nothing is missing for want of days.
      expect(html).not.toContain('n/a: ');
      await writeFile(join(cwd, 'report.html'), html);
      await expectReport(cwd, 'report.html', [
        'figures',
        'equity',
        'underwater',
        'growth',
        'price',
        'models',
        'costs',
        'exposure',
        'falls',
        'months',
        'histogram',
        'rolling',
        'excursions',
        'clock',
        'trips',
        'provenance',
      ]);
    }));
});
