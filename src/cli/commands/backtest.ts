import { join, parse, resolve } from 'node:path';
import { type FailIf, parseFailIf, resultLookup } from '../../backtest/fail-if.js';
import { saveRun } from '../../backtest/registry.js';
import { reportHtml } from '../../backtest/report/report.js';
import { addTrial, readTrials, trialOf, trialVerdict, type TrialVerdict } from '../../backtest/trials.js';
import { InvariantError, UsageError } from '../../model/errors.js';
import type { Fill } from '../../model/fill.js';
import type { FillModelName } from '../../venue/tape/fill-model.js';
import {
  type FinishedRun,
  finishRun,
  RUNS_FOLDER,
  type RunWatcher,
  setLimits,
} from '../compose/backtest-run.js';
import { capitalOf } from '../compose/capital.js';
import { type DataPaths, dataPaths } from '../compose/data-paths.js';
import { fillsCsv } from '../compose/fills-csv.js';
import { limitsOf } from '../compose/limits.js';
import { readSettings, type Settings } from '../compose/settings.js';
import { loadConfiguredStrategy, type LoadedStrategy } from '../compose/strategy.js';
import { tripsCsv } from '../compose/trips-csv.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import type { AssetAmount, Settings as ParamSettings } from '../option-values.js';
import { inOnePass } from '../../storage/one-pass.js';
import { openRecording } from '../../storage/recording.js';
import { backtestText } from '../view/backtest-view.js';
import { backtestsText } from '../view/backtests-view.js';
import { parseMoment } from '../view/moment.js';
import { printJson, printText, say } from '../view/output.js';

export interface BacktestOptions {
  readonly data?: readonly string[] | undefined;
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly set?: ParamSettings | undefined;
  readonly fill: FillModelName | 'all';
  readonly latency?: number | undefined;
  readonly jitter?: number | undefined;
  readonly poll?: string | undefined;
  readonly slippage?: number | undefined;
  readonly capital?: readonly AssetAmount[] | undefined;
  readonly seed: number;
  readonly trades?: string | undefined;
  readonly roundTrips?: string | undefined;
  readonly failIf?: string | undefined;
  readonly report?: string | undefined;
  readonly save?: boolean | undefined;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

const REDRAW_TRADES = 1_000_000;

/** One of the strategies that run over the same trades. */
interface Entrant {
  readonly strategy: LoadedStrategy;
  /** As the command line or the configuration says; `undefined`: the only one recorded. */
  readonly pair: string | undefined;
}

/** With several strategies each has an account of its own, and those of a pair share one pass over its trades. */
export async function backtest(names: readonly string[], options: BacktestOptions): Promise<ExitCode> {
  const failIf = options.failIf === undefined ? undefined : parseFailIf(options.failIf);
  checkNames(names, options);
  const machine = thisMachine();
  const { files } = machine;
  const settings = await readSettings(machine, options.config);
  const entrants: Entrant[] = [];
  for (const name of names) {
    const { strategy, configured } = await loadConfiguredStrategy(machine, settings, name, options.set);
    entrants.push({ strategy, pair: options.pair ?? configured?.pair });
  }
  const data = await dataPaths(machine, settings, options.data);
  const fills: Fill[] = [];
  const watcher = options.trades === undefined ? {} : { onFill: (fill: Fill) => void fills.push(fill) };
  const runs: FinishedRun[] = [];
  for (const pair of new Set(entrants.map((entrant) => entrant.pair))) {
    const strategies = entrants.filter((entrant) => entrant.pair === pair).map(({ strategy }) => strategy);
    runs.push(...(await runTogether(machine, settings, { pair, strategies, data, options, watcher })));
  }
  machine.area?.show([]);
  const [first] = runs;
  if (first === undefined) throw new InvariantError('a backtest must have run, received none');
  const { market } = first.headline.session.core.engine;
  if (options.trades !== undefined) await files.writeAtomic(resolve(options.trades), fillsCsv(market, fills));
  if (options.roundTrips !== undefined) {
    const { done } = first.headline.session.watch.roundTrips;
    await files.writeAtomic(resolve(options.roundTrips), tripsCsv(market, done));
  }
  const kept: KeptRun[] = [];
  for (const run of runs) kept.push({ run, ...(await keep(machine, run, options.save !== false)) });
  if (options.report !== undefined) {
    const { run, trials } = kept[0] as KeptRun;
    await files.writeAtomic(resolve(options.report), reportHtml(run.result, run.series, trials));
  }
  await print(kept, options);
  return failIf === undefined ? EXIT.ok : await judge(failIf, kept);
}

/** What is written to a file is of one run. */
function checkNames(names: readonly string[], options: BacktestOptions): void {
  if (names.length === 1) return;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_USAGE',
      `a strategy must be named once (--set is for all of them), received ${twice} twice`,
    );
  }
  for (const [flag, path] of Object.entries({
    '--trades': options.trades,
    '--round-trips': options.roundTrips,
    '--report': options.report,
  })) {
    if (path === undefined) continue;
    throw new UsageError(
      'TICKWRIGHT_E_USAGE',
      `${flag} must be with one strategy, received ${names.length} (${names.join(', ')})`,
    );
  }
}

interface Together {
  readonly pair: string | undefined;
  readonly strategies: readonly LoadedStrategy[];
  readonly data: DataPaths;
  readonly options: BacktestOptions;
  readonly watcher: Pick<RunWatcher, 'onFill'>;
}

/** Strategies on one pair, in one pass over what was recorded of it. */
async function runTogether(
  machine: Machine,
  settings: Settings,
  { pair, strategies, data, options, watcher }: Together,
): Promise<readonly FinishedRun[]> {
  const from = options.from === undefined ? undefined : parseMoment(options.from, '--from');
  const to = options.to === undefined ? undefined : parseMoment(options.to, '--to');
  const whole = await openRecording(machine.files, data.paths, { pair, from, to });
  const { market } = whole;
  await say(`data: ${data.paths.join(', ')} (${data.origin}), ${whole.pair}, market ${whole.marketSource}`);
  const recipe = {
    capital: capitalOf(market, options.capital),
    fill: options.fill,
    latencyMs: options.latency ?? null,
    jitterMs: options.jitter ?? null,
    slippageTicks: options.slippage ?? null,
    poll: options.poll ?? null,
    seed: options.seed,
    limits: setLimits(limitsOf(market, settings.limits)),
  };
  const readers = inOnePass(whole, strategies.length);
  return Promise.all(
    readers.map(async ({ recording, leave }, at) => {
      const request = { strategy: strategies[at] as LoadedStrategy, recording, paths: data.paths, from, to };
      try {
        return await finishRun(
          machine,
          { ...request, options: recipe },
          at === 0 ? { ...watcher, onProgress: progress(machine, market.quote) } : {},
        );
      } finally {
        leave();
      }
    }),
  );
}

interface KeptRun {
  readonly run: FinishedRun;
  readonly folder: string | undefined;
  readonly trials: TrialVerdict;
}

async function print(kept: readonly KeptRun[], { json, report }: BacktestOptions): Promise<void> {
  const [first, ...others] = kept as readonly [KeptRun, ...KeptRun[]];
  if (json === true) {
    await printJson(
      others.length === 0 ? first.run.result : { schemaVersion: 1, runs: kept.map(({ run }) => run.result) },
    );
  } else if (others.length === 0) {
    const { trials, folder } = first;
    await printText(backtestText(first.run.result, { trials, folder, report }));
  } else {
    const named = kept.map(({ run: { recipe, result } }) => ({
      name: parse(recipe.strategy.file).name,
      result,
    }));
    await printText(backtestsText(named, (kept.at(-1) as KeptRun).trials));
  }
}

/** Writes the run and counts it as a trial; what cannot be written is said, and the result stands all the same. */
async function keep(
  { files }: Machine,
  { recipe, result, series }: FinishedRun,
  isSaved: boolean,
): Promise<{ readonly folder: string | undefined; readonly trials: TrialVerdict }> {
  let folder: string | undefined;
  if (isSaved && (result.trades > 0 || result.bars > 0)) {
    try {
      folder = await saveRun(files, RUNS_FOLDER, { recipe, result, series });
      await addTrial(files, RUNS_FOLDER, trialOf(result));
    } catch (error) {
      await say(`warning: the run was not saved in ${join(RUNS_FOLDER, result.runId)}: ${String(error)}`);
    }
  }
  return { folder, trials: trialVerdict(result, await readTrials(files, RUNS_FOLDER)) };
}

async function judge(failIf: FailIf, kept: readonly KeptRun[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  for (const { run, trials } of kept) {
    for (const reason of failIf.check(resultLookup(run.result, { ...trials }))) {
      const of = kept.length === 1 ? '' : `${run.result.strategy}: `;
      await say(`failed: ${of}${reason}`);
      code = EXIT.checkFailed;
    }
  }
  return code;
}

/** On a terminal: how far it is, and what the account is worth by then. */
function progress({ area }: Machine, quote: string) {
  let shown = 0;
  return (
    trades: number,
    session: { readonly watch: { readonly equity: number; readonly roundTrips: { readonly count: number } } },
  ): void => {
    if (area === undefined || trades - shown < REDRAW_TRADES) return;
    shown = trades;
    const { equity, roundTrips } = session.watch;
    area.show([`${trades} trades, ${roundTrips.count} round trips, equity ${equity.toFixed(2)} ${quote}`]);
  };
}
