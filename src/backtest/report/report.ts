/** A backtest as one HTML file: no script, no request, the same bytes for the same run. */
import { sha256 } from '../../model/digest.js';
import type { BacktestResult } from '../result.js';
import type { RunSeries } from '../series.js';
import type { TrialVerdict } from '../trials.js';
import { equitySection, growthSection, priceSection, underwaterSection } from './curves.js';
import { fallsSection, histogramSection, monthsSection, rollingSection } from './days.js';
import { escaped, facts, htmlTable, section } from './html.js';
import { amount, length, moment, number, percent, plain, signed, toned } from './numbers.js';
import { STYLE } from './style.js';
import { clockSection, excursionSection, tripsSection } from './trips.js';
import { warningsOf } from './warnings.js';

/** `trials`: how the run stood among those on its data when the report was made. */
export function reportHtml(result: BacktestResult, series: RunSeries, trials: TrialVerdict): string {
  const title = `${result.strategy} on ${result.pair}`;
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
<p class="sub">${moment(result.from)} to ${moment(result.to)} UTC · ${result.data.kind === 'bars' ? `${number(result.bars, 0)} bars` : `${number(result.trades, 0)} trades`} · run <code>${result.runId}</code></p>
${headline(result)}
</header>
<main>
${warnings(result, series, trials)}
${keyFigures(result, trials)}
${result.trades === 0 && result.bars === 0 ? '' : charts(result, series)}
${provenance(result)}
</main>
${conventions(result)}
</body>
</html>
`;
}

function charts(result: BacktestResult, series: RunSeries): string {
  const pair = (...parts: string[]) => `<div class="grid2">${parts.join('\n')}</div>`;
  return [
    equitySection(result, series),
    pair(underwaterSection(result, series), growthSection(result, series)),
    priceSection(result, series),
    models(result),
    pair(costs(result), exposure(result)),
    fallsSection(result, series),
    monthsSection(series, result),
    pair(histogramSection(series), rollingSection(series)),
    pair(excursionSection(result, series), clockSection(result, series)),
    tripsSection(result, series),
  ].join('\n');
}

function headline({ pnl, verdict, quote, headline: model }: BacktestResult): string {
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

function warnings(result: BacktestResult, series: RunSeries, trials: TrialVerdict): string {
  const list = warningsOf(result, series, trials);
  if (list.length === 0) return '';
  return `<section class="warn" aria-label="Warnings"><ul>${list.map((each) => `<li>${escaped(each)}</li>`).join('')}</ul></section>`;
}

function keyFigures(result: BacktestResult, trials: TrialVerdict): string {
  const { metrics, quote, base } = result;
  const pnl = result.pnl[result.headline] ?? '0';
  const [whole, ...rest] = [
    ['P&L', `${toned(signed(pnl), pnl)} ${quote}`],
    ['Return', toned(percent(metrics.totalReturn), metrics.totalReturn)],
    ['Buy and hold', percent(metrics.benchmark.totalReturn)],
    ['Max drawdown', percent(result.maxDrawdown, 3)],
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
    [
      'Deflated Sharpe',
      `${number(trials.deflatedSharpe, 3)} <small>of ${trials.trials} ${trials.trials === 1 ? 'trial' : 'trials'}</small>`,
    ],
    ['Alpha, beta', `${percent(metrics.benchmark.alpha)}, ${number(metrics.benchmark.beta)}`],
    ['Round trips', `${number(result.roundTrips, 0)} <small>${metrics.longRoundTrips} long</small>`],
    ['Won', percent(metrics.winRate)],
    ['Profit factor', number(metrics.profitFactor)],
    ['Payoff', number(metrics.payoff)],
    ['Expectancy', `${amount(metrics.expectancy, 4)} ${quote}`],
    ['Half Kelly', halfKelly(metrics.kelly)],
    ['SQN', number(metrics.systemQuality)],
    ['Longest streaks', `${metrics.longestWinningStreak} won, ${metrics.longestLosingStreak} lost`],
    ['Held, mean', length(metrics.averageHoldingMs)],
    ['Position at the end', `${plain(result.finalPosition)} ${base}`],
    ['Cost to close it', `${amount(result.closingCost)} ${quote}`],
  ] as [string, string][];
  const note =
    metrics.unavailable === undefined
      ? ''
      : `<p class="note">Figures of daily returns are ${escaped(metrics.unavailable)}.</p>`;
  return section(
    'figures',
    `Key figures, ${result.headline} model`,
    facts([whole as [string, string], ...rest]) + note,
  );
}

function models({ models: all, quote, base, headline: main }: BacktestResult): string {
  const rows = Object.entries(all).map(([name, each]) => [
    name === main ? `<strong>${name}</strong>` : name,
    toned(signed(each.pnl), each.pnl),
    number(each.fills, 0),
    number(each.roundTrips, 0),
    amount(each.fees),
    amount(each.funding),
    percent(each.maxDrawdown, 3),
    plain(each.finalPosition),
  ]);
  const heads = ['fills', 'round trips', 'fees', 'funding', 'max drawdown', `position, ${base}`];
  const columns = [
    { head: 'fill model', isText: true },
    { head: `P&L, ${quote}` },
    ...heads.map((head) => ({ head })),
  ];
  const note =
    '<p class="note">through: a limit fills only when the market trades through it, takers pay twice the slippage. queue: behind the volume that was there first. touch: first in the queue, no slippage. A range of models, not a confidence interval.</p>';
  return section('models', 'Fill models', htmlTable('Fill models', columns, rows) + note);
}

function costs({
  costs: { makerFees, takerFees, funding },
  metrics,
  quote,
  fees,
  pnl,
  headline: main,
}: BacktestResult): string {
  const gross = Number(pnl[main] ?? 0) + Number(fees) - Number(funding);
  const rows = [
    ['P&L before costs', toned(signed(gross), gross)],
    ['maker fees', signed(-Number(makerFees))],
    ['taker fees', signed(-Number(takerFees))],
    ['funding', signed(funding)],
    ['<strong>P&amp;L</strong>', `<strong>${signed(pnl[main] ?? '0')}</strong>`],
  ].map(([name, value]) => [(name as string).replace('P&L', 'P&amp;L'), value as string]);
  const table = htmlTable('Costs', [{ head: '', isText: true }, { head: quote }], rows);
  const note = `<p class="note">Traded ${number(metrics.volume, 0)} ${quote}; fees are ${number(metrics.costBps)} bps of it. Slippage and spread are in the prices.</p>`;
  return section('costs', 'Costs', table + note);
}

function exposure({ metrics }: BacktestResult): string {
  return section(
    'exposure',
    'Exposure',
    facts([
      ['Time in the market', percent(metrics.timeInMarket)],
      ['Mean position / equity', percent(metrics.meanLeverage, 3)],
      ['Most', percent(metrics.maxLeverage, 3)],
      ['Turnover, times a year', number(metrics.turnover)],
      ['Held, median', length(metrics.medianHoldingMs)],
      ['Largest win, loss', `${amount(metrics.largestWin)}, ${amount(metrics.largestLoss)}`],
    ]),
  );
}

function provenance(result: BacktestResult): string {
  const { data, insideGaps, quote } = result;
  const code = (text: string) => `<code>${escaped(text)}</code>`;
  const pairs: [string, string][] = [
    ['Strategy code', code(result.strategyHash)],
    ['Data', code(data.hash)],
    ['Facts besides', code(data.factsHash)],
    ['Market rules', code(data.marketHash)],
    ['Engine', escaped(result.engine)],
    [
      'Gaps in the data',
      `${data.gaps} <small>${signed(insideGaps.pnl)} ${quote}, ${insideGaps.roundTrips} round trips inside</small>`,
    ],
    ['Market facts', data.market],
    ['Marked at', result.mark === 'mixed' ? 'recorded and last price' : `${result.mark} price`],
    ['Queue ahead', result.queueAhead],
    ['Wants', code(result.wantsHash)],
    ['Decisions', code(result.decisionHash)],
    ...Object.entries(result.params).map(
      ([name, value]) => [`param ${name}`, escaped(value)] as [string, string],
    ),
    ...Object.entries(result.options).map(
      ([name, value]) => [`option ${name}`, code(value)] as [string, string],
    ),
  ];
  return section('provenance', 'Certificate: what it is made of', facts(pairs));
}

function conventions({ quote, runId }: BacktestResult): string {
  const said = [
    `Equity is cash and position at the newest print, net of fees and funding, in ${quote}; all times are UTC.`,
    'Daily returns are simple, from close to close of whole UTC days; a year has 365; the risk-free rate is 0. Below 30 of them nothing is made annual.',
    'Standard deviations have n − 1. Sortino counts the downside over all periods. Max drawdown is marked at every print, the capital included. Recovery is return / |max drawdown|.',
    'Round trips run from flat to flat; partial fills are one; a flip ends one and begins the next. Worst and best are P&L while open, net of what was paid by then. SQN takes the P&L itself as R.',
    'VaR normal is the 5 % quantile of a normal distribution, historical that of the returns. Smart ratios are divided by √(1 + 2Σ((n−k)/n)ρ^k).',
    'Deflated Sharpe is a probability: 0.5 is what the best of as many strategies without skill shows, evidence begins at 0.95.',
    'Buy and hold buys at the first print with all of the capital at the taker fee. Open positions are marked, not closed.',
  ];
  return `<footer><h2>Conventions</h2><ul>${said.map((each) => `<li>${escaped(each)}</li>`).join('')}</ul><p>Run again and compare: <code>tickwright verify ${runId}</code></p></footer>`;
}

/** Nothing is worth betting on what loses. */
function halfKelly(kelly: string | null): string {
  if (kelly === null) return 'n/a';
  return Number(kelly) > 0 ? percent(Number(kelly) / 2) : 'none';
}

function base64(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((each) => Number.parseInt(each, 16));
  return btoa(String.fromCharCode(...bytes));
}
