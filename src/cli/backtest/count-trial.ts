import {
  addTrial,
  type Judged,
  readTrials,
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
  try {
    await addTrial(files, RUNS_FOLDER, trialOf(judged));
  } catch (error) {
    await say(`warning: run ${judged.runId} was not counted as a trial: ${reasonText(error)}`);
  }
  return trialVerdict(judged, await readTrials(files, RUNS_FOLDER));
}
