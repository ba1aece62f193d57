/** The report of several strategies on one account, as one HTML file. */
import { counted } from '../../model/counted.js';
import type { AccountResult } from '../account-result.js';
import { markText, queueText } from '../assumed.js';
import type { AccountSeries } from '../series.js';
import { overlapText, trialCount, type TrialVerdict } from '../trials.js';
import { bareText } from './bare-text.js';
import { chart, legend, line } from './chart.js';
import { equitySection, everyNth, underwaterSection } from './curves.js';
import { fallsSection, histogramSection, monthsSection, rollingSection } from './days.js';
import { equityFacts, figures } from './equity-facts.js';
import { fundingNote } from './funding-note.js';
import { details, escaped, facts, htmlTable, section } from './html.js';
import { modelsSection } from './models.js';
import { amount, moment, many, number, percent, plain, signed, toned } from './numbers.js';
import { conventions, EQUITY_CONVENTIONS, page, warnings } from './page.js';
import { clockSection } from './trips.js';
import { undone } from './undone.js';
import { liquidationText } from './warnings.js';

const EVIDENCE = 0.95;
/** Number of colours and dash patterns; all further lines share the last one. */
const LINES = 6;

/** `trials`: how the run compared with the trials on its data when the report was made. */
export function accountReportHtml(
  result: AccountResult,
  series: AccountSeries,
  trials: TrialVerdict,
): string {
  const title = `${counted(result.pairs.length, 'strategy', 'strategies')} on one account`;
  const pair = (...parts: string[]) => `<div class="grid2">${parts.join('\n')}</div>`;
  return page({
    title,
    result,
    rows: `${result.pairs.join(', ')} · ${many(result.trades, 'trade')}`,
    main: [
      warnings(warningsOf(result, trials)),
      keyFigures(result, trials),
      equitySection(result, series, 'the account'),
      strategies(result),
      contributions(result, series),
      pair(underwaterSection(result, series), exposure(result)),
      modelsSection(result),
      fallsSection(result, series),
      monthsSection(series, result),
      pair(histogramSection(series), rollingSection(series)),
      pair(costs(result), clockSection(result, series)),
      provenance(result),
    ],
    footer: conventions(result, [
      ...EQUITY_CONVENTIONS,
      'Recordings are merged by time. Cash, margin and limits are those of one account: a pair may carry the losses of another one, or be liquidated for them.',
      "A strategy's own drawdown is of the account's capital with its P&L alone. Leverage is gross: a long and a short do not make up for each other.",
    ]),
  });
}

function warningsOf(result: AccountResult, trials: TrialVerdict): string[] {
  const { metrics, data, insideGaps, quote } = result;
  const list: string[] = [];
  if (result.ruinedAt !== undefined)
    list.push('The account was ruined: nothing was left, and the run ended there.');
  if (result.verdict === 'undecided') {
    list.push('The fill models disagree on the sign: what this earns is decided by places in queues.');
  }
  if (metrics.unavailable !== undefined) list.push(`Annual figures are ${metrics.unavailable}.`);
  if (data.gaps > 0) {
    list.push(
      `The recordings have ${counted(data.gaps, 'gap')}: ${signed(insideGaps.pnl)} ${quote} of the P&L and ${counted(insideGaps.roundTrips, 'round trip')} lie inside.`,
    );
  }
  for (const { pair, data: own, liquidatedAt } of Object.values(result.strategies)) {
    if (liquidatedAt !== undefined) list.push(liquidationText(`the position on ${pair}`, liquidatedAt));
    if (own.market === 'inferred')
      list.push(`Filters and fees of ${pair} are inferred from its trades, not given.`);
    if (own.unfundedUntil !== undefined) {
      list.push(
        `Recorded funding rates of ${pair} begin at ${moment(own.unfundedUntil)}: what was due before is not charged.`,
      );
    }
    if (own.missingRates !== undefined) {
      list.push(
        `Later on ${counted(own.missingRates, 'funding rate')} of ${pair} ${own.missingRates === 1 ? 'is' : 'are'} missing in the recording: what was due then is not charged.`,
      );
    }
    if (own.marginChangedAt !== undefined) {
      list.push(
        `Margin rates of ${pair} changed at ${moment(own.marginChangedAt)}: the run keeps those of its beginning.`,
      );
    }
  }
  const { deflatedSharpe } = trials;
  if (deflatedSharpe !== null && deflatedSharpe < EVIDENCE && result.verdict === 'profit') {
    list.push(
      `After ${trialCount(trials)} on this data${overlapText(trials)} the deflated Sharpe is ${number(deflatedSharpe, 3)}: below 0.95 luck explains it.`,
    );
  }
  const open = Object.values(result.strategies).filter(({ finalPosition }) => Number(finalPosition) !== 0);
  if (open.length > 0) {
    const cost = open.reduce((sum, { closingCost }) => sum + Number(closingCost), 0);
    list.push(
      `Positions are open at the end (${open.map(({ pair }) => pair).join(', ')}); closing them would cost ${amount(cost)} ${quote} more.`,
    );
  }
  return list;
}

function keyFigures(result: AccountResult, trials: TrialVerdict): string {
  const { metrics } = result;
  const quote = escaped(result.quote);
  const pnl = result.pnl[result.headline] ?? '0';
  return section(
    'figures',
    `Key figures, ${result.headline} model`,
    figures(
      [
        ['P&L', `${toned(signed(pnl), pnl)} ${quote}`],
        ['Capital', `${number(result.capital)} ${quote}`],
        ['Return', toned(percent(metrics.totalReturn), metrics.totalReturn)],
        ['Max drawdown', percent(result.maxDrawdown, 3)],
        ...equityFacts(metrics, trials),
        ['Round trips', number(result.roundTrips, 0)],
        ['Refused', number(result.refusals, 0)],
        ['Rejected', number(result.rejections, 0)],
      ],
      metrics,
    ),
  );
}

function strategies(result: AccountResult): string {
  const rows = Object.values(result.strategies).map((part) => {
    const pnl = part.pnl[result.headline] ?? '0';
    return [
      escaped(part.strategy),
      escaped(part.pair),
      toned(signed(pnl), pnl),
      amount(part.fees),
      amount(part.funding),
      number(part.orders, 0),
      number(part.fills, 0),
      number(part.roundTrips, 0),
      percent(part.maxDrawdown, 3),
      `${plain(part.finalPosition)} ${escaped(part.base)}`,
      number(part.refusals + part.rejections, 0),
    ];
  });
  const heads = ['fees', 'funding', 'orders', 'fills', 'round trips', 'max drawdown', 'position', 'refused'];
  const columns = [
    { head: 'strategy', isText: true },
    { head: 'pair', isText: true },
    { head: `P&L, ${result.quote}` },
    ...heads.map((head) => ({ head })),
  ];
  return section(
    'strategies',
    'Strategies',
    htmlTable('Strategies', columns, rows) + undone(Object.values(result.strategies)),
  );
}

/** Charts the P&L of each pair over time. */
function contributions(result: AccountResult, { times, pnl }: AccountSeries): string {
  const all = Object.entries(pnl);
  const values = all.flatMap(([, each]) => each);
  const frame = {
    label: `P&L of each pair over time, ${result.quote}`,
    from: times[0] as number,
    to: times.at(-1) as number,
    low: Math.min(0, ...values),
    high: Math.max(0, ...values),
  };
  const nameOf = (index: number) => `p${Math.min(index, LINES - 1)}`;
  const drawn = chart(frame, ({ x, y }) => {
    const zero = `<line class="zero" x1="${x(frame.from)}" x2="${x(frame.to)}" y1="${y(0)}" y2="${y(0)}"/>`;
    const lines = all.map(([, each], index) =>
      line(
        each.map((value, at) => [x(times[at] as number), y(value)] as const),
        nameOf(index),
      ),
    );
    return zero + lines.join('');
  });
  const rows = everyNth(times).map((at) => [
    moment(times[at] as number),
    ...all.map(([, each]) => signed(each[at] as number)),
  ]);
  const columns = [{ head: 'UTC', isText: true }, ...all.map(([head]) => ({ head }))];
  return section(
    'contributions',
    `P&L by pair, ${result.quote}`,
    drawn +
      legend(all.map(([pair], index): [string, string] => [nameOf(index), pair])) +
      details('As a table', htmlTable('P&L by pair over time', columns, rows)),
  );
}

function costs({
  costs: { makerFees, takerFees, funding },
  metrics,
  quote: asset,
  strategies,
}: AccountResult): string {
  const quote = escaped(asset);
  const notes = Object.values(strategies).flatMap((part) => {
    const note = fundingNote(part);
    return note === '' ? [] : [`<p class="note">${escaped(part.pair)}: ${note}</p>`];
  });
  return section(
    'costs',
    'Costs',
    facts([
      ['Maker fees', `${signed(-Number(makerFees))} ${quote}`],
      ['Taker fees', `${signed(-Number(takerFees))} ${quote}`],
      ['Funding', `${signed(funding)} ${quote}`],
      ['Traded', `${number(metrics.volume, 0)} ${quote}`],
      ['Fees of it', `${number(metrics.costBps)} bps`],
      ['Turnover, times a year', number(metrics.turnover)],
    ]) + notes.join(''),
  );
}

function exposure({ metrics, strategies }: AccountResult): string {
  return section(
    'exposure',
    'Exposure, gross',
    facts([
      ['Time in the market', percent(metrics.timeInMarket)],
      ['Mean positions / equity', percent(metrics.meanLeverage, 3)],
      ['Most', percent(metrics.maxLeverage, 3)],
      ...Object.values(strategies).flatMap(({ pair, protection }): [string, string][] =>
        protection === undefined ? [] : [[`${pair} without a stop at the venue`, bareText(protection)]],
      ),
    ]),
  );
}

function provenance(result: AccountResult): string {
  const code = (text: string) => `<code>${escaped(text)}</code>`;
  const whole: [string, string][] = [
    ['Data, all pairs', code(result.data.hash)],
    ['Engine', escaped(result.engine)],
    ['Wants', code(result.wantsHash)],
    ['Decisions', code(result.decisionHash)],
    ...Object.entries(result.options).map(
      ([name, value]) => [`option ${name}`, code(value)] as [string, string],
    ),
  ];
  const parts = Object.values(result.strategies).map((part) =>
    details(
      `${part.strategy} on ${part.pair}`,
      facts([
        ['Strategy code', code(part.strategyHash)],
        ['Data', code(part.data.hash)],
        ['Facts besides', code(part.data.factsHash)],
        ['Market rules', code(part.data.marketHash)],
        ['Gaps in the data', String(part.data.gaps)],
        ['Market facts', part.data.market],
        ['Marked at', markText(part)],
        ['Queue ahead', queueText(part) ?? 'not used'],
        ['Wants', code(part.wantsHash)],
        ['Decisions', code(part.decisionHash)],
        ...Object.entries(part.params).map(
          ([name, value]) => [`param ${name}`, escaped(value)] as [string, string],
        ),
      ]),
    ),
  );
  return section('provenance', 'Certificate: what it is made of', facts(whole) + parts.join(''));
}
