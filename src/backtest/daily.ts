import type { EquityCloses } from './equity-closes.js';
import { DAY_MS } from '../model/calendar.js';

const HOUR_MS = 3_600_000;

/** Daily closes with one point more than whole days: the first point is the beginning of the first day. */
export interface DailySeries {
  /** Ends of UTC days, ms; the first is the beginning of the first one. */
  readonly times: readonly number[];
  /** Quote units. */
  readonly equity: readonly number[];
  readonly prices: readonly number[];
  /** Number of whole days with a print; a day without one is no observation. */
  readonly recorded: number;
}

export interface DailyBounds {
  /** Time, equity and price of the first and the last print. */
  readonly from: number;
  readonly capital: number;
  readonly firstPrice: number;
  readonly to: number;
  readonly finalEquity: number;
  readonly lastPrice: number;
}

/**
 * Closes of the UTC days that the recording covers. The first and the last day count as covered if they have a print in
 * their first or last hour, as no print falls exactly on midnight.
 */
export function dailySeries(closes: EquityCloses, bounds: DailyBounds): DailySeries {
  const times: number[] = [];
  const equity: number[] = [];
  const prices: number[] = [];
  const { from, to } = bounds;
  let recorded = 0;
  if (from % DAY_MS < HOUR_MS) add(from - (from % DAY_MS), bounds.capital, bounds.firstPrice);
  for (let i = 0; i < closes.count; i++) {
    const time = closes.timeAt(i);
    if (time % DAY_MS !== 0 || time <= from) continue;
    add(time, closes.equityAt(i), closes.priceAt(i));
    if (times.length > 1 && closes.printedAt(i) >= time - DAY_MS) recorded++;
  }
  if (to % DAY_MS >= DAY_MS - HOUR_MS) {
    add(to - (to % DAY_MS) + DAY_MS, bounds.finalEquity, bounds.lastPrice);
    if (times.length > 1) recorded++;
  }
  return { times, equity, prices, recorded };

  function add(time: number, value: number, price: number): void {
    times.push(time);
    equity.push(value);
    prices.push(price);
  }
}

/** Simple returns from each value to the next. */
export function returnsOf(values: readonly number[]): number[] {
  return values.slice(1).map((value, i) => value / (values[i] as number) - 1);
}
