/** Shows the result of a backtest to people. */
import { markText, queueText, withoutFunding } from '../../backtest/assumed.js';
import type { BacktestResult, ModelSummary } from '../../backtest/result.js';
import type { RunData } from '../../backtest/run-data.js';
import { bareText } from '../../backtest/report/bare-text.js';
import { overlapText, trialCount, type TrialVerdict } from '../../backtest/trials.js';
import { counted } from '../../model/counted.js';
import { reasonLines } from '../../session/reasons.js';
import { amountText, gainText, roundedText } from './decimal-text.js';
import { momentText } from './moment.js';
import { printable } from './printable.js';

/** Facts to show besides the result. */
export interface Remarks {
  readonly trials: TrialVerdict | undefined;
  /** Folder that the run was saved to; `undefined` if it was not. */
  readonly folder: string | undefined;
  readonly report: string | undefined;
}

const EVIDENCE = 0.95;

export function backtestText(result: BacktestResult, remarks: Remarks): string {
  const { quote, base, metrics } = result;
  const money = (text: string) => `${gainText(text)} ${quote}`;
  const isOpen = Number(result.finalPosition) !== 0;
  return [
    `${result.strategy} on ${result.pair}, ${momentText(result.from)} to ${momentText(result.to)}`,
    '',
    `  ${headlineText(result)}`,
    '',
    ...modelLines(result),
    `  market        ${marketText(result)}`,
    ...barLines(result),
    `  marked at     ${markText(result)}${queueAheadText(result)}`,
    ...unfundedLines(result.data, '  funding      '),
    ...keptMarginLines(result.data, '  margin       '),
    ...gapLines(result),
    ...orderLines(result),
    `  round trips   ${result.roundTrips}${tripText(result)}`,
    `  P&L           ${money(result.pnl[result.headline] ?? '0')}, net of ${amountText(result.fees)} ${quote} of fees${fundingText(result)}`,
    `  buy and hold  ${shareText(metrics.benchmark.totalReturn)}, against ${shareText(metrics.totalReturn)}`,
    `  max drawdown  ${roundedText(String(Number(result.maxDrawdown) * 100), 3)} %`,
    `  Sharpe        ${result.sharpe === null ? (metrics.unavailable ?? 'n/a') : roundedText(result.sharpe, 2)}${trialText(remarks.trials)}`,
    `  position      ${result.finalPosition} ${base} at the end` +
      (isOpen ? `; closing it would cost ${amountText(result.closingCost)} ${quote}` : ''),
    ...(result.protection === undefined ? [] : [`  without stop  ${bareText(result.protection)}`]),
    ...(result.ruinedAt === undefined
      ? []
      : [`  ruined        ${momentText(result.ruinedAt)}: nothing was left, and the run ended there`]),
    ...(result.liquidatedAt === undefined ? [] : [`  liquidated    ${liquidationText(result.liquidatedAt)}`]),
    '',
    `Fills are simulated on recorded ${result.data.kind}, which do not react to these orders; all above but the range is by the ${result.headline} model.`,
    `run ${result.runId}${remarks.folder === undefined ? '' : `, in ${remarks.folder}`}`,
    ...(remarks.report === undefined ? [] : [`report ${remarks.report}`]),
  ]
    .map(printable)
    .join('\n');
}

/** Peculiarities of bars that the figures do not reveal. */
function barLines({ data, headline, options }: BacktestResult): string[] {
  if (data.kind !== 'bars') return [];
  const isLate = Number(options['latencyMs'] ?? 0) > 0;
  return [
    `  orders act    at the first open at or after their arrival${isLate ? `, ${options['latencyMs']} ms after they are sent: a bar later than with --latency 0ms` : ''}`,
    ...(options['fill'] === 'queue' && headline !== 'queue'
      ? [`                by the ${headline} model: bars tell nothing of a queue`]
      : []),
  ];
}

export function liquidationText(liquidatedAt: number): string {
  return `${momentText(liquidatedAt)}: the venue took the position or a part of it; a live bot would have halted there`;
}

/** What became of the orders, with the reasons for those that did not come about. */
export function orderLines(result: BacktestResult): readonly string[] {
  const { orders, fills, refusals, rejections, reasons } = result;
  return [
    `  orders        ${orders} sent, ${counted(fills, 'fill')}, ${refusals} refused, ${rejections} rejected${openText(result)}`,
    ...reasonLines('              refused', reasons.refused),
    ...reasonLines('              rejected', reasons.rejected),
    ...reasonLines('              canceled', reasons.canceled),
  ];
}

function openText({ openOrders }: Pick<BacktestResult, 'openOrders'>): string {
  return openOrders === 0 ? '' : `, ${openOrders} still open at the end`;
}

function marketText({ data, trades, bars }: BacktestResult): string {
  // Bars are named as the data, because what traded within a bar is unknown, and that affects every figure.
  return data.kind === 'bars'
    ? `data: bars, ${bars} read by the strategy`
    : `${counted(trades, 'trade')}, ${counted(bars, 'bar')}, ${counted(data.gaps, 'gap')}`;
}

/** The range of the P&L over all fill models. */
export function rangeText({ pnl, quote }: Pick<BacktestResult, 'pnl' | 'quote'>): string {
  const amounts = Object.values(pnl).toSorted(byNumber);
  const [least = '0', most = least] = [amounts[0], amounts.at(-1)];
  if (amounts.length < 2) return `${gainText(least)} ${quote}`;
  return `[${gainText(least)}, ${gainText(most)}] ${quote}`;
}

/** The P&L range over the fill models, and whether they agree in sign. */
export function headlineText(result: Pick<BacktestResult, 'pnl' | 'quote' | 'verdict' | 'headline'>): string {
  const { pnl, verdict, headline: model } = result;
  const range = rangeText(result);
  if (Object.keys(pnl).length === 1) return `${verdict} by one fill model, ${model}: ${range}`;
  return verdict === 'undecided'
    ? `undecided: model range ${range}, the fill models disagree`
    : `${verdict}: model range ${range}`;
}

export function modelLines({
  models,
  quote,
}: {
  readonly models: Readonly<Partial<Record<string, Pick<ModelSummary, 'pnl' | 'fills' | 'maxDrawdown'>>>>;
  readonly quote: string;
}): string[] {
  const all = Object.entries(models).flatMap(([name, model]) =>
    model === undefined ? [] : [[name, model] as const],
  );
  if (all.length < 2) return [];
  const lines = all.map(
    ([name, { pnl, fills, maxDrawdown }]) =>
      `    ${name.padEnd(9)} ${gainText(pnl).padStart(12)} ${quote}  ${String(fills).padStart(8)} ${fills === 1 ? 'fill ' : 'fills'}  ` +
      `drawdown ${roundedText(String(Number(maxDrawdown) * 100), 3)} %`,
  );
  return [...lines, ''];
}

function gapLines({ data, insideGaps, quote, roundTrips }: BacktestResult): string[] {
  if (data.gaps === 0) return [];
  return [
    `  inside gaps   ${gainText(insideGaps.pnl)} ${quote} of the P&L, ${insideGaps.roundTrips} of ${counted(roundTrips, 'round trip')}`,
  ];
}

function tripText({ metrics }: BacktestResult): string {
  if (metrics.winRate === null) return '';
  const factor =
    metrics.profitFactor === null ? '' : `, profit factor ${roundedText(metrics.profitFactor, 2)}`;
  return `, ${shareText(metrics.winRate)} won${factor}`;
}

function fundingText(result: BacktestResult): string {
  const { funding, quote } = result;
  if (Number(funding) !== 0) return ` and ${gainText(funding)} ${quote} of funding`;
  return noFundingText(withoutFunding(result));
}

/** The market rules that a run does not follow, a line each, starting with `head`. */
export function keptMarginLines({ marginChangedAt }: RunData, head: string): string[] {
  if (marginChangedAt === undefined) return [];
  return [`${head} as of the beginning, though its rates changed at ${momentText(marginChangedAt)}`];
}

/** Funding that is not charged because its rate is unknown, a line each, starting with `head`. */
export function unfundedLines({ unfundedUntil, missingRates }: RunData, head: string): string[] {
  return [
    ...(unfundedUntil === undefined
      ? []
      : [`${head} none before ${momentText(unfundedUntil)}, where recorded rates begin`]),
    ...(missingRates === undefined
      ? []
      : [`${head} without ${counted(missingRates, 'later rate')} that nobody recorded`]),
  ];
}

/** `why`: the reason, if it is known. */
export function noFundingText(why: string | undefined): string {
  return `; funding 0${why === undefined ? '' : `: ${why}`}`;
}

export function queueAheadText(result: Parameters<typeof queueText>[0]): string {
  const queue = queueText(result);
  return queue === undefined ? '' : `; queue ahead ${queue}`;
}

export function trialText(trials: TrialVerdict | undefined): string {
  if (trials === undefined) return '';
  const counted = `${trialCount(trials)} on this data so far${overlapText(trials)}`;
  if (trials.deflatedSharpe === null) return `; ${counted}`;
  const { deflatedSharpe } = trials;
  const reading = deflatedSharpe >= EVIDENCE ? '' : ', which luck explains';
  return `; deflated ${roundedText(String(deflatedSharpe), 3)} after ${counted}${reading}`;
}

export function shareText(text: string | null): string {
  return text === null ? 'n/a' : `${roundedText(String(Number(text) * 100), 2)} %`;
}

function byNumber(a: string, b: string): number {
  return Number(a) - Number(b);
}
