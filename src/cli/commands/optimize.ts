import { resolve } from 'node:path';
import { addHoldoutEvent, demandUnsealed, readHoldouts } from '../../backtest/holdouts.js';
import { type RunRecipe, saveRun } from '../../backtest/registry.js';
import { reportHtml } from '../../backtest/report/report.js';
import { gridSampler } from '../../backtest/search/grid.js';
import { type ObjectiveName, pickObjective } from '../../backtest/search/objective.js';
import { type Entry, optimize as choose } from '../../backtest/search/optimize.js';
import type { Sampler } from '../../backtest/search/sampler.js';
import { searchLuck } from '../../backtest/search/luck-of-search.js';
import { sobolSampler } from '../../backtest/search/sobol.js';
import { type Space, spaceOf, type Texts } from '../../backtest/search/space.js';
import { foldsOf, type Stretch, wholeDays, withHoldout } from '../../backtest/search/stretches.js';
import { tpeSampler } from '../../backtest/search/tpe.js';
import { TrialCounter } from '../../backtest/search/trial-counter.js';
import { addTrial, readTrials, trialOf, trialVerdict } from '../../backtest/trials.js';
import { counted } from '../../model/counted.js';
import { StrategyError, UsageError } from '../../model/errors.js';
import { parallelThreads } from '../../platform/process.js';
import { openRecording, type Recording } from '../../storage/recording.js';
import type { FillModelName } from '../../venue/tape/fill-model.js';
import { type FinishedRun, finishRun, RUNS_FOLDER, setLimits } from '../compose/backtest-run.js';
import { capitalOf } from '../compose/capital.js';
import { dataPaths } from '../compose/data-paths.js';
import { sayOpened } from '../compose/holdout-gate.js';
import { limitsOf } from '../compose/limits.js';
import {
  checkOutputFile,
  demandDifferentFiles,
  demandUnreadFiles,
  type Output,
} from '../compose/output-file.js';
import { recordedStretch } from '../compose/recorded-stretch.js';
import { readSettings } from '../compose/settings.js';
import { loadConfiguredStrategy, loadStrategy, type LoadedStrategy } from '../compose/strategy.js';
import { trialsCsv } from '../compose/trials-csv.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { SearchWatch } from '../optimize/search-watch.js';
import { SlowTrials } from '../optimize/slow-trials.js';
import { TrialThreads } from '../optimize/trial-threads.js';
import { type OpenSeal, type SealPlan, underSeal } from '../optimize/under-seal.js';
import type { AssetAmount, Settings as ParamSettings } from '../option-values.js';
import { momentText, parseStretch } from '../view/moment.js';
import { type HoldoutFacts, optimizeJson, type OptimizeFacts, optimizeText } from '../view/optimize-view.js';
import { printJson, printText, say } from '../view/output.js';
import { unreadWarning } from '../view/unread-text.js';

export type Method = 'grid' | 'sobol' | 'tpe';

export interface OptimizeCommandOptions {
  readonly data?: readonly string[] | undefined;
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly space?: ParamSettings | undefined;
  readonly set?: ParamSettings | undefined;
  readonly method?: Method | undefined;
  readonly budget: number;
  readonly objective?: ObjectiveName | undefined;
  readonly walkForward: number;
  /** A fraction. */
  readonly holdout?: number | undefined;
  readonly keepSealed?: true | undefined;
  readonly workers?: number | undefined;
  readonly fill: FillModelName;
  readonly latency?: number | undefined;
  readonly jitter?: number | undefined;
  readonly slippage?: number | undefined;
  readonly capital?: readonly AssetAmount[] | undefined;
  readonly seed: number;
  readonly trials?: string | undefined;
  readonly report?: string | undefined;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

/** Everything that the search runs on. */
interface Ground {
  readonly machine: Machine;
  readonly strategy: LoadedStrategy;
  readonly fixed: Texts;
  readonly paths: readonly string[];
  readonly pair: string;
  /** As asked for: whatever is recorded where no bound was given. */
  readonly asked: { readonly from: number | undefined; readonly to: number | undefined };
  readonly whole: Stretch;
  readonly options: RunRecipe['options'];
}

/** Searches parameters; every trial is counted, and the best is kept as a run like any other. */
export async function optimize(name: string, options: OptimizeCommandOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const { files } = machine;
  if (options.keepSealed === true && options.holdout === undefined) {
    throw new UsageError('TICKWRIGHT_E_USAGE', '--keep-sealed must be with --holdout, received it alone');
  }
  for (const [flag, path] of outputs(options)) await checkOutputFile(files, flag, path);
  await demandDifferentFiles(outputs(options));
  const ground = await groundOf(machine, name, options);
  const { strategy, pair, whole } = ground;
  const { name: title, params } = strategy.definition;
  const space = spaceOf(title, params, options.space ?? {});
  const holdouts = await readHoldouts(files, RUNS_FOLDER);
  const { search, holdout } =
    options.holdout === undefined
      ? { search: whole, holdout: undefined }
      : withHoldout(whole, options.holdout);
  demandUnsealed(holdouts, pair, search, momentText);
  const folds = options.walkForward === 0 ? [] : foldsOf(search, options.walkForward);
  const method = methodOf(space, options);
  const objective = pickObjective(
    options.objective,
    Math.min(...[search, ...folds.map(({ inside }) => inside)].map(wholeDays)),
  );
  await say(
    `${title}: ${method} over ${space.size === undefined ? 'any number of points' : counted(space.size, 'point')}, at most ${counted(options.budget, 'trial')}, for the highest ${objective}`,
  );
  await sayOpened(holdouts, pair, search);
  const plan: SealPlan | undefined =
    holdout === undefined
      ? undefined
      : {
          pair,
          strategy: title,
          holdout,
          holdouts,
          keepSealed: options.keepSealed === true,
        };
  await (plan === undefined ? chooseAndTell() : underSeal(machine, plan, chooseAndTell));
  return EXIT.ok;

  async function chooseAndTell(open?: OpenSeal): Promise<void> {
    await addHoldoutEvent(files, RUNS_FOLDER, {
      event: 'seen',
      pair,
      ...search,
      strategy: title,
      runId: null,
    });
    const counter = await TrialCounter.open(files, RUNS_FOLDER);
    const slow = new SlowTrials({ ...machine, say: (line) => sayAbove(machine, line) });
    const threads = threadsOf(ground, options, slow);
    const watch = new SearchWatch(machine, { objective, budget: options.budget, folds: folds.length });
    try {
      const found = await choose({
        space,
        samplerOf: (part) => samplerOf(method, space, `${options.seed}/${part}`),
        budget: options.budget,
        objective,
        stretch: search,
        folds,
        attempt: async (texts, stretch) => {
          const end = await threads.run(texts, boundsOf(ground, stretch));
          watch.tried(texts, end);
          // What is counted cannot be uncounted: a search that is broken off has looked all the same.
          if (end.kind === 'done') await counter.add(trialOf(end.outcome.judged));
          return end;
        },
        onSearch: (fold) => watch.begin(fold),
      });
      const { runsPerSecond } = watch;
      const best = found.ranking[0] as Entry;
      const run = await runOf(ground, best, search);
      const folder = await saveRun(files, RUNS_FOLDER, run);
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
        searched: await searchedBy(ground, run, search),
        run,
        folder,
        luck: searchLuck(found.ranking.map(({ outcome }) => outcome)),
        trials: trialVerdict(best.outcome.judged, await readTrials(files, RUNS_FOLDER)),
        holdout: plan === undefined ? undefined : await lookAt(ground, best, plan, open),
        runsPerSecond,
      };
      machine.area?.show([]);
      const unwritten = await writeFiles(machine, facts, options);
      await print(facts, unwritten === undefined ? options : { json: options.json });
      if (unwritten !== undefined) throw unwritten.error;
    } finally {
      slow.stop();
      await threads.end();
    }
  }
}

async function groundOf(machine: Machine, name: string, options: OptimizeCommandOptions): Promise<Ground> {
  const settings = await readSettings(machine, options.config);
  const fixed = options.set ?? {};
  const twice = Object.keys(options.space ?? {}).find((each) => Object.hasOwn(fixed, each));
  if (twice !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_SPACE',
      `a parameter must be chosen (--space) or stay as it is (--set), received both for ${twice}`,
    );
  }
  const { strategy, configured } = await loadConfiguredStrategy(machine, settings, name, options);
  const data = await dataPaths(machine, settings, options.data);
  await demandUnreadFiles(outputs(options), { settings, strategies: [strategy], data: data.paths });
  const asked = parseStretch(options);
  const recording = await openRecording(machine.files, data.paths, {
    pair: options.pair ?? configured?.pair,
    ...asked,
    onRest: (file, rest) => void say(unreadWarning(file, rest)),
  });
  const { pair, market } = recording;
  await say(`data: ${data.paths.join(', ')} (${data.origin}), ${pair}, market ${recording.marketSource}`);
  return {
    machine,
    strategy,
    fixed: { ...configured?.params, ...fixed },
    paths: data.paths,
    pair,
    asked,
    whole: await recordedStretch(recording, data.paths),
    options: {
      capital: capitalOf(market, options.capital),
      fill: options.fill,
      latencyMs: options.latency ?? null,
      jitterMs: options.jitter ?? null,
      slippageTicks: options.slippage ?? null,
      poll: null,
      seed: options.seed,
      limits: setLimits(limitsOf(market, settings)),
    },
  };
}

/** The files that were asked for, each with its flag. */
function outputs({ trials, report }: OptimizeCommandOptions): readonly Output[] {
  return Object.entries({ '--trials': trials, '--report': report }).flatMap(([flag, path]): Output[] =>
    path === undefined ? [] : [[flag, path]],
  );
}

/** A grid where it is small enough to be tried as a whole. @throws UsageError for a grid that is asked for and is not */
function methodOf({ size, dimensions }: Space, { method, budget }: OptimizeCommandOptions): Method {
  if (method !== 'grid') return method ?? (size !== undefined && size <= budget ? 'grid' : 'tpe');
  const free = dimensions.find(({ levels }) => levels === undefined);
  if (free !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_SPACE',
      `--method grid must have a step in each range, received none for ${free.name}`,
    );
  }
  if (size === undefined || size <= budget) return method;
  throw new UsageError(
    'TICKWRIGHT_E_SPACE',
    `--method grid must have at most as many points as --budget, received ${size} and ${budget}: ` +
      `give a larger --budget, larger steps, or --method sobol or tpe`,
  );
}

function samplerOf(method: Method, { dimensions }: Space, seed: string): Sampler {
  if (method === 'grid') return gridSampler(dimensions);
  return method === 'sobol' ? sobolSampler(dimensions, seed) : tpeSampler(dimensions, seed);
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
      pair: ground.pair,
      options: ground.options,
      fixed: ground.fixed,
      environment,
    },
    { threads: options.workers ?? parallelThreads(), slow },
  );
}

/** A line that stays, above what is replaced where there is a terminal. */
function sayAbove({ area }: Machine, line: string): void {
  if (area === undefined) void say(line);
  else area.print(line);
}

/** As it was asked for where that is the same: equal runs have equal ids. */
function boundsOf({ asked, whole }: Ground, { from, to }: Stretch): Ground['asked'] {
  return { from: from === whole.from ? asked.from : from, to: to === whole.to ? asked.to : to };
}

/**
 * The chosen parameters in the main thread, by all fill models where the search was by the middle one.
 *
 * @throws StrategyError where the strategy decides otherwise than in the search
 */
async function runOf(ground: Ground, { texts, outcome }: Entry, stretch: Stretch): Promise<FinishedRun> {
  const run = await runAlone(ground, texts, stretch);
  // Of the model that the trials were by: the only one, or the one in the middle.
  const again = run.result.decisionHash;
  if (again === outcome.decisionHash) return run;
  throw new StrategyError(
    'TICKWRIGHT_E_SEARCH',
    `${ground.strategy.definition.name} must decide the same whenever it runs, received another decision hash alone than among the ` +
      `trials (${again.slice(0, 16)}, ${outcome.decisionHash.slice(0, 16)}): it keeps something outside of create`,
  );
}

async function runAlone(ground: Ground, texts: Texts, stretch: Stretch): Promise<FinishedRun> {
  const { machine, paths, pair, options } = ground;
  const bounds = boundsOf(ground, stretch);
  const recording: Recording = await openRecording(machine.files, paths, { pair, ...bounds });
  const strategy = await loadStrategy(machine, ground.strategy.file, { ...ground.fixed, ...texts });
  const fill = options.fill === 'queue' ? 'all' : options.fill;
  return finishRun(machine, { strategy, recording, paths, ...bounds, options: { ...options, fill } });
}

/** First and last print of the stretch that a run was over; one that was ruined did not see the last. */
async function searchedBy(
  ground: Ground,
  { result }: FinishedRun,
  stretch: Stretch,
): Promise<OptimizeFacts['searched']> {
  if (result.ruinedAt === undefined) return { from: result.from, to: result.to };
  const { machine, paths, pair } = ground;
  const recording = await openRecording(machine.files, paths, { pair, ...boundsOf(ground, stretch) });
  const { from, to } = await recordedStretch(recording, paths);
  return { from, to: to - 1 };
}

/** The best on what nobody looked at; written down before anybody sees what it came to. Without `open` nobody looks. */
async function lookAt(
  ground: Ground,
  best: Entry,
  { holdout, holdouts }: SealPlan,
  open: OpenSeal | undefined,
): Promise<HoldoutFacts> {
  const { files } = ground.machine;
  const before = holdouts.seenBy(ground.pair, holdout);
  if (open === undefined) return { stretch: holdout, before, run: undefined };
  const run = await runAlone(ground, best.texts, holdout);
  const { runId } = run.result;
  await open(runId);
  await addTrial(files, RUNS_FOLDER, trialOf(run.result));
  await saveRun(files, RUNS_FOLDER, run);
  return { stretch: holdout, before: before.filter((event) => event.runId !== runId), run };
}

/** What cannot be written is no reason to lose the result: the error is given back. */
async function writeFiles(
  { files }: Machine,
  { found, run, trials: verdict }: OptimizeFacts,
  { trials, report }: OptimizeCommandOptions,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    if (trials !== undefined) await files.writeAtomic(resolve(trials), trialsCsv(found.ranking));
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
