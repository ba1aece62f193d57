/** Lines of numbers for the charts and for the tables beside them. */
import type { CandleRow } from '../daemon-api.js';
import type { EventOf } from './board.js';

export interface EquityLine {
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly equity: readonly number[];
  /** ≤ 0: below the highest so far, in units of the asset. */
  readonly drawdown: readonly number[];
  readonly worst: number;
}

/** The line starts at 0, so the highest equity is never below 0. */
export function equityLine(points: readonly EventOf<'equity'>[]): EquityLine {
  const times: number[] = [];
  const equity: number[] = [];
  const drawdown: number[] = [];
  let high = 0;
  let worst = 0;
  for (const { time, equity: text } of points) {
    const value = Number(text);
    if (!Number.isFinite(value)) continue;
    high = Math.max(high, value);
    worst = Math.min(worst, value - high);
    times.push(time / 1_000);
    equity.push(value);
    drawdown.push(value - high);
  }
  return { times, equity, drawdown, worst };
}

/** Merges candles by time, `newer` replacing `known`, and keeps the newest `most`. */
export function joinedCandles(
  known: readonly CandleRow[],
  newer: readonly CandleRow[],
  most: number,
): readonly CandleRow[] {
  const first = newer[0]?.time;
  if (first === undefined) return known;
  return [...known.filter(({ time }) => time < first), ...newer].slice(-most);
}

const MINUTE_MS = 60_000;

/** One-minute candles in larger ones of `minutes`; minutes without a trade have none. */
export function coarser(candles: readonly CandleRow[], minutes: number): readonly CandleRow[] {
  if (minutes === 1) return candles;
  const size = minutes * MINUTE_MS;
  const rows: CandleRow[] = [];
  for (const candle of candles) {
    const time = Math.floor(candle.time / size) * size;
    const last = rows.at(-1);
    if (last?.time !== time) rows.push({ ...candle, time });
    else {
      rows[rows.length - 1] = {
        ...last,
        high: Math.max(last.high, candle.high),
        low: Math.min(last.low, candle.low),
        close: candle.close,
        volume: last.volume + candle.volume,
      };
    }
  }
  return rows;
}

export interface FillMark {
  /** Index of its candle. */
  readonly index: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
}

/** Own fills at the candles of their times. Fills outside of the candles are left out. */
export function fillMarks(
  candles: readonly CandleRow[],
  minutes: number,
  fills: readonly Pick<EventOf<'fill'>, 'time' | 'side' | 'price'>[],
): readonly FillMark[] {
  const size = minutes * MINUTE_MS;
  const indexes = new Map(candles.map(({ time }, index) => [time, index]));
  return fills.flatMap(({ time, side, price }) => {
    const index = indexes.get(Math.floor(time / size) * size);
    const value = Number(price);
    return index === undefined || !Number.isFinite(value) ? [] : [{ index, side, price: value }];
  });
}

/** Used share of a limit, 0 to 1; `undefined` when the texts are not numbers. */
export function usedFraction(rule: string, used: string, bound: string): number | undefined {
  const value = Math.abs(Number(used));
  const limit = Math.abs(Number(bound));
  if (!Number.isFinite(value) || !Number.isFinite(limit)) return undefined;
  // For these two rules the value must stay above the bound.
  if (rule === 'same-side-repeat') return limit === 0 ? 0 : 1 - Math.min(1, value / limit);
  const [part, whole] = rule === 'liquidation-distance' ? [limit, value] : [value, limit];
  // With a bound of 0, any use uses it up.
  if (whole === 0) return part > 0 ? 1 : 0;
  return Math.min(1, part / whole);
}
