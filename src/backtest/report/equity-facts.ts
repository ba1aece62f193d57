import type { EquityMetrics } from '../metrics.js';
import { overlapText, trialCount, type TrialVerdict } from '../trials.js';
import { escaped, facts } from './html.js';
import { isMissing, number, percent } from './numbers.js';

/** Annual figures, and how far to trust them. */
export function equityFacts(metrics: EquityMetrics, trials: TrialVerdict): [name: string, value: string][] {
  return [
    ['CAGR', percent(metrics.cagr)],
    ['Volatility, annual', percent(metrics.volatility)],
    ['Sharpe', number(metrics.sharpe)],
    ['Sortino', number(metrics.sortino)],
    ['Smart Sharpe', number(metrics.smartSharpe)],
    ['Calmar', number(metrics.calmar)],
    ['Recovery', number(metrics.recovery)],
    ['Omega', number(metrics.omega)],
    ['Ulcer performance', number(metrics.ulcerPerformance)],
    ['Tail ratio', number(metrics.tailRatio)],
    ['VaR 95 %, normal', percent(metrics.valueAtRisk)],
    ['VaR 95 %, historical', percent(metrics.historicalValueAtRisk)],
    ['Expected shortfall, normal', percent(metrics.expectedShortfall)],
    ['Expected shortfall, historical', percent(metrics.historicalExpectedShortfall)],
    ['Probabilistic Sharpe', number(metrics.probabilisticSharpe, 3)],
    [
      'Deflated Sharpe',
      `${number(trials.deflatedSharpe, 3)} <small>of ${trialCount(trials)}${overlapText(trials)}</small>`,
    ],
  ];
}

/** HTML of the available figures, and a line with the names of the missing ones and the reason. */
export function figures(
  pairs: readonly (readonly [name: string, value: string])[],
  { unavailable }: Pick<EquityMetrics, 'unavailable'>,
): string {
  const missing = pairs.filter(([, value]) => isMissing(value)).map(([name]) => name);
  const there = facts(pairs.filter(([name]) => !missing.includes(name)));
  if (missing.length === 0) return there;
  const why = unavailable === undefined ? '' : ` Figures of daily returns are ${unavailable}.`;
  return `${there}<p class="note">n/a: ${escaped(`${missing.join(' · ')}.${why}`)}</p>`;
}
