import { differences } from '../../backtest/difference.js';
import { findRun } from '../../backtest/registry.js';
import { RUNS_FOLDER } from '../backtest/backtest-run.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { compareText } from '../view/compare-view.js';
import { printJson, printText } from '../view/output.js';
import { printable } from '../view/printable.js';

export interface CompareOptions {
  readonly json?: true | undefined;
}

/** Compares two saved runs: their differences, from the inputs to the results. */
export async function compare(
  leftName: string,
  rightName: string,
  options: CompareOptions,
): Promise<ExitCode> {
  const { files } = thisMachine();
  const left = await findRun(files, RUNS_FOLDER, leftName);
  const right = await findRun(files, RUNS_FOLDER, rightName);
  const [leftId, rightId] = [printable(left.result.runId), printable(right.result.runId)];
  const identical = left.resultText === right.resultText;
  const found = differences(left.result, right.result);
  if (options.json === true) {
    await printJson({
      identical,
      left: left.result.runId,
      right: right.result.runId,
      differences: found.map(({ key, left: a, right: b }) => ({ key, left: a ?? null, right: b ?? null })),
    });
  } else if (identical) {
    await printText(`${leftId} and ${rightId} are identical`);
  } else if (found.length === 0) {
    await printText(
      `${leftId} and ${rightId} have equal values in other bytes; one of the files was written anew`,
    );
  } else {
    await printText(compareText(leftId, rightId, found));
  }
  return EXIT.ok;
}
