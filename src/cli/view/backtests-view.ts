/** Several strategies over the same trades, side by side. */
import type { BacktestResult } from '../../backtest/result.js';
import type { TrialVerdict } from '../../backtest/trials.js';
import { roundedText } from './decimal-text.js';
import { rangeText, shareText } from './backtest-view.js';
import { table } from './table.js';

export interface NamedResult {
  /** Of the strategy's file: two of them may have a strategy of one name. */
  readonly name: string;
  readonly result: BacktestResult;
}

const HEADS = ['strategy', 'pair', 'P&L', '', 'round trips', 'max drawdown', 'Sharpe', 'run'] as const;

/**
 * `trials`: after the last of them. Each was counted, since choosing the best of many is what luck lives on. `without`:
 * names of those that came to no result.
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
