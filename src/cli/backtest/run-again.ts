/** Executes a saved run again, over the data that it saw. */
import type { AccountResult } from '../../backtest/account-result.js';
import type { AccountRecipe, RecordedRun, RunRecipe, SavedRun } from '../../backtest/registry.js';
import type { BacktestResult } from '../../backtest/result.js';
import type { RunData } from '../../backtest/run-data.js';
import type { RecordingQuery } from '../../storage/recording/recording.js';
import type { Machine } from '../machine.js';
import { say } from '../view/output.js';
import { unreadWarning } from '../view/unread-text.js';
import { finishAccountRun } from './account-run.js';
import { finishRun } from './backtest-run.js';
import { openSeen, type Seen } from './seen-recording.js';
import { loadStrategy } from '../strategy/strategy.js';

export interface RunAgain {
  readonly run: RecordedRun;
  /** Whether more was recorded since; the run was then repeated over the part that it saw. */
  readonly hasGrown: boolean;
}

const onRest: RecordingQuery['onRest'] = (file, rest) => void say(unreadWarning(file, rest));

export async function runAgain(machine: Machine, { recipe, result }: SavedRun): Promise<RunAgain> {
  return 'strategies' in recipe
    ? accountAgain(machine, recipe, result as AccountResult)
    : oneAgain(machine, recipe, result as BacktestResult);
}

async function oneAgain(
  machine: Machine,
  { strategy: code, data, options }: RunRecipe,
  result: BacktestResult,
): Promise<RunAgain> {
  const strategy = await loadStrategy(machine, code.file, code.params);
  const { pair, paths, inferred } = data;
  const bounds = boundsOf(data);
  const seen = seenBy(result, data, result.ruinedAt);
  const query = { pair, ...bounds, inferred, onRest };
  const { recording, hasGrown } = await openSeen(machine.files, paths, query, seen);
  const run = await finishRun(machine, { strategy, recording, paths, ...bounds, options });
  return { run, hasGrown };
}

async function accountAgain(
  machine: Machine,
  { strategies, data, options }: AccountRecipe,
  result: AccountResult,
): Promise<RunAgain> {
  const { paths } = data;
  const bounds = boundsOf(data);
  const parts = [];
  let hasGrown = false;
  for (const { file, params, pair, limits, inferred, ...read } of strategies) {
    const strategy = await loadStrategy(machine, file, params);
    const seen = seenBy(result.strategies?.[pair], read, result.ruinedAt);
    const part = await openSeen(machine.files, paths, { pair, ...bounds, inferred, onRest }, seen);
    hasGrown ||= part.hasGrown;
    parts.push({ strategy, recording: part.recording, limits });
  }
  return { run: await finishAccountRun(machine, { parts, paths, ...bounds, options }), hasGrown };
}

/** The requested bounds, ms. */
function boundsOf({ from, to }: Pick<RunRecipe['data'], 'from' | 'to'>) {
  return { from: from ?? undefined, to: to ?? undefined };
}

/** What a run saw of one recording. `part` comes from its result file, which anybody may have changed. */
function seenBy(
  part: (Partial<Pick<BacktestResult, 'from' | 'to'>> & { readonly data?: RunData | null }) | undefined,
  { last, lastFact }: Pick<RunRecipe['data'], 'last' | 'lastFact'>,
  ruinedAt: number | undefined,
): Seen | undefined {
  if (typeof part?.from !== 'number' || typeof part.data !== 'object' || part.data === null) return undefined;
  // Older results do not state how far a run read if its account was ruined before the end.
  const end = last ?? (ruinedAt === undefined ? part.to : undefined);
  return typeof end === 'number' ? { first: part.from, last: end, lastFact, data: part.data } : undefined;
}
