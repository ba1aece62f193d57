/** The charts over time: equity as a band over the fill models, drawdown, and the price with the round trips. */
import type { BacktestResult } from '../result.js';
import type { RunSeries } from '../series.js';
import { underwater } from '../statistics/drawdowns.js';
import { band, chart, dot, legend, line } from './chart.js';
import { details, htmlTable, section } from './html.js';
import { moment, number, percent, price as priceText, signed } from './numbers.js';
import { tripsShown } from './trips-shown.js';

/** More markers than this would hide the price. */
const MOST_MARKED = 300;
const TABLE_ROWS = 60;

/** The series that the equity chart needs; `prices` only for a run on one market. */
type EquityCurves = Pick<RunSeries, 'times' | 'equity'> & Partial<Pick<RunSeries, 'prices'>>;

/** `whose`: the name of the strategy or account. */
export function equitySection(
  result: Pick<BacktestResult, 'headline' | 'quote'>,
  series: EquityCurves,
  whose: string,
): string {
  const { times, prices, equity } = series;
  const all = Object.values(equity);
  const main = equity[result.headline] ?? [];
  const highs = main.map((_, i) =>
    Math.max(...all.map((each) => each[Math.min(i, each.length - 1)] as number)),
  );
  const lows = main.map((_, i) =>
    Math.min(...all.map((each) => each[Math.min(i, each.length - 1)] as number)),
  );
  const frame = {
    label: `Equity of ${whose} in ${result.quote} over time, as a band over the fill models`,
    from: times[0] as number,
    to: times.at(-1) as number,
    low: Math.min(...lows),
    high: Math.max(...highs),
  };
  const drawn = chart(frame, ({ x, y }) => {
    const at = (values: readonly number[]) =>
      values.map((value, i) => [x(times[i] as number), y(value)] as const);
    return (all.length > 1 ? band(at(highs), at(lows), 'band') : '') + line(at(main), 'line');
  });
  const names = Object.keys(equity).join(', ');
  const keys: [string, string][] = [['line', `${result.headline} model`]];
  if (all.length > 1) keys.push(['band', `range of the models ${names}`]);
  const rows = everyNth(times).map((i) => [
    moment(times[i] as number),
    ...all.map((each) => number(each[Math.min(i, each.length - 1)] as number)),
    ...(prices === undefined ? [] : [percent((prices[i] as number) / (prices[0] as number) - 1)]),
  ]);
  const columns = [
    { head: 'UTC', isText: true },
    ...Object.keys(equity).map((head) => ({ head })),
    ...(prices === undefined ? [] : [{ head: 'market' }]),
  ];
  return section(
    'equity',
    `Equity, ${result.quote}`,
    drawn + legend(keys) + details('As a table', htmlTable('Equity over time', columns, rows)),
  );
}

/** Compares the growth of the strategy with that of the market, from the same start. */
export function growthSection(result: BacktestResult, { times, prices, equity }: RunSeries): string {
  const main = (equity[result.headline] ?? []).map((value) => value / Number(result.capital) - 1);
  const first = prices[0] as number;
  const held = prices.map((price) => price / first - 1);
  const frame = {
    label: 'Growth of the strategy and of the market, percent',
    from: times[0] as number,
    to: times.at(-1) as number,
    low: Math.min(...main, ...held),
    high: Math.max(...main, ...held),
    yText: (value: number) => percent(value),
  };
  const drawn = chart(frame, ({ x, y }) => {
    const at = (values: readonly number[]) =>
      values.map((value, i) => [x(times[i] as number), y(value)] as const);
    return line(at(held), 'hold') + line(at(main), 'line');
  });
  return section(
    'growth',
    'Growth against buy and hold',
    drawn +
      legend([
        ['line', result.strategy],
        ['hold', `${result.pair} held`],
      ]),
  );
}

export function underwaterSection(
  result: Pick<BacktestResult, 'headline' | 'maxDrawdown'>,
  { times, equity }: EquityCurves,
): string {
  const title = 'Below the last peak';
  const falls = underwater(equity[result.headline] ?? []);
  if (falls.every((fall) => fall === 0))
    return section('underwater', title, '<p class="note">It was never below it.</p>');
  const frame = {
    label: `Drawdown of the equity, percent; the deepest is ${percent(result.maxDrawdown)}`,
    from: times[0] as number,
    to: times.at(-1) as number,
    low: Math.min(0, ...falls),
    high: 0,
    height: 180,
    yText: (value: number) => percent(value, Math.min(...falls) < -0.01 ? 1 : 3),
  };
  const drawn = chart(frame, ({ x, y }) => {
    const edge = falls.map((value, i) => [x(times[i] as number), y(value)] as const);
    return band(
      edge.map(([at]) => [at, y(0)] as const),
      edge,
      'under',
    );
  });
  return section('underwater', title, drawn);
}

export function priceSection(
  result: Pick<BacktestResult, 'pair' | 'roundTrips'>,
  { times, prices, stops = [], roundTrips }: Pick<RunSeries, 'times' | 'prices' | 'stops' | 'roundTrips'>,
): string {
  const step = Math.ceil(roundTrips.length / MOST_MARKED);
  const marked = roundTrips.filter((_, i) => i % step === 0);
  const levels = stops.filter((stop) => stop !== null);
  const shownPrices = [...prices, ...levels, ...marked.flatMap((trip) => [trip.entryPrice, trip.exitPrice])];
  const frame = {
    label: `Price of ${result.pair} with entries and exits${levels.length === 0 ? '' : ' and the stops at the venue'}`,
    from: times[0] as number,
    to: times.at(-1) as number,
    low: Math.min(...shownPrices),
    high: Math.max(...shownPrices),
  };
  const drawn = chart(frame, ({ x, y }) => {
    const path = prices.map((price, i) => [x(times[i] as number), y(price)] as const);
    const dots = marked.map(({ side, entryTime, entryPrice, exitTime, exitPrice, pnl }) => {
      const buy = dotOf(side === 'buy', entryTime, entryPrice, `entry ${side}, ${moment(entryTime)}`);
      const out = dotOf(side !== 'buy', exitTime, exitPrice, `exit, ${moment(exitTime)}, ${signed(pnl)}`);
      return buy + out;
      function dotOf(isBuy: boolean, time: number, price: number, title: string): string {
        return dot(x(time), y(price), isBuy ? 'win' : 'lose', `${title}, at ${priceText(price)}`);
      }
    });
    // What was held at a point of the chart is drawn until the next one.
    const held = stretches(stops).map((stretch) =>
      line(
        stretch.flatMap((i) => {
          const [from, to = from] = times.slice(i, i + 2) as [number, number?];
          return [from, to].map((time) => [x(time), y(stops[i] as number)] as const);
        }),
        'stop',
      ),
    );
    return line(path, 'price') + held.join('') + dots.join('');
  });
  const shown = tripsShown({
    verb: 'marked',
    shown: marked.length,
    kept: roundTrips,
    all: result.roundTrips,
  });
  const note = shown === '' ? '' : `<p class="note">${shown}</p>`;
  return section(
    'price',
    'Price and round trips',
    drawn +
      legend([
        ['price', result.pair],
        ...(levels.length === 0 ? [] : ([['stop', 'stop at the venue']] as const)),
        ['win', 'bought'],
        ['lose', 'sold'],
      ]) +
      note,
  );
}

/** Indices of the values that follow each other without a null between them. */
function stretches(values: readonly (number | null)[]): number[][] {
  const found: number[][] = [];
  for (const [i, value] of values.entries()) {
    if (value === null) continue;
    if (i > 0 && values[i - 1] !== null && found.length > 0) found.at(-1)?.push(i);
    else found.push([i]);
  }
  return found;
}

export function everyNth(values: readonly unknown[]): number[] {
  const step = Math.max(1, Math.ceil(values.length / TABLE_ROWS));
  return values.map((_, i) => i).filter((i) => i % step === 0 || i === values.length - 1);
}
