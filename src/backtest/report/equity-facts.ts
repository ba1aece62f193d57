import type { EquityMetrics } from '../metrics.js';
import { trialCount, type TrialVerdict } from '../trials.js';
import { escaped } from './html.js';
import { number, percent } from './numbers.js';

/** What a year of such returns would be, and how far to trust it. */
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
    ['Expected shortfall', percent(metrics.historicalExpectedShortfall)],
    ['Probabilistic Sharpe', number(metrics.probabilisticSharpe, 3)],
    ['Deflated Sharpe', `${number(trials.deflatedSharpe, 3)} <small>of ${trialCount(trials)}</small>`],
  ];
}

/** HTML; nothing where all figures of daily returns are there. */
export function unavailableNote({ unavailable }: EquityMetrics): string {
  return unavailable === undefined
    ? ''
    : `<p class="note">Figures of daily returns are ${escaped(unavailable)}.</p>`;
}
