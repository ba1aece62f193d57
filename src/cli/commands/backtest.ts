import { resolve } from 'node:path';
import { runBacktest } from '../../backtest/backtest.js';
import type { BacktestResult } from '../../backtest/result.js';
import { UsageError } from '../../model/errors.js';
import type { Fill } from '../../model/fill.js';
import { capitalOf } from '../compose/capital.js';
import { fillsCsv } from '../compose/fills-csv.js';
import { limitsOf } from '../compose/limits.js';
import { packageVersion, SAMPLE_FOLDER } from '../compose/package.js';
import { readSettings, type Settings } from '../compose/settings.js';
import { loadConfiguredStrategy } from '../compose/strategy.js';
import { reasonLines } from '../../session/reasons.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import type { AssetAmount, Settings as ParamSettings } from '../option-values.js';
import { openRecording } from '../../storage/recording.js';
import { roundedText } from '../view/decimal-text.js';
import { momentText, parseMoment } from '../view/moment.js';
import { printJson, printText, say } from '../view/output.js';

export interface BacktestOptions {
  readonly data?: readonly string[] | undefined;
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly set?: ParamSettings | undefined;
  readonly fill: string;
  readonly latency?: number | undefined;
  readonly slippage?: number | undefined;
  readonly capital?: readonly AssetAmount[] | undefined;
  readonly seed: number;
  readonly trades?: string | undefined;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

const REDRAW_TRADES = 1_000_000;

export async function backtest(name: string, options: BacktestOptions): Promise<ExitCode> {
  if (options.fill !== 'queue') {
    throw new UsageError(
      'TICKWRIGHT_E_FILL',
      `--fill must be queue in this version (others arrive later), received ${options.fill}`,
    );
  }
  const machine = thisMachine();
  const { files, area } = machine;
  const settings = await readSettings(machine, options.config);
  const { strategy, configured } = await loadConfiguredStrategy(machine, settings, name, options.set);
  const data = await dataPaths(machine, settings, options.data);
  const recording = await openRecording(files, data.paths, {
    pair: options.pair ?? configured?.pair,
    from: options.from === undefined ? undefined : parseMoment(options.from, '--from'),
    to: options.to === undefined ? undefined : parseMoment(options.to, '--to'),
  });
  const { market } = recording;
  await say(
    `data: ${data.paths.join(', ')} (${data.origin}), ${recording.pair}, market ${recording.marketSource}`,
  );
  const fills: Fill[] = [];
  let shown = 0;
  const { result } = await runBacktest({
    strategy: strategy.bound,
    strategyHash: strategy.sha256,
    recording,
    capital: capitalOf(market, options.capital),
    limits: limitsOf(market, settings.limits),
    seed: String(options.seed),
    engineVersion: await packageVersion(files),
    ...(options.latency === undefined ? {} : { latencyMs: options.latency }),
    ...(options.slippage === undefined ? {} : { slippageTicks: options.slippage }),
    ...(options.trades === undefined ? {} : { onFill: (fill: Fill) => void fills.push(fill) }),
    onProgress(trades) {
      if (area === undefined || trades - shown < REDRAW_TRADES) return;
      shown = trades;
      area.show([`${trades} trades`]);
    },
  }).catch((error: unknown) => {
    throw strategy.explain(error);
  });
  area?.show([]);
  if (options.trades !== undefined) await files.writeAtomic(resolve(options.trades), fillsCsv(market, fills));
  if (options.json === true) await printJson(result);
  else await printText(resultText(result, market.quote, market.base));
  return EXIT.ok;
}

/** Where the trades come from, and who said so. */
async function dataPaths(
  { files }: Machine,
  settings: Settings,
  given: readonly string[] | undefined,
): Promise<{ readonly paths: readonly string[]; readonly origin: string }> {
  if (given !== undefined) return { paths: given, origin: '--data' };
  if (settings.data.length > 0) return { paths: settings.data, origin: `named by ${settings.file ?? ''}` };
  if ((await files.stat('data'))?.kind === 'directory')
    return { paths: ['data'], origin: 'the default folder' };
  return { paths: [SAMPLE_FOLDER], origin: 'the sample that ships' };
}

function resultText(result: BacktestResult, quote: string, base: string): string {
  const money = (text: string) => `${signed(roundedText(text, 2))} ${quote}`;
  return [
    `${result.strategy} on ${result.pair}, ${momentText(result.from)} to ${momentText(result.to)}`,
    '',
    `  market        ${result.trades} trades, ${result.bars} bars, ${result.data.gaps} gaps`,
    `  orders        ${result.orders} sent, ${result.fills} fills, ${result.refusals} refused, ${result.rejections} rejected`,
    ...reasonLines('              refused', result.reasons.refused),
    ...reasonLines('              rejected', result.reasons.rejected),
    `  round trips   ${result.roundTrips}`,
    `  P&L           ${money(result.pnl.queue)}, net of ${roundedText(result.fees, 2)} ${quote} of fees`,
    `  max drawdown  ${roundedText(String(Number(result.maxDrawdown) * 100), 3)} %`,
    `  position      ${result.finalPosition} ${base} at the end`,
    '',
    'Fills are simulated by the queue model on recorded trades, which do not react to these orders.',
    `run ${result.runId}`,
  ].join('\n');
}

function signed(text: string): string {
  return text.startsWith('-') ? text : `+${text}`;
}
