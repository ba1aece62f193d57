/** The report of a backtest: one HTML file without scripts or requests, identical for identical runs. */
import { counted } from '../../model/counted.js';
import { markText, queueText } from '../assumed.js';
import type { BacktestResult } from '../result.js';
import type { RunSeries } from '../series.js';
import type { TrialVerdict } from '../trials.js';
import { bareText } from './bare-text.js';
import { equitySection, growthSection, priceSection, underwaterSection } from './curves.js';
import { fallsSection, histogramSection, monthsSection, rollingSection } from './days.js';
import { equityFacts, figures } from './equity-facts.js';
import { fundingNote } from './funding-note.js';
import { escaped, facts, htmlTable, section } from './html.js';
import { modelsSection } from './models.js';
import { amount, length, many, number, percent, plain, signed, toned } from './numbers.js';
import { conventions, EQUITY_CONVENTIONS, page, warnings } from './page.js';
import { clockSection, excursionSection, tripsSection } from './trips.js';
import { undone } from './undone.js';
import { warningsOf } from './warnings.js';

/** `trials`: how the run compared with the trials on its data when the report was made. */
export function reportHtml(result: BacktestResult, series: RunSeries, trials: TrialVerdict): string {
  const title = `${result.strategy} on ${result.pair}`;
  const rows = result.data.kind === 'bars' ? many(result.bars, 'bar') : many(result.trades, 'trade');
  return page({
    title,
    result,
    rows,
    main: [
      warnings(warningsOf(result, trials)),
      keyFigures(result, trials),
      result.trades === 0 && result.bars === 0 ? '' : charts(result, series),
      provenance(result),
    ],
    footer: conventions(result, [...EQUITY_CONVENTIONS, ...TRIP_CONVENTIONS]),
  });
}

function charts(result: BacktestResult, series: RunSeries): string {
  const pair = (...parts: string[]) => `<div class="grid2">${parts.join('\n')}</div>`;
  return [
    equitySection(result, series, result.strategy),
    pair(underwaterSection(result, series), growthSection(result, series)),
    priceSection(result, series),
    modelsSection(result, {
      head: `position, ${result.base}`,
      of: ({ finalPosition }) => plain(finalPosition),
    }),
    pair(costs(result), exposure(result)),
    fallsSection(result, series),
    monthsSection(series, result),
    pair(histogramSection(series), rollingSection(series)),
    pair(excursionSection(result, series), clockSection(result, series)),
    tripsSection(result, series),
  ].join('\n');
}

function keyFigures(result: BacktestResult, trials: TrialVerdict): string {
  const { metrics } = result;
  const [base, quote] = [escaped(result.base), escaped(result.quote)];
  const pnl = result.pnl[result.headline] ?? '0';
  const [whole, ...rest] = [
    ['P&L', `${toned(signed(pnl), pnl)} ${quote}`],
    ['Return', toned(percent(metrics.totalReturn), metrics.totalReturn)],
    ['Buy and hold', percent(metrics.benchmark.totalReturn)],
    ['Max drawdown', percent(result.maxDrawdown, 3)],
    ...equityFacts(metrics, trials),
    ['Alpha, beta', `${percent(metrics.benchmark.alpha)}, ${number(metrics.benchmark.beta)}`],
    ['Orders', `${number(result.orders, 0)} <small>${counted(result.fills, 'fill')}</small>`],
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
  return section(
    'figures',
    `Key figures, ${result.headline} model`,
    figures([whole as [string, string], ...rest], metrics) + undone([result]),
  );
}

function costs(result: BacktestResult): string {
  const {
    costs: { makerFees, takerFees, funding },
    metrics,
    quote,
    fees,
    pnl,
    headline: main,
  } = result;
  const gross = Number(pnl[main] ?? 0) + Number(fees) - Number(funding);
  const rows = [
    ['P&L before costs', toned(signed(gross), gross)],
    ['maker fees', signed(-Number(makerFees))],
    ['taker fees', signed(-Number(takerFees))],
    ['funding', signed(funding)],
    ['<strong>P&amp;L</strong>', `<strong>${signed(pnl[main] ?? '0')}</strong>`],
  ].map(([name, value]) => [(name as string).replace('P&L', 'P&amp;L'), value as string]);
  const table = htmlTable('Costs', [{ head: 'part', isText: true }, { head: quote }], rows);
  const traded =
    metrics.costBps === null
      ? 'Nothing was traded.'
      : `Traded ${number(metrics.volume, 0)} ${escaped(quote)}; fees are ${number(metrics.costBps)} bps of it.`;
  const note = `<p class="note">${traded} Slippage and spread are in the prices. ${fundingNote(result)}</p>`;
  return section('costs', 'Costs', table + note);
}

function exposure({ metrics, protection }: BacktestResult): string {
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
      ...(protection === undefined
        ? []
        : [['Without a stop at the venue', bareText(protection)] as [string, string]]),
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
      `${data.gaps} <small>${signed(insideGaps.pnl)} ${escaped(quote)}, ${insideGaps.roundTrips} round trips inside</small>`,
    ],
    ['Market facts', data.market],
    ['Marked at', markText(result)],
    ['Queue ahead', queueText(result) ?? 'not used'],
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

const TRIP_CONVENTIONS = [
  'Round trips run from flat to flat; partial fills are one; a flip ends one and begins the next. Worst and best are P&L while open, net of what was paid by then. SQN takes the P&L itself as R.',
  'Buy and hold buys at the first print with all of the capital at the taker fee, and has its funding; the line in the chart of growth is the price alone. Open positions are marked, not closed.',
];

/** Half of the Kelly share; `none` for a strategy that loses, as nothing should be bet on it. */
function halfKelly(kelly: string | null): string {
  if (kelly === null) return 'n/a';
  return Number(kelly) > 0 ? percent(Number(kelly) / 2) : 'none';
}
