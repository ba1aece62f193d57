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
 * Writes down that a run has looked at its data, whether or not it is kept: the best of many looks better than it is. How
 * it stands among all of them. What cannot be written is said, and the result stands all the same.
 */
export async function countTrial(files: Files, judged: Judged): Promise<TrialVerdict> {
  try {
    await addTrial(files, RUNS_FOLDER, trialOf(judged));
  } catch (error) {
    await say(`warning: run ${judged.runId} was not counted as a trial: ${reasonText(error)}`);
  }
  return trialVerdict(judged, await readTrials(files, RUNS_FOLDER));
}
