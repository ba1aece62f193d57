import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/backtest/report/report.js';
import { runSeries } from '../../src/backtest/series.js';
import { trialVerdict } from '../../src/backtest/trials.js';
import { inMemory } from '../support/in-memory-recording.js';
import { CAPITAL, HOUR, longWalk, run, START } from '../support/walk.js';
import { MAY_SKIP, NO_BROWSER } from './browser.js';
import { withFolder } from './program.js';
import { expectReport } from './report-page.js';

const DAYS = 250;
const PER_MINUTE = 28;

describe.skipIf(MAY_SKIP)(
  `a report of most of a year and ten million trades (skipped: ${NO_BROWSER})`,
  () => {
    it('has every section, at a desk and on a phone', () =>
      withFolder(async (cwd) => {
        const gaps = [40, 2_000, 2_001].map((hour) => {
          const from = START + hour * HOUR;
          return { from, to: from + 60_000, missing: 3 };
        });
        const { result, runs, headline } = await run(
          inMemory(longWalk(DAYS, PER_MINUTE), { size: 65_536, gaps }),
        );
        expect(result.trades).toBeGreaterThan(10_000_000);
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
  },
);
