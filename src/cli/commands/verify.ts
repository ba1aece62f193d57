import { causesFirst, differences } from '../../backtest/difference.js';
import { documentText, findRun } from '../../backtest/registry.js';
import { counted } from '../../model/counted.js';
import { RUNS_FOLDER } from '../backtest/backtest-run.js';
import { runAgain } from '../backtest/run-again.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, printText } from '../view/output.js';
import { printable } from '../view/printable.js';

export interface VerifyOptions {
  readonly json?: true | undefined;
}

const OTHER_CODE =
  '  the code of the strategy is not what the run was made with: that alone changes what comes of it';
const OTHER_DATA = '  what is recorded is not what the run was over: that alone changes what comes of it';
const OTHER_PART =
  '  the recording has grown since, and the part that the run saw is not what it was: that alone changes what comes of it';
const GROWN = '  the recording has grown since: the part that the run saw is the same';

/** Runs a saved run again, over the part of its recording that it saw, and compares the bytes of the result. */
export async function verify(name: string, options: VerifyOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const saved = await findRun(machine.files, RUNS_FOLDER, name);
  const { run, hasGrown } = await runAgain(machine, saved);
  const { result } = run;
  const identical = documentText(result) === saved.resultText;
  const found = identical ? [] : causesFirst(differences(saved.result, JSON.parse(documentText(result))));
  const first = found[0];
  if (options.json === true) {
    const at =
      first === undefined ? {} : { firstDifference: first.key, saved: first.left, again: first.right };
    await printJson({
      runId: saved.result.runId,
      identical,
      ...(hasGrown ? { hasGrown } : {}),
      ...(identical ? {} : at),
    });
  } else if (identical) {
    const { orders, fills, decisionHash } = result;
    await printText(
      [
        `${result.runId} reproduced: ${counted(orders, 'order')}, ${counted(fills, 'fill')}, decisions ${decisionHash.slice(0, 16)}, bytes equal`,
        ...(hasGrown ? [GROWN] : []),
      ].join('\n'),
    );
  } else if (first === undefined) {
    await printText(
      printable(
        `${saved.result.runId} not reproduced: equal values in other bytes; the file was written anew`,
      ),
    );
  } else {
    await printText(
      [
        `${saved.result.runId} not reproduced: ${found.length} values differ, the first is ${first.key}`,
        ...(first.key === 'strategyHash' ? [OTHER_CODE] : []),
        ...(first.key.startsWith('data.') ? [hasGrown ? OTHER_PART : OTHER_DATA] : []),
        `  saved  ${JSON.stringify(first.left)}`,
        `  again  ${JSON.stringify(first.right)}`,
      ]
        .map(printable)
        .join('\n'),
    );
  }
  return identical ? EXIT.ok : EXIT.checkFailed;
}
