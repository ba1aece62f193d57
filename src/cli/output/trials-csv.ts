import type { Optimized } from '../../backtest/search/optimize.js';

const FIGURES = ['pnl', 'sharpe', 'calmar', 'max_drawdown', 'fills', 'round_trips', 'run_id'];

/**
 * All trials of a search as CSV, the best first, and those that failed last: number (in the order of the proposals),
 * parameters, figures, and why there are none.
 */
export function trialsCsv({ ranking, failed }: Pick<Optimized, 'ranking' | 'failed'>): string {
  const names = Object.keys(ranking[0]?.texts ?? {});
  const heads = ['trial', ...names, ...FIGURES, 'failed'];
  const rows = ranking.map(({ number, texts, outcome }) => [
    number,
    ...names.map((name) => texts[name] ?? ''),
    outcome.pnl,
    outcome.sharpe ?? '',
    outcome.calmar ?? '',
    outcome.maxDrawdown,
    outcome.fills,
    outcome.roundTrips,
    outcome.judged.runId,
    '',
  ]);
  const without = failed.map(({ number, texts, reason }) => [
    number,
    ...names.map((name) => texts[name] ?? ''),
    ...FIGURES.map(() => ''),
    reason,
  ]);
  return [heads, ...rows, ...without].map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

function quoted(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
