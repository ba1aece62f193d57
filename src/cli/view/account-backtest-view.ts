/** Shows the result of several strategies on one account to people. */
import { markText, withoutFunding } from '../../backtest/assumed.js';
import { bareText } from '../../backtest/report/bare-text.js';
import type { AccountResult, PartResult } from '../../backtest/account-result.js';
import type { TrialVerdict } from '../../backtest/trials.js';
import { counted } from '../../model/counted.js';
import { reasonLines } from '../../session/reasons.js';
import {
  headlineText,
  liquidationText,
  modelLines,
  noFundingText,
  queueAheadText,
  shareText,
  trialText,
  keptMarginLines,
  unfundedLines,
} from './backtest-view.js';
import { amountText, gainText, roundedText } from './decimal-text.js';
import { momentText } from './moment.js';
import { printable } from './printable.js';
import { table } from './table.js';

export interface AccountRemarks {
  readonly trials: TrialVerdict;
  /** Folder that the run was saved to; `undefined` if it was not. */
  readonly folder: string | undefined;
  readonly report: string | undefined;
}

export function accountBacktestText(
  result: AccountResult,
  { trials, folder, report }: AccountRemarks,
): string {
  const { quote, metrics, data, insideGaps } = result;
  const parts = Object.values(result.strategies);
  const money = (text: string) => `${gainText(text)} ${quote}`;
  const funding =
    Number(result.funding) === 0
      ? noFundingText(reasonOfAll(parts))
      : ` and ${money(result.funding)} of funding`;
  return [
    `${counted(parts.length, 'strategy', 'strategies')} on one account of ${amountText(result.capital)} ${quote}, ` +
      `${momentText(result.from)} to ${momentText(result.to)}`,
    '',
    `  ${headlineText(result)}`,
    '',
    ...modelLines(result),
    ...partLines(result, parts),
    '',
    `  market        ${counted(result.trades, 'trade')}, ${counted(data.gaps, 'gap')}`,
    ...parts.map((part) => `  ${part.pair.padEnd(13)} marked at ${markText(part)}${queueAheadText(part)}`),
    ...parts.flatMap(({ pair, data: own }) => unfundedLines(own, `  ${pair.padEnd(13)} funding`)),
    ...parts.flatMap(({ pair, data: own }) => keptMarginLines(own, `  ${pair.padEnd(13)} margin`)),
    ...(data.gaps === 0
      ? []
      : [
          `  inside gaps   ${money(insideGaps.pnl)} of the P&L, ${insideGaps.roundTrips} of ${counted(result.roundTrips, 'round trip')}`,
        ]),
    `  orders        ${result.orders} sent, ${counted(result.fills, 'fill')}, ${result.refusals} refused, ${result.rejections} rejected`,
    ...parts.flatMap(({ pair, reasons }) => [
      ...reasonLines('              refused', reasons.refused).map((line) => `${line} (${pair})`),
      ...reasonLines('              rejected', reasons.rejected).map((line) => `${line} (${pair})`),
      ...reasonLines('              canceled', reasons.canceled).map((line) => `${line} (${pair})`),
    ]),
    `  P&L           ${money(result.pnl[result.headline] ?? '0')}, net of ${amountText(result.fees)} ${quote} of fees${funding}`,
    `  return        ${shareText(metrics.totalReturn)}`,
    `  max drawdown  ${roundedText(String(Number(result.maxDrawdown) * 100), 3)} %`,
    `  leverage      ${times(metrics.meanLeverage)} on average, ${times(metrics.maxLeverage)} at most, gross`,
    `  Sharpe        ${result.sharpe === null ? (metrics.unavailable ?? 'n/a') : roundedText(result.sharpe, 2)}${trialText(trials)}`,
    ...parts.flatMap(({ pair, protection }) =>
      protection === undefined ? [] : [`  without stop  ${pair} ${bareText(protection)}`],
    ),
    ...(result.ruinedAt === undefined
      ? []
      : [`  ruined        ${momentText(result.ruinedAt)}: nothing was left, and the run ended there`]),
    ...parts.flatMap(({ pair, liquidatedAt }) =>
      liquidatedAt === undefined ? [] : [`  liquidated    ${pair} ${liquidationText(liquidatedAt)}`],
    ),
    '',
    `Fills are simulated on recorded trades, which do not react to these orders; all above but the range is by the ${result.headline} model.`,
    `Each strategy's own drawdown is of the account's capital with its P&L alone.`,
    `run ${result.runId}${folder === undefined ? '' : `, in ${folder}`}`,
    ...(report === undefined ? [] : [`report ${report}`]),
  ]
    .map(printable)
    .join('\n');
}

/** Why no funding was paid, if the reason is the same for all strategies. */
function reasonOfAll(parts: readonly PartResult[]): string | undefined {
  const reasons = new Set(parts.map(withoutFunding));
  return reasons.size === 1 ? [...reasons][0] : undefined;
}

const HEADS = ['strategy', 'pair', 'P&L', 'fills', 'round trips', 'max drawdown', 'position'] as const;

function partLines({ headline }: AccountResult, parts: readonly PartResult[]): string[] {
  const rows = parts.map((part) => [
    part.strategy,
    part.pair,
    gainText(part.pnl[headline] ?? '0'),
    String(part.fills),
    String(part.roundTrips),
    `${roundedText(String(Number(part.maxDrawdown) * 100), 3)} %`,
    `${part.finalPosition} ${part.base}`,
  ]);
  const text = table(HEADS, rows, ['left', 'left', 'right', 'right', 'right', 'right', 'right']);
  return text.split('\n').map((line) => `  ${line}`);
}

function times(text: string | null): string {
  return text === null ? 'n/a' : `${roundedText(text, 2)}×`;
}
