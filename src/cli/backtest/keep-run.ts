import { join } from 'node:path';
import { saveRun } from '../../backtest/registry.js';
import type { Files } from '../../ports/files.js';
import { reasonText } from '../report-error.js';
import { say } from '../view/output.js';
import { RUNS_FOLDER } from './backtest-run.js';

/**
 * Saves a run and returns its folder. If it cannot be written, says so and returns `undefined`, because the result
 * remains valid.
 */
export async function keepRun(files: Files, run: Parameters<typeof saveRun>[2]): Promise<string | undefined> {
  try {
    return await saveRun(files, RUNS_FOLDER, run);
  } catch (error) {
    const folder = join(RUNS_FOLDER, run.result.runId);
    await say(`warning: the run was not saved in ${folder}: ${reasonText(error)}`);
    return undefined;
  }
}
