/** `backtest` without a strategy: runs all strategies of the configuration on one account. */
import { resolve } from 'node:path';
import type { AccountResult } from '../../backtest/account-result.js';
import { type FailIf, resultLookup } from '../../backtest/fail-if.js';
import { onOnePrecision } from '../../backtest/one-precision.js';
import { accountReportHtml } from '../../backtest/report/account-report.js';
import type { SharedAccount } from '../../backtest/shared-account.js';
import type { TrialVerdict } from '../../backtest/trials.js';
import { counted } from '../../model/counted.js';
import { UsageError } from '../../model/errors.js';
import { openRecording, type RecordingQuery } from '../../storage/recording/recording.js';
import { type AccountRequest, type FinishedAccountRun, finishAccountRun } from '../backtest/account-run.js';
import type { BacktestOptions } from '../backtest/backtest-options.js';
import { setLimits } from '../backtest/backtest-run.js';
import { capitalOf } from '../settings/capital.js';
import { dataPaths } from '../backtest/data-paths.js';
import { countTrial } from '../backtest/count-trial.js';
import { checkAccountFailIfKeys } from '../backtest/fail-if-keys.js';
import { holdoutGate, type Looked } from '../backtest/holdout-gate.js';
import { keepRun } from '../backtest/keep-run.js';
import { limitsOf } from '../settings/limits.js';
import { checkOutputFile, demandUnreadFiles } from '../output/output-file.js';
import type { Settings } from '../settings/settings.js';
import { loadEntry, type LoadedStrategy } from '../strategy/strategy.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Machine } from '../machine.js';
import { accountBacktestText } from '../view/account-backtest-view.js';
import { parseStretch } from '../view/moment.js';
import { printJson, printText, say } from '../view/output.js';
import { unheardWarnings } from '../view/unheard-warnings.js';
import { unreadWarning } from '../view/unread-text.js';

const REDRAW_TRADES = 1_000_000;

/** Options that only work for one strategy with an account of its own. */
const OF_ONE = {
  pair: '--pair',
  poll: '--poll',
  trades: '--trades',
  roundTrips: '--round-trips',
} as const;

export async function backtestAccount(
  machine: Machine,
  settings: Settings,
  options: BacktestOptions,
  failIf: FailIf | undefined,
): Promise<ExitCode> {
  checkOptions(settings, options);
  if (options.report !== undefined) await checkOutputFile(machine.files, '--report', options.report);
  const request = await requestOf(machine, settings, options);
  if (failIf !== undefined) await checkAccountFailIfKeys(failIf, request);
  const { parts, from, to } = request;
  const looks = parts.map(({ recording, strategy }) => ({ recording, strategies: [strategy], from, to }));
  const gate = await holdoutGate(machine, looks, { isOpening: options.openHoldout === true });
  const opened = parts.map((part, at) => ({ ...part, recording: gate.open(looks[at] as Looked) }));
  const show = progress(machine);
  let headline: SharedAccount | undefined;
  const onProgress = (trades: number, account: SharedAccount) => {
    headline = account;
    show(trades, account);
  };
  const run = await finishAccountRun(machine, { ...request, parts: opened, onProgress });
  machine.area?.show([]);
  const sessions = headline?.sessions ?? [];
  for (const [at, { strategy, recording }] of parts.entries()) {
    const { runId, from: first, to: last } = run.result;
    const { name } = strategy.bound;
    await gate.tell({ runId, strategy: name, pair: recording.pair, from: first, to: last });
    const engine = sessions[at]?.core.engine;
    const warnings = engine === undefined ? [] : unheardWarnings(name, recording, engine);
    for (const warning of warnings) await say(warning);
  }
  const { folder, trials } = await keep(machine, run, options.save !== false);
  const unwritten = await writeReport(machine, run, trials, options.report);
  const report = unwritten === undefined ? options.report : undefined;
  if (options.json === true) await printJson(run.result);
  else await printText(accountBacktestText(run.result, { trials, folder, report }));
  if (unwritten !== undefined) throw unwritten.error;
  return failIf === undefined ? EXIT.ok : await judge(failIf, run.result, trials);
}

function checkOptions(settings: Settings, options: BacktestOptions): void {
  for (const [name, flag] of Object.entries(OF_ONE)) {
    if (options[name as keyof typeof OF_ONE] === undefined) continue;
    throw new UsageError(
      'TICKWRIGHT_E_USAGE',
      `${flag} must be with one strategy that is named, received the ${settings.strategies.length} of ${settings.file ?? ''} on one account`,
    );
  }
}

async function requestOf(
  machine: Machine,
  settings: Settings,
  options: BacktestOptions,
): Promise<AccountRequest> {
  const { from, to } = parseStretch(options);
  const onRest: RecordingQuery['onRest'] = (file, rest) => void say(unreadWarning(file, rest));
  const data = await dataPaths(machine, settings, options.data);
  const strategies: LoadedStrategy[] = [];
  for (const entry of settings.strategies) {
    strategies.push(await loadEntry(machine, settings, entry, { overrides: options.set }));
  }
  if (options.report !== undefined) {
    await demandUnreadFiles([['--report', options.report]], { settings, strategies, data: data.paths });
  }
  const parts: AccountRequest['parts'][number][] = [];
  for (const [at, strategy] of strategies.entries()) {
    const { pair } = settings.strategies[at] as Settings['strategies'][number];
    const recording = await openRecording(machine.files, data.paths, { pair, from, to, onRest });
    const { market, marketSource } = recording;
    await say(`data: ${data.paths.join(', ')} (${data.origin}), ${pair}, market ${marketSource}`);
    parts.push({ strategy, recording, limits: setLimits(limitsOf(market, settings)) });
  }
  const [first] = parts as [AccountRequest['parts'][number]];
  return {
    parts: onOnePrecision(parts),
    paths: data.paths,
    from,
    to,
    options: {
      capital: capitalOf(first.recording.market, options.capital),
      fill: options.fill,
      latencyMs: options.latency ?? null,
      jitterMs: options.jitter ?? null,
      slippageTicks: options.slippage ?? null,
      seed: options.seed,
    },
  };
}

/** Shows the progress and the account's current equity on a terminal. */
function progress({ area }: Machine) {
  let shown = 0;
  return (trades: number, { watch }: SharedAccount): void => {
    if (area === undefined || trades - shown < REDRAW_TRADES) return;
    shown = trades;
    area.show([`${counted(trades, 'trade')}, equity ${watch.equity.toFixed(2)}`]);
  };
}

/** Saves the run and counts it as a trial. A failed write is reported, but the result remains valid. */
async function keep(
  { files }: Machine,
  run: FinishedAccountRun,
  isSaved: boolean,
): Promise<{ readonly folder: string | undefined; readonly trials: TrialVerdict }> {
  const { result, headlineId } = run;
  const names = Object.values(result.strategies).map(({ strategy }) => strategy);
  const judged = { ...result, headlineId, strategy: names.join(' + ') };
  const folder = isSaved ? await keepRun(files, run) : undefined;
  return { folder, trials: await countTrial(files, judged) };
}

/** Writes the report. Returns an error instead of throwing it, so that the result is not lost. */
async function writeReport(
  { files }: Machine,
  { result, series }: FinishedAccountRun,
  trials: TrialVerdict,
  path: string | undefined,
): Promise<{ readonly error: unknown } | undefined> {
  if (path === undefined) return undefined;
  try {
    await files.writeAtomic(resolve(path), accountReportHtml(result, series, trials));
    return undefined;
  } catch (error) {
    return { error };
  }
}

async function judge(failIf: FailIf, result: AccountResult, trials: TrialVerdict): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  for (const reason of failIf.check(resultLookup(result, { ...trials }))) {
    await say(`failed: ${reason}`);
    code = EXIT.checkFailed;
  }
  return code;
}
