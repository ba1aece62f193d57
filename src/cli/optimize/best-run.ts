import { readHoldouts } from '../../backtest/holdouts.js';
import { headlineIdOf } from '../../backtest/result.js';
import type { Entry } from '../../backtest/search/optimize.js';
import type { Texts } from '../../backtest/search/space.js';
import type { Stretch } from '../../backtest/search/stretches.js';
import type { TrialEnd } from '../../backtest/search/trial.js';
import { StrategyError } from '../../model/errors.js';
import { openRecording, type Recording } from '../../storage/recording/recording.js';
import { type FinishedRun, finishRun, RUNS_FOLDER } from '../backtest/backtest-run.js';
import { countTrial } from '../backtest/count-trial.js';
import { sayUnwritten } from '../backtest/holdout-gate.js';
import { keepRun } from '../backtest/keep-run.js';
import { recordedStretch } from '../backtest/recorded-stretch.js';
import { loadStrategy } from '../strategy/strategy.js';
import type { HoldoutFacts } from '../view/holdout-view.js';
import type { OptimizeFacts } from '../view/optimize-view.js';
import { boundsOf, type Ground, queryOf } from './ground.js';
import type { OpenSeal, SealPlan } from './under-seal.js';

/**
 * Runs the chosen parameters in the main thread, under all fill models if the search used the middle one. `onceMore`
 * repeats the trial if other trials ran in its thread before. The first trial of a thread decides as if alone, whatever
 * the strategy keeps outside of `create`.
 *
 * @throws StrategyError when the strategy decides otherwise than in the search
 */
export async function runOf(
  ground: Ground,
  { texts, outcome }: Entry,
  { stretch, onceMore }: { readonly stretch: Stretch; readonly onceMore: () => Promise<TrialEnd> },
): Promise<FinishedRun> {
  const [run, end] = await Promise.all([runAlone(ground, texts, stretch), onceMore()]);
  // Compares the fill model of the trials: the only one, or the middle one.
  demandSame('alone', run.result.decisionHash);
  demandSame('once more', end.kind === 'done' ? end.outcome.decisionHash : end.reason);
  return run;

  function demandSame(how: string, again: string): void {
    if (again === outcome.decisionHash) return;
    const shown = /^[0-9a-f]{64}$/.test(again) ? again.slice(0, 16) : again;
    throw new StrategyError(
      'TICKWRIGHT_E_SEARCH',
      `${ground.strategy.definition.name} must decide the same whenever it runs, received another decision hash ${how} than among the ` +
        `trials (${shown}, ${outcome.decisionHash.slice(0, 16)}): it keeps something outside of create`,
    );
  }
}

async function runAlone(ground: Ground, texts: Texts, stretch: Stretch): Promise<FinishedRun> {
  const { machine, paths, options } = ground;
  const bounds = boundsOf(ground, stretch);
  const recording: Recording = await openRecording(machine.files, paths, queryOf(ground, stretch));
  const strategy = await loadStrategy(machine, ground.strategy.file, { ...ground.fixed, ...texts });
  const fill = options.fill === 'queue' ? 'all' : options.fill;
  return finishRun(machine, { strategy, recording, paths, ...bounds, options: { ...options, fill } });
}

/** First and last print of the searched stretch, ms. A run that was ruined did not reach the last one itself. */
export async function searchedBy(
  ground: Ground,
  { result }: FinishedRun,
  stretch: Stretch,
): Promise<OptimizeFacts['searched']> {
  if (result.ruinedAt === undefined) return { from: result.from, to: result.to };
  const { machine, paths } = ground;
  const recording = await openRecording(machine.files, paths, queryOf(ground, stretch));
  const { from, to } = await recordedStretch(recording, paths);
  return { from, to: to - 1 };
}

/**
 * Runs the best parameters on the holdout, after noting this. Without `open` the holdout stays sealed. An error is a part
 * of the facts, because the search must not lose its result with the only look at the holdout.
 */
export async function lookAt(
  ground: Ground,
  best: Entry,
  { holdout }: SealPlan,
  open: OpenSeal | undefined,
): Promise<HoldoutFacts> {
  const { files } = ground.machine;
  let before: HoldoutFacts['before'];
  let state: HoldoutFacts['state'] = open === undefined ? 'sealed' : 'unopened';
  try {
    // Reads the current state, because a search takes hours, in which other runs may have looked.
    const seen = (await readHoldouts(files, RUNS_FOLDER)).seenBy(ground.pair, holdout);
    before = seen;
    if (open === undefined) return { stretch: holdout, before, state };
    await open(null);
    state = 'opened';
    const run = await runAlone(ground, best.texts, holdout);
    const { runId } = run.result;
    // The holdout is opened for good, so a failed write must not cost the result.
    await open(runId).catch((error: unknown) => sayUnwritten(runId, error));
    await countTrial(files, { ...run.result, headlineId: headlineIdOf(run.result) });
    await keepRun(files, run);
    return { stretch: holdout, before: seen.filter((event) => event.runId !== runId), state, run };
  } catch (error) {
    return { stretch: holdout, before, state, failed: { error } };
  }
}
