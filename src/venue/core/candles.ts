import type { Bar } from '../../model/bar.js';
import { History } from './history.js';

/** Open, high, low, close and volumes of [openTime, openTime + interval). Prices in quote units. */
export interface Candle {
  /** Inclusive, ms, a multiple of the interval. */
  readonly openTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Base units. */
  readonly baseVolume: number;
  readonly quoteVolume: number;
  /** Number of trades. 0: the candle is empty, and its four prices are the last close. */
  readonly trades: number;
  /** Base units of the last trade; 0 in an empty candle. */
  readonly lastQuantity: number;
}

/** A candle that still grows. Rounding errors of its volumes are summed separately, so that 60 × 0.1 gives 6. */
type Growing = { -readonly [K in keyof Candle]: Candle[K] } & { baseRest: number; quoteRest: number };

/** All minutes of one finished hour. */
interface Hour {
  readonly candle: Growing;
  readonly minutes: number;
}

export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Some 34 days. */
const KEPT_MINUTES = 50_000;

/** Minute candles of one market; longer intervals are computed from them on demand. */
export class Candles {
  readonly #minutes = new History<Growing>(KEPT_MINUTES);
  #current: Growing | undefined = undefined;
  /** Finished hours by their last minute: a day has 1 440 minutes, and tickers are requested often. */
  readonly #hours = new WeakMap<Growing, Hour>();

  /** Times must not go back. */
  add(time: number, price: number, quantity: number): void {
    const current = this.#current;
    if (current !== undefined && time < current.openTime + MINUTE_MS) {
      if (price > current.high) current.high = price;
      if (price < current.low) current.low = price;
      current.close = price;
      addVolumes(current, quantity, quantity * price);
      current.trades++;
      current.lastQuantity = quantity;
      return;
    }
    this.#current = first(time - (time % MINUTE_MS), price, quantity);
    this.#minutes.push(this.#current);
  }

  /**
   * Adds a historical bar before any trade, with which a market starts. All of it counts as traded at the bar's start, so
   * finer intervals show it there.
   */
  addBar(bar: Bar): void {
    const { openTime, open, high, low, close, volume, trades } = bar;
    const quoteVolume = (volume * (high + low + close)) / 3;
    this.#current = undefined;
    this.#minutes.push({
      openTime,
      open,
      high,
      low,
      close,
      baseVolume: volume,
      quoteVolume,
      trades,
      lastQuantity: 0,
      baseRest: 0,
      quoteRest: 0,
    });
  }

  /**
   * The newest `limit` candles with from <= openTime <= to, ascending and without holes: an interval without trades has
   * the last close as its prices. No candle opens after `now`; the last one may still grow. None is shown of whose minutes
   * some were forgotten.
   */
  list(intervalMs: number, { from, to, limit, now }: CandleQuery): Candle[] {
    const end = Math.min(to, now);
    const newest = end - (end % intervalMs);
    const oldest = Math.max(from, this.#wholeFrom, newest - (limit - 1) * intervalMs);
    const start = oldest + ((intervalMs - (oldest % intervalMs)) % intervalMs);
    const minutes: Growing[] = [];
    let before: Growing | undefined;
    for (let n = 0; n < this.#minutes.size; n++) {
      const minute = this.#minutes.newest(n) as Growing;
      if (minute.openTime >= newest + intervalMs) continue;
      if (minute.openTime < start) {
        before = minute;
        break;
      }
      minutes.push(minute);
    }
    minutes.reverse();
    return joined(minutes, before, { start, newest, intervalMs });
  }

  /** Open time from which on no minute was forgotten. */
  get #wholeFrom(): number {
    const { pushed, size } = this.#minutes;
    return pushed === size ? Number.NEGATIVE_INFINITY : (this.#minutes.newest(size - 1)?.openTime ?? 0);
  }

  /** All minutes that opened at or after `from`, as one candle; `undefined` when there are none. */
  since(from: number): Candle | undefined {
    let whole: Growing | undefined;
    for (let n = 0; n < this.#minutes.size; ) {
      const minute = this.#minutes.newest(n) as Growing;
      if (minute.openTime < from) break;
      const hour = this.#hourBefore(n);
      const isWhole =
        hour !== undefined && hour.candle.openTime >= from && n + hour.minutes <= this.#minutes.size;
      const part = isWhole ? hour.candle : minute;
      if (whole === undefined) whole = { ...part };
      else addEarlier(whole, part);
      n += isWhole ? hour.minutes : 1;
    }
    return whole === undefined ? undefined : shown(whole);
  }

  /**
   * The hour whose last minute is the n-th newest of all; `undefined` when that minute is not the last of its hour, or
   * the hour is not over.
   */
  #hourBefore(n: number): Hour | undefined {
    const last = this.#minutes.newest(n) as Growing;
    const next = this.#minutes.newest(n - 1);
    const number = hourOf(last);
    if (next === undefined || hourOf(next) === number) return undefined;
    const known = this.#hours.get(last);
    if (known !== undefined) return known;
    const candle = { ...last };
    let minutes = 1;
    for (; ; minutes++) {
      const minute = this.#minutes.newest(n + minutes);
      if (minute === undefined || hourOf(minute) !== number) break;
      addEarlier(candle, minute);
    }
    const hour = { candle, minutes };
    this.#hours.set(last, hour);
    return hour;
  }
}

export interface CandleQuery {
  /** Inclusive bounds of openTime, ms. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly now: number;
}

function hourOf({ openTime }: Growing): number {
  return Math.floor(openTime / HOUR_MS);
}

function joined(
  minutes: readonly Growing[],
  before: Growing | undefined,
  { start, newest, intervalMs }: { start: number; newest: number; intervalMs: number },
): Candle[] {
  const candles: Candle[] = [];
  let at = 0;
  let close = before?.close;
  for (let openTime = start; openTime <= newest; openTime += intervalMs) {
    let candle: Growing | undefined;
    for (; at < minutes.length; at++) {
      const minute = minutes[at] as Growing;
      if (minute.openTime >= openTime + intervalMs) break;
      candle = candle === undefined ? { ...minute, openTime } : { ...merged(candle, minute), openTime };
    }
    if (candle !== undefined) {
      close = candle.close;
      candles.push(shown(candle));
    } else if (close !== undefined) candles.push(empty(openTime, close));
  }
  return candles;
}

/** Extends a candle by the one directly before it. */
function addEarlier(whole: Growing, early: Growing): void {
  whole.openTime = early.openTime;
  whole.open = early.open;
  if (early.high > whole.high) whole.high = early.high;
  if (early.low < whole.low) whole.low = early.low;
  whole.trades += early.trades;
  addVolumes(whole, early.baseVolume, early.quoteVolume);
  whole.baseRest += early.baseRest;
  whole.quoteRest += early.quoteRest;
}

function merged(early: Growing, late: Growing): Growing {
  const whole = {
    ...early,
    high: Math.max(early.high, late.high),
    low: Math.min(early.low, late.low),
    close: late.close,
    trades: early.trades + late.trades,
    lastQuantity: late.lastQuantity,
  };
  addVolumes(whole, late.baseVolume, late.quoteVolume);
  whole.baseRest += late.baseRest;
  whole.quoteRest += late.quoteRest;
  return whole;
}

/** No operand is negative, so comparing them tells which is larger in size. */
function addVolumes(candle: Growing, base: number, quote: number): void {
  const { baseVolume, quoteVolume } = candle;
  candle.baseVolume = baseVolume + base;
  candle.baseRest += lost(baseVolume, base, candle.baseVolume);
  candle.quoteVolume = quoteVolume + quote;
  candle.quoteRest += lost(quoteVolume, quote, candle.quoteVolume);
}

/** The exact rounding error of `sum`, the double sum of two doubles. */
function lost(a: number, b: number, sum: number): number {
  return a >= b ? a - sum + b : b - sum + a;
}

function shown({ baseRest, quoteRest, ...candle }: Growing): Candle {
  return {
    ...candle,
    baseVolume: candle.baseVolume + baseRest,
    quoteVolume: candle.quoteVolume + quoteRest,
  };
}

function first(openTime: number, price: number, quantity: number): Growing {
  return {
    openTime,
    open: price,
    high: price,
    low: price,
    close: price,
    baseVolume: quantity,
    quoteVolume: quantity * price,
    trades: 1,
    lastQuantity: quantity,
    baseRest: 0,
    quoteRest: 0,
  };
}

function empty(openTime: number, close: number): Candle {
  return {
    openTime,
    open: close,
    high: close,
    low: close,
    close,
    baseVolume: 0,
    quoteVolume: 0,
    trades: 0,
    lastQuantity: 0,
  };
}
