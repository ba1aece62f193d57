import { causesFirst, differences } from '../../backtest/difference.js';
import {
  type AccountRecipe,
  documentText,
  findRun,
  type RecordedRun,
  type RunRecipe,
  type SavedRun,
} from '../../backtest/registry.js';
import { counted } from '../../model/counted.js';
import { openRecording, type RecordingQuery } from '../../storage/recording.js';
import { finishAccountRun } from '../compose/account-run.js';
import { finishRun, RUNS_FOLDER } from '../compose/backtest-run.js';
import { loadStrategy } from '../compose/strategy.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { printJson, printText, say } from '../view/output.js';
import { unreadWarning } from '../view/unread-text.js';

export interface VerifyOptions {
  readonly json?: true | undefined;
}

const onRest: RecordingQuery['onRest'] = (file, rest) => void say(unreadWarning(file, rest));

const OTHER_CODE =
  '  the code of the strategy is not what the run was made with: that alone changes what comes of it';

/** Runs a saved run again and compares the bytes of its result. */
export async function verify(name: string, options: VerifyOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const saved = await findRun(machine.files, RUNS_FOLDER, name);
  const { result } = await again(machine, saved);
  const identical = documentText(result) === saved.resultText;
  const found = identical ? [] : causesFirst(differences(saved.result, JSON.parse(documentText(result))));
  const first = found[0];
  if (options.json === true) {
    const at =
      first === undefined ? {} : { firstDifference: first.key, saved: first.left, again: first.right };
    await printJson({ runId: saved.result.runId, identical, ...(identical ? {} : at) });
  } else if (identical) {
    const { orders, fills, decisionHash } = result;
    await printText(
      `${result.runId} reproduced: ${counted(orders, 'order')}, ${counted(fills, 'fill')}, decisions ${decisionHash.slice(0, 16)}, bytes equal`,
    );
  } else if (first === undefined) {
    await printText(
      `${saved.result.runId} not reproduced: equal values in other bytes; the file was written anew`,
    );
  } else {
    await printText(
      [
        `${saved.result.runId} not reproduced: ${found.length} values differ, the first is ${first.key}`,
        ...(first.key === 'strategyHash' ? [OTHER_CODE] : []),
        `  saved  ${JSON.stringify(first.left)}`,
        `  again  ${JSON.stringify(first.right)}`,
      ].join('\n'),
    );
  }
  return identical ? EXIT.ok : EXIT.checkFailed;
}

async function again(machine: Machine, { recipe }: SavedRun): Promise<RecordedRun> {
  return 'strategies' in recipe ? accountAgain(machine, recipe) : oneAgain(machine, recipe);
}

async function oneAgain(machine: Machine, { strategy: code, data, options }: RunRecipe) {
  const strategy = await loadStrategy(machine, code.file, code.params);
  const from = data.from ?? undefined;
  const to = data.to ?? undefined;
  const recording = await openRecording(machine.files, data.paths, { pair: data.pair, from, to, onRest });
  return finishRun(machine, { strategy, recording, paths: data.paths, from, to, options });
}

async function accountAgain(machine: Machine, { strategies, data, options }: AccountRecipe) {
  const from = data.from ?? undefined;
  const to = data.to ?? undefined;
  const parts = [];
  for (const { file, params, pair, limits } of strategies) {
    const strategy = await loadStrategy(machine, file, params);
    const recording = await openRecording(machine.files, data.paths, { pair, from, to, onRest });
    parts.push({ strategy, recording, limits });
  }
  return finishAccountRun(machine, { parts, paths: data.paths, from, to, options });
}
