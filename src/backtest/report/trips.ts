/** Round trips: the list, the worst and best P&L of each while it was open, and when the P&L was made. */
import type { BacktestResult } from '../result.js';
import type { RunSeries, TripRow } from '../series.js';
import { bar, chart, dot, legend } from './chart.js';
import { details, htmlTable, section } from './html.js';
import { amount, length, moment, price, signed, toned } from './numbers.js';
import { tripsShown } from './trips-shown.js';

const PAGE = 100;
/** With more rows than this, browsers would struggle with the file. */
const MOST_LISTED = 2_000;
const MOST_DOTS = 1_500;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const COLUMNS = [
  { head: '#' },
  { head: 'entry, UTC' },
  { head: 'side', isText: true },
  { head: 'quantity' },
  { head: 'entry' },
  { head: 'exit' },
  { head: 'held' },
  { head: 'P&L' },
  { head: 'fees' },
  { head: 'worst' },
  { head: 'best' },
];

export function tripsSection(result: BacktestResult, { roundTrips }: RunSeries): string {
  if (roundTrips.length === 0) return section('trips', 'Round trips', '<p class="note">There was none.</p>');
  const listed = roundTrips.slice(0, MOST_LISTED);
  const pages: string[] = [];
  for (let start = 0; start < listed.length; start += PAGE) {
    const page = listed.slice(start, start + PAGE);
    const rows = page.map((trip, i) => tripCells(trip, start + i + 1));
    const name = `Round trips ${start + 1} to ${start + page.length}`;
    pages.push(details(name, htmlTable(name, COLUMNS, rows)));
  }
  const rest =
    listed.length < result.roundTrips
      ? `<p class="note">The first ${listed.length} of ${result.roundTrips}; all are in --round-trips FILE.csv.</p>`
      : '';
  return section('trips', `Round trips, ${result.quote}`, pages.join('') + rest);
}

function tripCells(trip: TripRow, index: number): string[] {
  return [
    `${index}${trip.isInGap ? ' <small title="inside a gap of the data">gap</small>' : ''}`,
    moment(trip.entryTime),
    trip.side === 'buy' ? 'long' : 'short',
    trip.quantity,
    price(trip.entryPrice),
    price(trip.exitPrice),
    length(trip.exitTime - trip.entryTime),
    toned(signed(trip.pnl), trip.pnl),
    amount(trip.fees),
    amount(trip.worst),
    amount(trip.best),
  ];
}

export function excursionSection(
  result: Pick<BacktestResult, 'quote' | 'roundTrips'>,
  { roundTrips }: Pick<RunSeries, 'roundTrips'>,
): string {
  const title = 'Worst point against result';
  if (roundTrips.length === 0)
    return section('excursions', title, '<p class="note">There was no round trip.</p>');
  const step = Math.ceil(roundTrips.length / MOST_DOTS);
  const shown = roundTrips.filter((_, i) => i % step === 0);
  const results = shown.map(({ pnl }) => Number(pnl));
  const frame = {
    label: `Each round trip by the worst it was (across) and what it brought (up), ${result.quote}`,
    from: Math.min(...shown.map(({ worst }) => worst)),
    to: 0,
    low: Math.min(...results, 0),
    high: Math.max(...results, 0),
    xText: (value: number) => amount(value),
  };
  const drawn = chart(frame, ({ x, y }) => {
    const zero = `<line class="zero" x1="${x(frame.from)}" x2="${x(0)}" y1="${y(0)}" y2="${y(0)}"/>`;
    const dots = shown.map(({ worst, best, pnl, entryTime }) =>
      dot(
        x(worst),
        y(Number(pnl)),
        Number(pnl) > 0 ? 'win' : 'lose',
        `${moment(entryTime)}: worst ${amount(worst)}, best ${amount(best)}, result ${signed(pnl)}`,
      ),
    );
    return zero + dots.join('');
  });
  const many = tripsShown({ verb: 'drawn', shown: shown.length, kept: roundTrips, all: result.roundTrips });
  const note = `<p class="note">Across: the worst that each was while open (MAE), ${result.quote}. Up: what it brought. A stop at some distance would have cut off all dots to its left.${many === '' ? '' : ` ${many}`}</p>`;
  return section(
    'excursions',
    title,
    drawn +
      legend([
        ['win', 'won'],
        ['lose', 'lost'],
      ]) +
      note,
  );
}

export function clockSection(
  { quote }: Pick<BacktestResult, 'quote'>,
  { byHour, byWeekday }: Pick<RunSeries, 'byHour' | 'byWeekday'>,
): string {
  const hours = bars(
    `P&L by hour of the day, UTC, ${quote}`,
    byHour,
    (i) => `${String(i).padStart(2, '0')}:00`,
  );
  const rows = byWeekday.map((value, i) => [WEEKDAYS[i] as string, toned(signed(value), value)]);
  const days = htmlTable('P&L by weekday', [{ head: 'weekday', isText: true }, { head: 'P&L' }], rows);
  const table = htmlTable(
    'P&L by hour',
    [{ head: 'hour', isText: true }, { head: 'P&L' }],
    byHour.map((value, i) => [`${String(i).padStart(2, '0')}:00`, toned(signed(value), value)]),
  );
  return section(
    'clock',
    `When it was made, ${quote} (UTC)`,
    hours + details('Hours as a table', table) + days,
  );
}

function bars(label: string, values: readonly number[], name: (index: number) => string): string {
  const frame = {
    label,
    from: 0,
    to: values.length,
    low: Math.min(0, ...values),
    high: Math.max(0, ...values),
    height: 190,
    xText: (value: number) => (value === values.length ? '' : name(Math.round(value))),
  };
  return chart(frame, ({ x, y }) =>
    values
      .map((value, i) => {
        const title = `${name(i)}: ${signed(value)}`;
        return bar(x(i) + 1, x(i + 1) - x(i) - 2, y(0), y(value), value >= 0 ? 'win' : 'lose', title);
      })
      .join(''),
  );
}
