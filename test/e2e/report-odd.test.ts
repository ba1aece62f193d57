import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { reportHtml } from '../../src/backtest/report/report.js';
import { runSeries } from '../../src/backtest/series.js';
import { trialVerdict } from '../../src/backtest/trials.js';
import { inMemory } from '../support/in-memory-recording.js';
import { CAPITAL, run, walk } from '../support/walk.js';
import { MAY_SKIP, NO_BROWSER } from './browser.js';
import { withFolder } from './program.js';
import { expectReport } from './report-page.js';

/** As long as a strategy's name may be, and a parameter's that nobody would type twice, without a place to break. */
const STRATEGY = 'x'.repeat(64);
const PAIR = `USD_${'X'.repeat(40)}_PERP`;
const PARAMETER = 'aParameterWithAVeryLongNameThatNobodyWouldTypeTwice';

describe.skipIf(MAY_SKIP)(`a report with long names (skipped: ${NO_BROWSER})`, () => {
  it('is no wider than a desk or a phone', () =>
    withFolder(async (cwd) => {
      const { result, runs, headline } = await run(inMemory(walk(1), { size: 4_096 }));
      const named = { ...result, strategy: STRATEGY, params: { [PARAMETER]: '0.123456789012345678' } };
      const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
      const html = reportHtml(named, series, trialVerdict(named, []));
      // Where the report of an account has it.
      const note = `<ul><li>Filters and fees of ${PAIR} are inferred.</li></ul>`;
      await writeFile(join(cwd, 'report.html'), html.replace('<main>', `<main>${note}`));
      await expectReport(cwd, 'report.html', ['figures', 'growth', 'provenance']);
    }));
});
