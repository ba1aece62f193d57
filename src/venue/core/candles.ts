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
  /** 0: nothing traded in it, and its four prices are the close before it. */
  readonly trades: number;
  /** Base units of its last trade; 0 when empty. */
  readonly lastQuantity: number;
}

type Growing = { -readonly [K in keyof Candle]: Candle[K] };

export const MINUTE_MS = 60_000;
/** Some 34 days. */
const KEPT_MINUTES = 50_000;

/** Minute candles of one market, from which every longer interval is made when somebody asks. */
export class Candles {
  readonly #minutes = new History<Growing>(KEPT_MINUTES);
  #current: Growing | undefined = undefined;

  /** Times never fall. */
  add(time: number, price: number, quantity: number): void {
    const current = this.#current;
    if (current !== undefined && time < current.openTime + MINUTE_MS) {
      if (price > current.high) current.high = price;
      if (price < current.low) current.low = price;
      current.close = price;
      current.baseVolume += quantity;
      current.quoteVolume += quantity * price;
      current.trades++;
      current.lastQuantity = quantity;
      return;
    }
    this.#current = first(time - (time % MINUTE_MS), price, quantity);
    this.#minutes.push(this.#current);
  }

  /**
   * A bar of the past, before any trade: what a market starts with. It counts as traded at its start, so intervals
   * finer than its own show it there.
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
    });
  }

  /**
   * The newest `limit` candles with from <= openTime <= to, ascending, without holes: an interval in which nothing
   * traded shows the close before it. `now` ends the list; the last candle may still grow.
   */
  list(intervalMs: number, { from, to, limit, now }: CandleQuery): Candle[] {
    const end = Math.min(to, now);
    const newest = end - (end % intervalMs);
    const oldest = Math.max(from, newest - (limit - 1) * intervalMs);
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

  /** All minutes that opened at or after `from`, as one candle; `undefined` when there is none. */
  since(from: number): Candle | undefined {
    let whole: Growing | undefined;
    for (let n = 0; n < this.#minutes.size; n++) {
      const minute = this.#minutes.newest(n) as Growing;
      if (minute.openTime < from) break;
      whole = whole === undefined ? { ...minute } : merged(minute, whole);
    }
    return whole;
  }
}

export interface CandleQuery {
  /** Inclusive bounds of openTime, ms. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly now: number;
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
    if (candle !== undefined) close = candle.close;
    else if (close !== undefined) candle = empty(openTime, close);
    if (candle !== undefined) candles.push(candle);
  }
  return candles;
}

function merged(early: Growing, late: Growing): Growing {
  return {
    openTime: early.openTime,
    open: early.open,
    high: Math.max(early.high, late.high),
    low: Math.min(early.low, late.low),
    close: late.close,
    baseVolume: early.baseVolume + late.baseVolume,
    quoteVolume: early.quoteVolume + late.quoteVolume,
    trades: early.trades + late.trades,
    lastQuantity: late.lastQuantity,
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
  };
}

function empty(openTime: number, close: number): Growing {
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
