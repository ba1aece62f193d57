import { join, resolve } from 'node:path';
import { type FailIf, parseFailIf, resultLookup } from '../../backtest/fail-if.js';
import { saveRun } from '../../backtest/registry.js';
import { reportHtml } from '../../backtest/report/report.js';
import { addTrial, readTrials, trialOf, trialVerdict, type TrialVerdict } from '../../backtest/trials.js';
import type { Fill } from '../../model/fill.js';
import type { FillModelName } from '../../venue/tape/fill-model.js';
import { type FinishedRun, finishRun, RUNS_FOLDER, setLimits } from '../compose/backtest-run.js';
import { capitalOf } from '../compose/capital.js';
import { dataPaths } from '../compose/data-paths.js';
import { fillsCsv } from '../compose/fills-csv.js';
import { limitsOf } from '../compose/limits.js';
import { readSettings } from '../compose/settings.js';
import { loadConfiguredStrategy } from '../compose/strategy.js';
import { tripsCsv } from '../compose/trips-csv.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import type { AssetAmount, Settings as ParamSettings } from '../option-values.js';
import { openRecording } from '../../storage/recording.js';
import { backtestText } from '../view/backtest-view.js';
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

export async function backtest(name: string, options: BacktestOptions): Promise<ExitCode> {
  const failIf = options.failIf === undefined ? undefined : parseFailIf(options.failIf);
  const machine = thisMachine();
  const { files } = machine;
  const settings = await readSettings(machine, options.config);
  const { strategy, configured } = await loadConfiguredStrategy(machine, settings, name, options.set);
  const data = await dataPaths(machine, settings, options.data);
  const from = options.from === undefined ? undefined : parseMoment(options.from, '--from');
  const to = options.to === undefined ? undefined : parseMoment(options.to, '--to');
  const recording = await openRecording(files, data.paths, {
    pair: options.pair ?? configured?.pair,
    from,
    to,
  });
  const { market } = recording;
  await say(
    `data: ${data.paths.join(', ')} (${data.origin}), ${recording.pair}, market ${recording.marketSource}`,
  );
  const fills: Fill[] = [];
  const run = await finishRun(
    machine,
    {
      strategy,
      recording,
      paths: data.paths,
      from,
      to,
      options: {
        capital: capitalOf(market, options.capital),
        fill: options.fill,
        latencyMs: options.latency ?? null,
        jitterMs: options.jitter ?? null,
        slippageTicks: options.slippage ?? null,
        poll: options.poll ?? null,
        seed: options.seed,
        limits: setLimits(limitsOf(market, settings.limits)),
      },
    },
    {
      ...(options.trades === undefined ? {} : { onFill: (fill: Fill) => void fills.push(fill) }),
      onProgress: progress(machine, market.quote),
    },
  );
  machine.area?.show([]);
  if (options.trades !== undefined) await files.writeAtomic(resolve(options.trades), fillsCsv(market, fills));
  if (options.roundTrips !== undefined) {
    const { done } = run.headline.session.watch.roundTrips;
    await files.writeAtomic(resolve(options.roundTrips), tripsCsv(market, done));
  }
  const { folder, trials } = await keep(machine, run, options.save !== false);
  const { result, series } = run;
  if (options.report !== undefined) {
    await files.writeAtomic(resolve(options.report), reportHtml(result, series, trials));
  }
  if (options.json === true) await printJson(result);
  else await printText(backtestText(result, { trials, folder, report: options.report }));
  return failIf === undefined ? EXIT.ok : await judge(failIf, run, trials);
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

async function judge(failIf: FailIf, { result }: FinishedRun, trials: TrialVerdict): Promise<ExitCode> {
  const reasons = failIf.check(resultLookup(result, { ...trials }));
  if (reasons.length === 0) return EXIT.ok;
  for (const reason of reasons) await say(`failed: ${reason}`);
  return EXIT.checkFailed;
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
