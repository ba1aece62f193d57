import { resolve } from 'node:path';
import {
  addHoldoutEvent,
  demandOwnSeal,
  demandUnsealed,
  type Holdouts,
  readHoldouts,
} from '../../backtest/holdouts.js';
import { reportHtml } from '../../backtest/report/report.js';
import { searchLuck } from '../../backtest/search/luck-of-search.js';
import { type ObjectiveName, pickObjective } from '../../backtest/search/objective.js';
import { type Entry, optimize as choose } from '../../backtest/search/optimize.js';
import { type Space, spaceOf } from '../../backtest/search/space.js';
import { type Fold, foldsOf, type Stretch, withHoldout } from '../../backtest/search/stretches.js';
import { TrialCounter } from '../../backtest/search/trial-counter.js';
import { readTrials, trialOf, trialVerdict } from '../../backtest/trials.js';
import { counted } from '../../model/counted.js';
import { UsageError } from '../../model/errors.js';
import { parallelThreads } from '../../platform/process.js';
import { RUNS_FOLDER } from '../backtest/backtest-run.js';
import { openSeals, sayOpened } from '../backtest/holdout-gate.js';
import { keepRun } from '../backtest/keep-run.js';
import { checkOutputFile, demandDifferentFiles } from '../output/output-file.js';
import { trialsCsv } from '../output/trials-csv.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { reasonText } from '../report-error.js';
import { type Machine, thisMachine } from '../machine.js';
import { lookAt, runOf, searchedBy } from '../optimize/best-run.js';
import { type Ground, groundOf, queryOf } from '../optimize/ground.js';
import { methodOf, samplerOf } from '../optimize/method.js';
import { resultOf } from '../optimize/result-of-trial.js';
import { type Method, type OptimizeCommandOptions, outputs } from '../optimize/options.js';
import { SearchWatch } from '../optimize/search-watch.js';
import { SlowTrials } from '../optimize/slow-trials.js';
import { TrialThreads } from '../optimize/trial-threads.js';
import { type OpenSeal, type SealPlan, underSeal } from '../optimize/under-seal.js';
import { momentText } from '../view/moment.js';
import { optimizeJson, type OptimizeFacts, optimizeText } from '../view/optimize-view.js';
import { printJson, printText, say } from '../view/output.js';
import { unheardWarnings } from '../view/unheard-warnings.js';

/** A search as it was asked for, before its first trial. */
interface Search {
  readonly ground: Ground;
  readonly options: OptimizeCommandOptions;
  readonly space: Space;
  readonly method: Method;
  readonly objective: ObjectiveName;
  /** The part of the recording that trials may see: all of it but the holdout. */
  readonly stretch: Stretch;
  readonly folds: readonly Fold[];
  readonly holdouts: Holdouts;
  /** The holdout; `undefined` without one. */
  readonly seal: SealPlan | undefined;
}

/** Searches parameters. Every trial is counted, and the best one is saved as a run. */
export async function optimize(name: string, options: OptimizeCommandOptions): Promise<ExitCode> {
  const machine = thisMachine();
  if (options.keepSealed === true && options.holdout === undefined) {
    throw new UsageError('TICKWRIGHT_E_USAGE', '--keep-sealed must be with --holdout, received it alone');
  }
  for (const [flag, path] of outputs(options)) await checkOutputFile(machine.files, flag, path);
  await demandDifferentFiles(outputs(options));
  const search = await searchOf(await groundOf(machine, name, options), options);
  const { ground, space, method, objective, stretch, holdouts, seal } = search;
  const points = space.size === undefined ? 'any number of points' : counted(space.size, 'point');
  await say(
    `${ground.strategy.definition.name}: ${method} over ${points}, at most ${counted(options.budget, 'trial')}, for the highest ${objective}`,
  );
  await sayOpened(holdouts, ground.pair, stretch);
  const begin = (open?: OpenSeal) => chooseAndTell(search, open);
  await (seal === undefined ? begin() : underSeal(machine, seal, begin));
  return EXIT.ok;
}

/** @throws UsageError when a search or its holdout would look at what is sealed */
async function searchOf(ground: Ground, options: OptimizeCommandOptions): Promise<Search> {
  const { machine, strategy, pair, whole, days } = ground;
  const { name: title, params } = strategy.definition;
  const space = spaceOf(title, params, options.space ?? {});
  const holdouts = await readHoldouts(machine.files, RUNS_FOLDER);
  const { search: stretch, holdout } =
    options.holdout === undefined
      ? { search: whole, holdout: undefined }
      : withHoldout(whole, options.holdout);
  const keepSealed = options.keepSealed === true;
  if (options.openHoldout !== true) {
    demandUnsealed(holdouts, pair, stretch, momentText);
    if (holdout !== undefined && !keepSealed) {
      demandOwnSeal(holdouts, { pair, strategy: title, ...holdout }, momentText);
    }
  }
  const folds = options.walkForward === 0 ? [] : foldsOf(stretch, options.walkForward);
  const method = methodOf(space, options);
  const fewestDays = Math.min(
    ...[stretch, ...folds.map(({ inside }) => inside)].map((part) => days.within(part)),
  );
  const objective = pickObjective(options.objective, fewestDays);
  const seal = holdout && { pair, strategy: title, holdout, holdouts, keepSealed };
  return { ground, options, space, method, objective, stretch, folds, holdouts, seal };
}

/** Runs the trials, saves the best as a run, and prints what was found. */
async function chooseAndTell(search: Search, open: OpenSeal | undefined): Promise<void> {
  const { ground, options, space, method, objective, stretch, folds, holdouts, seal } = search;
  const { machine, pair } = ground;
  const { files } = machine;
  const { name: title } = ground.strategy.definition;
  await openSeals(files, holdouts.sealedIn(pair, stretch), { strategy: title, runId: null });
  const seen = { event: 'seen', pair, ...stretch, strategy: title, runId: null } as const;
  await addHoldoutEvent(files, RUNS_FOLDER, seen);
  const counter = await TrialCounter.open(files, RUNS_FOLDER);
  const slow = new SlowTrials({ ...machine, say: (line) => sayAbove(machine, line) });
  const threads = threadsOf(ground, options, slow);
  const watch = new SearchWatch(machine, { objective, budget: options.budget, folds: folds.length });
  let isTold = false;
  /** A full disk must not cost hours of trials. Each further trial tries to write those before it as well. */
  const notCounted = (error: unknown) => {
    if (!isTold) sayAbove(machine, `warning: trials cannot be counted: ${reasonText(error)}`);
    isTold = true;
  };
  try {
    const found = await choose({
      space,
      samplerOf: (part) => samplerOf(method, space, `${options.seed}/${part}`),
      budget: options.budget,
      objective,
      stretch,
      folds,
      attempt: async (texts, within) => {
        const end = resultOf(await threads.run(texts, queryOf(ground, within)), pair, within);
        watch.tried(texts, end);
        // Counted at once, because an interrupted search has looked at the data as well.
        if (end.kind === 'done') await counter.add(trialOf(end.outcome.judged)).catch(notCounted);
        return end;
      },
      onSearch: (fold) => watch.begin(fold),
    });
    const { runsPerSecond } = watch;
    const best = found.ranking[0] as Entry;
    const onceMore = () => threads.run(best.texts, queryOf(ground, stretch));
    const run = await runOf(ground, best, { stretch, onceMore });
    const folder = await keepRun(files, run);
    const facts: OptimizeFacts = {
      strategy: title,
      fixed: ground.fixed,
      pair,
      space: options.space ?? {},
      size: space.size,
      method,
      objective,
      fill: run.result.headline,
      budget: options.budget,
      seed: options.seed,
      found,
      searched: await searchedBy(ground, run, stretch),
      run,
      folder,
      luck: searchLuck(found.ranking.map(({ outcome }) => outcome)),
      trials: trialVerdict(best.outcome.judged, [
        ...(await readTrials(files, RUNS_FOLDER)),
        ...counter.uncounted,
      ]),
      holdout: seal && (await lookAt(ground, best, seal, open)),
      runsPerSecond,
    };
    machine.area?.show([]);
    if (counter.uncounted.length > 0) {
      const were = counter.uncounted.length === 1 ? 'was' : 'were';
      await say(`warning: ${counted(counter.uncounted.length, 'trial')} ${were} not counted`);
    }
    const { engine } = run.headline.session.core;
    for (const warning of unheardWarnings(title, { pair, kind: run.result.data.kind }, engine))
      await say(warning);
    const unwritten = await writeFiles(machine, facts, options);
    await print(facts, unwritten === undefined ? options : { json: options.json });
    if (unwritten !== undefined) throw unwritten.error;
    // The look at the holdout failed as any run does, but only now, when nothing that was found can be lost.
    if (facts.holdout?.failed !== undefined) throw facts.holdout.failed.error;
  } finally {
    slow.stop();
    await threads.end();
  }
}

function threadsOf(
  { machine, strategy, ...ground }: Ground,
  options: OptimizeCommandOptions,
  slow: SlowTrials,
): TrialThreads {
  const { environment } = machine;
  return new TrialThreads(
    {
      file: resolve(strategy.file),
      sha256: strategy.sha256,
      paths: ground.paths,
      options: ground.options,
      fixed: ground.fixed,
      environment,
    },
    { threads: options.workers ?? parallelThreads(), slow },
  );
}

/** Prints a line that stays, above the area that a terminal redraws. */
function sayAbove({ area }: Machine, line: string): void {
  if (area === undefined) void say(line);
  else area.print(line);
}

/** Writes the requested files. Returns an error instead of throwing it, so that the result is not lost. */
async function writeFiles(
  { files }: Machine,
  { found, run, trials: verdict }: OptimizeFacts,
  { trials, report }: OptimizeCommandOptions,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    if (trials !== undefined) await files.writeAtomic(resolve(trials), trialsCsv(found));
    if (report !== undefined) {
      await files.writeAtomic(resolve(report), reportHtml(run.result, run.series, verdict));
    }
    return undefined;
  } catch (error) {
    return { error };
  }
}

async function print(
  facts: OptimizeFacts,
  { json, trials, report }: Pick<OptimizeCommandOptions, 'json' | 'trials' | 'report'>,
): Promise<void> {
  if (json === true) await printJson(optimizeJson(facts));
  else await printText(optimizeText(facts, { trials, report }));
}
