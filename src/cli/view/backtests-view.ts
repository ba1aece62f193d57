/** Shows several strategies over the same trades side by side. */
import type { BacktestResult } from '../../backtest/result.js';
import type { TrialVerdict } from '../../backtest/trials.js';
import { roundedText } from './decimal-text.js';
import { rangeText, shareText } from './backtest-view.js';
import { table } from './table.js';

export interface NamedResult {
  /** Name of the strategy's file, because two files may contain strategies of the same name. */
  readonly name: string;
  readonly result: BacktestResult;
}

const HEADS = ['strategy', 'pair', 'P&L', '', 'round trips', 'max drawdown', 'Sharpe', 'run'] as const;

/**
 * `trials`: their number after the last of these runs. Each run counts as a trial, because choosing the best of many
 * relies on luck. `without`: names of the strategies without a result.
 */
export function backtestsText(
  runs: readonly NamedResult[],
  { trials }: TrialVerdict,
  without: readonly string[] = [],
): string {
  const rows = runs.map(({ name, result }) => [
    name,
    result.pair,
    rangeText(result),
    result.verdict,
    String(result.roundTrips),
    shareText(result.maxDrawdown),
    result.sharpe === null ? 'n/a' : roundedText(result.sharpe, 2),
    result.runId,
  ]);
  return [
    table(HEADS, rows, ['left', 'left', 'right', 'left', 'right', 'right', 'right', 'left']),
    '',
    `Each with an account of its own. ${trials} ${trials === 1 ? 'trial' : 'trials'} on the last one's data so far: the best of many looks better than it is.`,
    ...(without.length === 0 ? [] : [`Without a result: ${without.join(', ')}.`]),
  ].join('\n');
}
