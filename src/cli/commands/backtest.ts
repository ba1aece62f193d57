import { parse, resolve } from 'node:path';
import { type FailIf, parseFailIf, resultLookup } from '../../backtest/fail-if.js';
import { reportHtml } from '../../backtest/report/report.js';
import { headlineIdOf } from '../../backtest/result.js';
import type { TrialVerdict } from '../../backtest/trials.js';
import { parseDuration } from '../../model/duration.js';
import { UsageError } from '../../model/errors.js';
import type { Fill } from '../../model/fill.js';
import type { BacktestOptions } from '../backtest/backtest-options.js';
import { type BacktestPass, type FailedRun, runPass } from '../backtest/backtest-pass.js';
import type { FinishedRun } from '../backtest/backtest-run.js';
import { countTrials } from '../backtest/count-trial.js';
import { type DataPaths, dataPaths } from '../backtest/data-paths.js';
import { checkFailIfKeys } from '../backtest/fail-if-keys.js';
import { fillsCsv } from '../output/fills-csv.js';
import { holdoutGate } from '../backtest/holdout-gate.js';
import { keepRun } from '../backtest/keep-run.js';
import {
  checkOutputFile,
  demandDifferentFiles,
  demandUnreadFiles,
  type Output,
} from '../output/output-file.js';
import { recipeOptions } from '../backtest/recipe-options.js';
import { readSettings, type Settings } from '../settings/settings.js';
import { loadConfiguredStrategy, type LoadedStrategy } from '../strategy/strategy.js';
import { tripsCsv } from '../output/trips-csv.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { describeError } from '../report-error.js';
import { backtestAccount } from './backtest-account.js';
import { DAY_MS, dayName } from '../../storage/rows/day.js';
import { findRecording, openRecording, type RecordingQuery } from '../../storage/recording/recording.js';
import { backtestText } from '../view/backtest-view.js';
import { backtestsText } from '../view/backtests-view.js';
import { parseStretch } from '../view/moment.js';
import { printJson, printText, say } from '../view/output.js';
import { unheardWarnings } from '../view/unheard-warnings.js';
import { unreadWarning } from '../view/unread-text.js';

/** One of the strategies that run over the same trades. */
interface Entrant {
  readonly strategy: LoadedStrategy;
  /** The pair by command line or configuration; `undefined`: the only recorded pair. */
  readonly pair: string | undefined;
}

/**
 * Several strategies each get an account of their own, and those of one pair share a pass over its trades. If one
 * fails, the results of the others are kept and printed, before the failure is reported.
 */
export async function backtest(given: readonly string[], options: BacktestOptions): Promise<ExitCode> {
  const failIf = options.failIf === undefined ? undefined : parseFailIf(options.failIf);
  const machine = thisMachine();
  const configured = given.length === 0 ? await readSettings(machine, options.config) : undefined;
  if (configured !== undefined && configured.strategies.length > 1) {
    return backtestAccount(machine, configured, options, failIf);
  }
  const names = configured === undefined ? given : [onlyOf(configured)];
  checkNames(names, options);
  for (const [flag, path] of outputs(options)) await checkOutputFile(machine.files, flag, path);
  await demandDifferentFiles(outputs(options));
  const settings = configured ?? (await readSettings(machine, options.config));
  const entrants: Entrant[] = [];
  for (const name of names) {
    const { strategy, configured } = await loadConfiguredStrategy(machine, settings, name, options);
    entrants.push({ strategy, pair: options.pair ?? configured?.pair });
  }
  const data = await dataPaths(machine, settings, options.data);
  await demandUnreadFiles(outputs(options), {
    settings,
    strategies: entrants.map(({ strategy }) => strategy),
    data: data.paths,
    session: sessionOf(options),
  });
  const fills: Fill[] = [];
  const onFill = options.trades === undefined ? undefined : (fill: Fill) => void fills.push(fill);
  const passes: BacktestPass[] = [];
  for (const pair of new Set(entrants.map((entrant) => entrant.pair))) {
    const strategies = entrants.filter((entrant) => entrant.pair === pair).map(({ strategy }) => strategy);
    passes.push(await openPass(machine, settings, { pair, strategies, data, options, onFill }));
  }
  for (const pass of passes) {
    if (failIf !== undefined) await checkFailIfKeys(failIf, pass.recording, pass.options);
  }
  const gate = await holdoutGate(machine, passes, { isOpening: options.openHoldout === true });
  const runs: FinishedRun[] = [];
  const failed: FailedRun[] = [];
  for (const pass of passes) {
    const end = await runPass(machine, { ...pass, recording: gate.open(pass) });
    runs.push(...end.runs);
    failed.push(...end.failed);
  }
  machine.area?.show([]);
  for (const { result, headline } of runs) {
    await gate.tell(result);
    const { strategy, pair, data } = result;
    const { engine } = headline.session.core;
    for (const warning of unheardWarnings(strategy, { pair, kind: data.kind }, engine)) await say(warning);
  }
  const [failure] = failed;
  if (names.length === 1 && failure !== undefined) throw failure.error;
  const kept = await keep(machine, runs, options.save !== false);
  const unwritten = await writeFiles(machine, kept[0], fills, options);
  await print({ kept, failed }, unwritten === undefined ? options : { ...options, report: undefined });
  if (unwritten !== undefined) throw unwritten.error;
  const verdict = failIf === undefined ? EXIT.ok : await judge(failIf, kept, names.length);
  return failure === undefined ? verdict : await tellFailures(failed, failure);
}

/** The only strategy of a configuration. */
function onlyOf({ strategies: [only], file }: Settings): string {
  if (only !== undefined) return only.file;
  throw new UsageError(
    'TICKWRIGHT_E_USAGE',
    `a strategy must be named, or be in the configuration, received neither ` +
      `(${file === undefined ? 'there is no configuration' : `${file} has none`})`,
  );
}

/** Checks the strategy names. Output files describe one run, so several strategies cannot have any. */
function checkNames(names: readonly string[], options: BacktestOptions): void {
  if (names.length === 1) return;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_USAGE',
      `a strategy must be named once (--set is for all of them), received ${twice} twice`,
    );
  }
  for (const [flag] of outputs(options)) {
    throw new UsageError(
      'TICKWRIGHT_E_USAGE',
      `${flag} must be with one strategy, received ${names.length} (${names.join(', ')})`,
    );
  }
}

/** The requested output files, each with its flag. */
function outputs({ trades, roundTrips, report }: BacktestOptions): readonly Output[] {
  return Object.entries({ '--trades': trades, '--round-trips': roundTrips, '--report': report }).flatMap(
    ([flag, path]): Output[] => (path === undefined ? [] : [[flag, path]]),
  );
}

/** The recorded session whose poll times are to be used; `undefined` without one. */
function sessionOf({ poll }: BacktestOptions): string | undefined {
  return poll === undefined || poll === '0' || parseDuration(poll) !== undefined ? undefined : poll;
}

interface Together {
  readonly pair: string | undefined;
  readonly strategies: readonly LoadedStrategy[];
  readonly data: DataPaths;
  readonly options: BacktestOptions;
  readonly onFill: BacktestPass['onFill'] | undefined;
}

async function openPass(
  machine: Machine,
  settings: Settings,
  { pair, strategies, data, options, onFill }: Together,
): Promise<BacktestPass> {
  const { from, to } = parseStretch(options);
  const onRest: RecordingQuery['onRest'] = (file, rest) => void say(unreadWarning(file, rest));
  const recording = await openRecording(machine.files, data.paths, { pair, from, to, onRest });
  if (recording.days.length === 0)
    await demandDays(machine.files, data.paths, recording.pair, { options, from, to });
  const { market } = recording;
  await say(
    `data: ${data.paths.join(', ')} (${data.origin}), ${recording.pair}, market ${recording.marketSource}`,
  );
  return {
    recording,
    paths: data.paths,
    strategies,
    from,
    to,
    options: recipeOptions(market, settings, options),
    ...(onFill === undefined ? {} : { onFill }),
    allRoundTrips: options.roundTrips !== undefined,
  };
}

/** @throws UsageError when no day of the recording lies in the requested stretch */
async function demandDays(
  files: Machine['files'],
  paths: readonly string[],
  pair: string,
  {
    options,
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
  }: {
    readonly options: Together['options'];
    readonly from: number | undefined;
    readonly to: number | undefined;
  },
): Promise<void> {
  const { days } = await findRecording(files, paths, pair);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return;
  const stretch = [
    ...(options.from === undefined ? [] : [`--from ${options.from}`]),
    ...(options.to === undefined ? [] : [`--to ${options.to}`]),
  ];
  const before = days.findLast(({ day }) => (day + 1) * DAY_MS <= from);
  const after = days.find(({ day }) => day * DAY_MS >= to);
  if (before !== undefined && after !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_RECORDING',
      `--from and --to must reach into a day that is recorded of ${pair}, received ${stretch.join(' ')}, between ` +
        `${dayName(before.day)} and ${dayName(after.day)} UTC, the nearest that are (${paths.join(', ')})`,
    );
  }
  throw new UsageError(
    'TICKWRIGHT_E_RECORDING',
    `--from and --to must be within what is recorded of ${pair}, ${dayName(first.day)} to ${dayName(last.day)} UTC, ` +
      `received ${stretch.join(' ')} (${paths.join(', ')})`,
  );
}

interface KeptRun {
  readonly run: FinishedRun;
  readonly folder: string | undefined;
  readonly trials: TrialVerdict;
}

/**
 * Writes the requested files, which describe the only run. Returns the first error instead of throwing it, so that
 * neither the other files nor the result are lost.
 */
async function writeFiles(
  { files }: Machine,
  only: KeptRun | undefined,
  fills: readonly Fill[],
  { trades, roundTrips, report }: BacktestOptions,
): Promise<{ readonly error: unknown } | undefined> {
  if (only === undefined) return undefined;
  const { run, trials } = only;
  const { core, watch } = run.headline.session;
  const { market } = core.engine;
  const texts: readonly (readonly [path: string | undefined, make: () => string])[] = [
    [trades, () => fillsCsv(market, fills)],
    [roundTrips, () => tripsCsv(market, watch.roundTrips.done)],
    [report, () => reportHtml(run.result, run.series, trials)],
  ];
  let first: { readonly error: unknown } | undefined;
  for (const [path, make] of texts) {
    try {
      if (path !== undefined) await files.writeAtomic(resolve(path), make());
    } catch (error) {
      first ??= { error };
    }
  }
  return first;
}

interface Ends {
  readonly kept: readonly KeptRun[];
  readonly failed: readonly FailedRun[];
}

async function print({ kept, failed }: Ends, { json, report }: BacktestOptions): Promise<void> {
  const isOne = kept.length + failed.length === 1;
  const [first] = kept;
  if (json === true) {
    await printJson(
      isOne && first !== undefined
        ? first.run.result
        : { schemaVersion: 1, runs: kept.map(({ run }) => run.result), failed: failed.map(failureJson) },
    );
    return;
  }
  if (first === undefined) return;
  if (isOne) {
    const { trials, folder } = first;
    await printText(backtestText(first.run.result, { trials, folder, report }));
    return;
  }
  const named = kept.map(({ run: { recipe, result } }) => ({ name: nameOf(recipe.strategy), result }));
  const without = failed.map(({ strategy }) => nameOf(strategy));
  await printText(backtestsText(named, (kept.at(-1) as KeptRun).trials, without));
}

/** The name of a strategy's file, because two files may contain strategies of the same name. */
function nameOf({ file }: { readonly file: string }): string {
  return parse(file).name;
}

function failureJson({ strategy, pair, error }: FailedRun): object {
  return {
    strategy: strategy.bound.name,
    file: strategy.file,
    pair,
    error: error instanceof Error ? error.message : String(error),
  };
}

/** Reports failures. One that several strategies share, such as an unreadable file, is reported once. */
async function tellFailures(failed: readonly FailedRun[], first: FailedRun): Promise<ExitCode> {
  const told = new Map<string, string[]>();
  for (const { strategy, error } of failed) {
    const { text } = describeError(error);
    told.set(text, [...(told.get(text) ?? []), nameOf(strategy)]);
  }
  for (const [text, names] of told) await say(`${names.join(', ')}: ${text}`);
  return describeError(first.error).exitCode;
}

/** Saves the runs and counts them as trials. A failed write is reported, but the results remain valid. */
async function keep(
  { files }: Machine,
  runs: readonly FinishedRun[],
  isSaved: boolean,
): Promise<readonly KeptRun[]> {
  const folders: (string | undefined)[] = [];
  for (const { recipe, result, series } of runs) {
    folders.push(isSaved ? await keepRun(files, { recipe, result, series }) : undefined);
  }
  const judged = runs.map(({ result }) => ({ ...result, headlineId: headlineIdOf(result) }));
  const verdicts = await countTrials(files, judged);
  return runs.map((run, at) => ({ run, folder: folders[at], trials: verdicts[at] as TrialVerdict }));
}

/** `of`: number of requested strategies. */
async function judge(failIf: FailIf, kept: readonly KeptRun[], of: number): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  for (const { run, trials } of kept) {
    for (const reason of failIf.check(resultLookup(run.result, { ...trials }))) {
      await say(`failed: ${of === 1 ? '' : `${run.result.strategy}: `}${reason}`);
      code = EXIT.checkFailed;
    }
  }
  return code;
}
