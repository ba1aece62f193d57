/**
 * Sections from the closes of whole UTC days: months, distribution of daily returns, rolling Sharpe ratio, worst
 * drawdowns.
 */
import { civilDate, dayOf } from '../../model/calendar.js';
import { returnsOf } from '../daily.js';
import { PERIODS } from '../metrics.js';
import type { BacktestResult } from '../result.js';
import type { RunSeries } from '../series.js';
import { worstDrawdowns } from '../statistics/drawdowns.js';
import { standardDeviation } from '../statistics/moments.js';
import { sharpe } from '../statistics/ratios.js';
import { rolling } from '../statistics/rolling.js';
import { bar, chart, line } from './chart.js';
import { htmlTable, section } from './html.js';
import { length, moment, number, percent, toned } from './numbers.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Length of the rolling window, days: half a year. */
const WINDOW = 180;
const BINS = 31;
/** The smallest depth that does not appear as 0 in the table. */
const LEAST_DEPTH = 0.000005;

/** The closes of whole UTC days. */
interface Daily {
  readonly daily: Pick<RunSeries['daily'], 'times' | 'equity'>;
}

export function monthsSection(
  { daily, equity }: Daily & Pick<RunSeries, 'equity'>,
  result: Pick<BacktestResult, 'headline' | 'capital' | 'from' | 'to'>,
): string {
  const main = equity[result.headline] ?? [];
  const months = new Map<number, Map<number, number>>();
  let before = Number(result.capital);
  const ends = [
    ...daily.times.map((time, i) => ({ time: time - 1, value: daily.equity[i] as number })),
    { time: result.to, value: main.at(-1) ?? before },
  ];
  for (const [i, { time, value }] of ends.entries()) {
    const { year, month } = civilDate(dayOf(time));
    const next = ends[i + 1];
    const isLast = next === undefined || civilDate(dayOf(next.time)).month !== month;
    // If the run begins with a whole day, the first point is its begin, and so ends no month.
    if (!isLast || time < result.from) continue;
    const row = months.get(year) ?? new Map<number, number>();
    row.set(month, value / before - 1);
    months.set(year, row);
    before = value;
  }
  const scale = Math.max(...[...months.values()].flatMap((row) => [...row.values()].map(Math.abs)), 1e-12);
  const rows = [...months].map(([year, row]) => {
    const total = [...row.values()].reduce((all, each) => all * (1 + each), 1) - 1;
    const cells = MONTHS.map((_, m) => heatCell(row.get(m + 1), scale));
    return `<tr><th scope="row">${year}</th>${cells.join('')}<td><strong>${toned(percent(total), total)}</strong></td></tr>`;
  });
  const heads = ['Year', ...MONTHS, 'Whole year'].map((head) => `<th scope="col">${head}</th>`);
  return section(
    'months',
    'Months',
    `<div class="scroll" tabindex="0" role="group" aria-label="Returns by month"><table class="heat"><caption>Returns by month</caption>` +
      `<thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  );
}

function heatCell(value: number | undefined, scale: number): string {
  if (value === undefined) return '<td></td>';
  const depth = Math.ceil((Math.abs(value) / scale) * 3);
  const name = value === 0 ? '' : ` class="${value > 0 ? 'h' : 'l'}${depth}"`;
  return `<td${name}>${percent(value)}</td>`;
}

export function histogramSection({ daily }: Daily): string {
  const returns = returnsOf(daily.equity);
  if (returns.length < 2) return absent('histogram', 'Daily returns', returns.length);
  const reach = Math.max(...returns.map(Math.abs), 1e-9);
  const width = (2 * reach) / BINS;
  const counts = Array<number>(BINS).fill(0);
  for (const each of returns) {
    const bin = Math.min(BINS - 1, Math.floor((each + reach) / width));
    counts[bin] = (counts[bin] as number) + 1;
  }
  const frame = {
    label: `How often each daily return came, ${returns.length} days`,
    from: -reach,
    to: reach,
    low: 0,
    high: Math.max(...counts),
    height: 200,
    xText: (value: number) => percent(value),
    yText: (value: number) => (Number.isInteger(value) ? String(value) : ''),
  };
  const drawn = chart(frame, ({ x, y }) =>
    counts
      .map((count, i) => {
        const left = -reach + i * width;
        const title = `${percent(left)} to ${percent(left + width)}: ${count} days`;
        const name = left + width / 2 >= 0 ? 'win' : 'lose';
        return count === 0
          ? ''
          : bar(x(left) + 1, x(left + width) - x(left) - 2, y(0), y(count), name, title);
      })
      .join(''),
  );
  return section('histogram', 'Daily returns', drawn);
}

export function rollingSection({ daily }: Daily): string {
  const returns = returnsOf(daily.equity);
  const title = `Sharpe ratio of the newest ${WINDOW} days`;
  if (returns.length <= WINDOW) return absent('rolling', title, returns.length, WINDOW + 1);
  const times = daily.times.slice(1);
  const ratios = rolling(returns, WINDOW, (window) => sharpe(window, { periods: PERIODS, riskFree: 0 }));
  const spreads = rolling(returns, WINDOW, (window) => standardDeviation(window) * Math.sqrt(PERIODS));
  const known = ratios.filter((value) => Number.isFinite(value));
  if (known.length < 2) return absent('rolling', title, returns.length, WINDOW + 1);
  const frame = {
    label: title,
    from: times[0] as number,
    to: times.at(-1) as number,
    low: Math.min(0, ...known),
    high: Math.max(0, ...known),
    height: 200,
  };
  const drawn = chart(frame, ({ x, y }) => {
    const points = ratios
      .map((value, i) => [times[i] as number, value] as const)
      .filter(([, value]) => Number.isFinite(value))
      .map(([time, value]) => [x(time), y(value)] as const);
    const [from, to] = [x(frame.from), x(frame.to)];
    return `<line class="zero" x1="${from}" x2="${to}" y1="${y(0)}" y2="${y(0)}"/>${line(points, 'line')}`;
  });
  const newest = `<p class="note">Newest: ${number(ratios.at(-1) ?? null)}, with a volatility of ${percent(spreads.at(-1) ?? null)} a year.</p>`;
  return section('rolling', title, drawn + newest);
}

export function fallsSection(
  result: Pick<BacktestResult, 'headline' | 'maxDrawdown' | 'to'>,
  series: Pick<RunSeries, 'times' | 'equity'>,
): string {
  const curve = series.equity[result.headline] ?? [];
  const at = (index: number) => series.times[index] as number;
  const seen = worstDrawdowns(curve).filter(({ depth }) => Math.abs(depth) >= LEAST_DEPTH);
  const rows = seen.map(({ peak, valley, recovery, depth }, i) => [
    String(i + 1),
    toned(percent(depth, 3), depth),
    moment(at(peak)),
    moment(at(valley)),
    recovery === undefined ? 'still open' : moment(at(recovery)),
    length((recovery === undefined ? result.to : at(recovery)) - at(peak)),
  ]);
  const columns = [
    { head: '#' },
    { head: 'depth' },
    { head: 'peak' },
    { head: 'valley' },
    { head: 'recovered' },
    { head: 'lasted' },
  ];
  const note = `<p class="note">From the drawn curve; marked at every print the deepest is ${percent(result.maxDrawdown, 3)}.</p>`;
  return section(
    'falls',
    'Worst drawdowns',
    rows.length === 0
      ? '<p class="note">There was none.</p>'
      : htmlTable('Worst drawdowns', columns, rows) + note,
  );
}

function absent(id: string, title: string, days: number, needed = 2): string {
  return section(
    id,
    title,
    `<p class="note">n/a: ${days} whole UTC ${days === 1 ? 'day' : 'days'}, ${needed} are needed.</p>`,
  );
}
