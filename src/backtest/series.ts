import { DAY_MS } from '../model/calendar.js';
import { type Grid, textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { moneyText } from '../model/money.js';
import type { FillModelName } from '../venue/tape/fill-model.js';
import type { EquityCloses } from './equity-closes.js';
import type { ModelRun } from './model-run.js';
import { dailySeries } from './daily.js';
import type { RoundTrip } from './round-trips.js';
import { type AccountRun, endOf } from './shared-account.js';
import { stopPriceOf } from './stop-price.js';

/** The most round trips that a series lists. */
const MOST_TRIPS = 5_000;
const HOUR_MS = 3_600_000;
/** Decimals of a mean price: at least this many, and this many more than its tick has. */
const PRICE_DIGITS = 8;
const DIGITS_OF_TICK = 6;

/**
 * The curves and lists that a report shows besides the result. Written with the result, and likewise equal for equal
 * inputs.
 */
export interface RunSeries {
  readonly schemaVersion: 1;
  readonly runId: string;
  /** The times of `prices` and `equity`, ms; at most some 2 000. */
  readonly times: readonly number[];
  readonly prices: readonly number[];
  /**
   * Trigger price of the stop that the venue held at each of these times under the headline model; null where it held none.
   * Absent where it held none at any of them.
   */
  readonly stops?: readonly (number | null)[];
  readonly equity: Readonly<Partial<Record<FillModelName, readonly number[]>>>;
  /** Closes of whole UTC days; the first point is the begin of the first day. */
  readonly daily: {
    readonly times: readonly number[];
    readonly equity: readonly number[];
    readonly prices: readonly number[];
  };
  /** P&L under the headline model by hour of the day and by weekday (from Monday), UTC. */
  readonly byHour: readonly number[];
  readonly byWeekday: readonly number[];
  /** The first 5 000 round trips under the headline model; `result.roundTrips` is their total number. */
  readonly roundTrips: readonly TripRow[];
}

/** A round trip. Money is in quote units, quantity in base units. */
export interface TripRow {
  readonly side: RoundTrip['side'];
  readonly entryTime: number;
  readonly exitTime: number;
  /**
   * The largest quantity held at any time. The quantity traded may be larger, if the position was reduced and enlarged
   * again.
   */
  readonly quantity: string;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly pnl: string;
  readonly fees: string;
  readonly funding: string;
  readonly worst: number;
  readonly best: number;
  readonly isInGap: boolean;
}

/** Like `RunSeries`, for several strategies on one account. */
export interface AccountSeries extends Pick<RunSeries, 'schemaVersion' | 'runId' | 'times' | 'equity'> {
  /** P&L of each pair so far under the headline model, quote units. */
  readonly pnl: Readonly<Record<string, readonly number[]>>;
  readonly daily: Pick<RunSeries['daily'], 'times' | 'equity'>;
  readonly byHour: readonly number[];
  readonly byWeekday: readonly number[];
}

export function accountSeries(
  runId: string,
  runs: readonly AccountRun[],
  { account: headline }: AccountRun,
  capital: number,
): AccountSeries {
  const { sessions, watch } = headline;
  const from = Math.min(...sessions.map((session) => session.from).filter((time) => !Number.isNaN(time)));
  const to = endOf(headline);
  const inner = Array.from({ length: watch.curve.count }, (_, i) => watch.curve.timeAt(i));
  const times = [from, ...inner, to];
  const bounds = {
    from,
    to,
    capital,
    finalEquity: watch.equity,
    firstPrice: Number.NaN,
    lastPrice: Number.NaN,
  };
  const daily = dailySeries(watch.closes, bounds);
  return {
    schemaVersion: 1,
    runId,
    times,
    equity: Object.fromEntries(
      runs.map(({ model, account }) => [
        model,
        equityOf({ watch: account.watch, to: endOf(account) }, times, capital),
      ]),
    ),
    pnl: Object.fromEntries(
      sessions.map((session) => [
        session.core.engine.market.pair,
        equityOf(session, times, capital).map((equity) => rounded(equity - capital)),
      ]),
    ),
    daily: { times: daily.times, equity: daily.equity.map(rounded) },
    ...clockTables({ watch, to }, capital),
  };
}

/** What a curve is drawn from; `to`: time of the last print, ms. */
interface Drawn {
  readonly watch: {
    readonly equity: number;
    readonly curve: EquityCloses;
    readonly closes: EquityCloses;
  };
  readonly to: number;
}

export function runSeries(
  runId: string,
  runs: readonly ModelRun[],
  headline: ModelRun,
  capital: number,
): RunSeries {
  const { session } = headline;
  const { watch, core } = session;
  const { market } = core.engine;
  const { curve, firstPrice, lastPrice } = watch;
  const { from, to } = session;
  const inner = Array.from({ length: curve.count }, (_, i) => i);
  const times = [from, ...inner.map((i) => curve.timeAt(i)), to];
  return {
    schemaVersion: 1,
    runId,
    times,
    prices: [firstPrice, ...inner.map((i) => curve.priceAt(i)), lastPrice],
    ...stopsOf([Number.NaN, ...inner.map((i) => curve.stopAt(i)), stopPriceOf(core.engine.workingOrders)]),
    equity: Object.fromEntries(runs.map((run) => [run.model, equityOf(run.session, times, capital)])),
    daily: roundedSeries(
      dailySeries(watch.closes, {
        from,
        to,
        capital,
        firstPrice,
        finalEquity: watch.equity,
        lastPrice: watch.worthOfOne,
      }),
    ),
    ...clockTables(session, capital),
    roundTrips: watch.roundTrips.first(MOST_TRIPS).map((trip) => tripRow(market, trip)),
  };
}

function stopsOf(prices: readonly number[]): Pick<RunSeries, 'stops'> {
  const stops = prices.map((price) => (Number.isNaN(price) ? null : price));
  return stops.every((price) => price === null) ? {} : { stops };
}

export function tripRow({ quantityGrid, priceGrid, quotePrecision }: Market, trip: RoundTrip): TripRow {
  return {
    side: trip.side,
    entryTime: trip.entryTime,
    exitTime: trip.exitTime,
    quantity: textOf(quantityGrid, trip.lots),
    entryPrice: meanPrice(priceGrid, trip.entryTicks),
    exitPrice: meanPrice(priceGrid, trip.exitTicks),
    pnl: moneyText(trip.pnl, quotePrecision),
    fees: moneyText(trip.fees, quotePrecision),
    funding: moneyText(trip.funding, quotePrecision),
    worst: rounded(trip.worst),
    best: rounded(trip.best),
    isInGap: trip.isInGap,
  };
}

/** The equity at these times; after its end, the final equity, e.g. of a ruined account. */
function equityOf({ watch, to }: Drawn, times: readonly number[], capital: number): number[] {
  const { curve } = watch;
  let next = 0;
  let equity = capital;
  return times.map((time) => {
    for (; next < curve.count && curve.timeAt(next) <= time; next++) equity = curve.equityAt(next);
    return rounded(time >= to ? watch.equity : equity);
  });
}

function roundedSeries({ times, equity, prices }: RunSeries['daily']): RunSeries['daily'] {
  return { times, equity: equity.map(rounded), prices };
}

/** P&L by hour of the day and weekday, from the change of the equity in each hour. */
function clockTables({ watch, to }: Drawn, capital: number) {
  const byHour = Array<number>(24).fill(0);
  const byWeekday = Array<number>(7).fill(0);
  let before = capital;
  for (let i = 0; i < watch.closes.count; i++) {
    const equity = watch.closes.equityAt(i);
    add(watch.closes.timeAt(i) - HOUR_MS, equity - before);
    before = equity;
  }
  add(to, watch.equity - before);
  return { byHour: byHour.map(rounded), byWeekday: byWeekday.map(rounded) };

  function add(time: number, pnl: number): void {
    const hour = Math.floor(time / HOUR_MS) % 24;
    // 1970-01-01 was a Thursday.
    const weekday = (Math.floor(time / DAY_MS) + 3) % 7;
    byHour[hour] = (byHour[hour] as number) + pnl;
    byWeekday[weekday] = (byWeekday[weekday] as number) + pnl;
  }
}

/**
 * A mean of prices, to a millionth of a tick, and to eight digits after the point at least: a tick may be finer than
 * those.
 */
function meanPrice({ decimals, scale }: Grid, ticks: number): number {
  const price = ticks / scale;
  const steps = 10 ** Math.max(PRICE_DIGITS, decimals + DIGITS_OF_TICK);
  const whole = Math.round(price * steps);
  // A larger number leaves the double no digits to round away.
  return Number.isSafeInteger(whole) ? whole / steps : price;
}

/** Rounds to eight decimals: further digits are rounding errors of sums. */
function rounded(value: number): number {
  return Math.round(value * 1e8) / 1e8;
}
