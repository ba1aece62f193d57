import { type Difference, differences } from '../../backtest/difference.js';
import { findRun } from '../../backtest/registry.js';
import { RUNS_FOLDER } from '../backtest/backtest-run.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, printText } from '../view/output.js';
import { table } from '../view/table.js';

export interface CompareOptions {
  readonly json?: true | undefined;
}

/** Two saved runs side by side: where they differ, from what was given to what came of it. */
export async function compare(
  leftName: string,
  rightName: string,
  options: CompareOptions,
): Promise<ExitCode> {
  const { files } = thisMachine();
  const left = await findRun(files, RUNS_FOLDER, leftName);
  const right = await findRun(files, RUNS_FOLDER, rightName);
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
    await printText(`${left.result.runId} and ${right.result.runId} are identical`);
  } else {
    await printText(sideBySide(left.result.runId, right.result.runId, found));
  }
  return EXIT.ok;
}

function sideBySide(left: string, right: string, found: readonly Difference[]): string {
  return table(
    ['', left, right, 'change'],
    found
      // What each fill model says in detail is for programs; its P&L is in the list already.
      .filter(({ key }) => !/(^|\.)models\./.test(key))
      .map((each) => [each.key, shown(each.left), shown(each.right), change(each)]),
    ['left', 'right', 'right', 'right'],
  );
}

const WIDEST = 28;

function shown(value: unknown): string {
  if (value === undefined) return '';
  if (value === null) return 'n/a';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;
}

/** What was added, where both are numbers. */
function change({ key, left, right }: Difference): string {
  const isName = /hash|id$/i.test(key);
  const [a, b] = [left, right].map((value) =>
    isName || value === null || value === '' ? Number.NaN : Number(value),
  );
  if (a === undefined || b === undefined || !Number.isFinite(a) || !Number.isFinite(b)) return '';
  const text = (b - a).toFixed(8).replace(/\.?0+$/, '');
  return b >= a ? `+${text}` : text;
}
