import type { Entry } from '../../backtest/search/optimize.js';

/** Trials of a search as CSV, the best first: number (in the order of the proposals), parameters, figures. */
export function trialsCsv(ranking: readonly Entry[]): string {
  const names = Object.keys(ranking[0]?.texts ?? {});
  const heads = [
    'trial',
    ...names,
    'pnl',
    'sharpe',
    'calmar',
    'max_drawdown',
    'fills',
    'round_trips',
    'run_id',
  ];
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
  ]);
  return [heads, ...rows].map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

function quoted(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
