import {
  addTrial,
  type Judged,
  readTrials,
  type Trial,
  trialOf,
  type TrialVerdict,
  trialVerdict,
} from '../../backtest/trials.js';
import type { Files } from '../../ports/files.js';
import { reasonText } from '../report-error.js';
import { say } from '../view/output.js';
import { RUNS_FOLDER } from './backtest-run.js';

/**
 * Notes in the ledger that a run has looked at its data, whether or not the run is kept, because the best of many
 * trials looks better than it is. Returns how the run compares with the other trials. If the ledger cannot be written,
 * says so and keeps the result.
 */
export async function countTrial(files: Files, judged: Judged): Promise<TrialVerdict> {
  const [verdict] = await countTrials(files, [judged]);
  return verdict as TrialVerdict;
}

/** The same for runs that were made together: all are counted before any is compared, so that their order is no matter. */
export async function countTrials(files: Files, judged: readonly Judged[]): Promise<readonly TrialVerdict[]> {
  const uncounted: Trial[] = [];
  for (const each of judged) {
    const trial = trialOf(each);
    try {
      await addTrial(files, RUNS_FOLDER, trial);
    } catch (error) {
      uncounted.push(trial);
      await say(`warning: run ${each.runId} was not counted as a trial: ${reasonText(error)}`);
    }
  }
  const trials = [...(await readTrials(files, RUNS_FOLDER)), ...uncounted];
  return judged.map((each) => trialVerdict(each, trials));
}
