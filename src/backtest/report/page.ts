/** The page of a report: one HTML file without scripts or requests. */
import { sha256 } from '../../model/digest.js';
import type { BacktestResult } from '../result.js';
import { escaped } from './html.js';
import { moment, signed } from './numbers.js';
import { STYLE } from './style.js';

/** The part of a result that every page shows. */
export type Reported = Pick<
  BacktestResult,
  'runId' | 'from' | 'to' | 'pnl' | 'verdict' | 'quote' | 'headline'
>;

export interface Page {
  readonly title: string;
  readonly result: Reported;
  /** How much data the run read, as text. */
  readonly rows: string;
  /** HTML of the sections. */
  readonly main: readonly string[];
  readonly footer: string;
}

export function page({ title, result, rows, main, footer }: Page): string {
  const policy = `default-src 'none'; style-src 'sha256-${base64(sha256(STYLE))}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} – ${result.runId}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p class="sub">${moment(result.from)} to ${moment(result.to)} UTC · ${escaped(rows)} · run <code>${result.runId}</code></p>
${headline(result)}
</header>
<main>
${main.join('\n')}
</main>
${footer}
</body>
</html>
`;
}

function headline({ pnl, verdict, quote: asset, headline: model }: Reported): string {
  const quote = escaped(asset);
  const amounts = Object.values(pnl).map(Number);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const range =
    amounts.length === 1 ? `${signed(least)} ${quote}` : `${signed(least)} … ${signed(most)} ${quote}`;
  const tone = verdict === 'profit' ? 'up' : verdict === 'loss' ? 'down' : '';
  const what =
    amounts.length === 1
      ? `P&amp;L by one fill model, ${model}`
      : `model range: P&amp;L over ${amounts.length} fill models${verdict === 'undecided' ? ', which disagree on its sign' : ''}`;
  return `<div class="headline"><span class="verdict ${tone}">${verdict}</span><strong>${range}</strong><span class="note">${what}</span></div>`;
}

export function warnings(list: readonly string[]): string {
  if (list.length === 0) return '';
  return `<section class="warn" aria-label="Warnings"><ul>${list.map((each) => `<li>${escaped(each)}</li>`).join('')}</ul></section>`;
}

/** Definitions of the figures of equity, for the footer. */
export const EQUITY_CONVENTIONS: readonly string[] = [
  'Daily returns are simple, from close to close of whole UTC days; a year has 365; the risk-free rate is 0. Below 30 of them nothing is made annual. The first day counts as whole with a print before 01:00, the last one with a print from 23:00 on.',
  'Standard deviations have n − 1. Sortino counts the downside over all periods. Max drawdown is marked at every print, the capital included. Recovery is return / |max drawdown|.',
  'VaR normal is the 5 % quantile of a normal distribution, historical that of the returns; each expected shortfall is the mean of the returns below its VaR. Smart ratios are divided by √(1 + 2Σ((n−k)/n)ρ^k).',
  'Deflated Sharpe is a probability: 0.5 is what the best of as many strategies without skill shows, evidence begins at 0.95. Every run on the data is one, whatever came of it; how their Sharpe ratios vary is taken from those that have one over as many days.',
];

export function conventions({ quote, runId }: Reported, more: readonly string[]): string {
  const said = [
    `Equity is cash and position at the newest print, net of fees and funding, in ${quote}; all times are UTC.`,
    ...more,
  ];
  return `<footer><h2>Conventions</h2><ul>${said.map((each) => `<li>${escaped(each)}</li>`).join('')}</ul><p>Run again and compare: <code>tickwright verify ${runId}</code></p></footer>`;
}

function base64(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((each) => Number.parseInt(each, 16));
  return btoa(String.fromCharCode(...bytes));
}
