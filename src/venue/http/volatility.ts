import type { VenueCore } from '../core/venue-core.js';

const HOUR_MS = 3_600_000;
const HOURS = 14 * 24;
const HOURS_A_YEAR = 365 * 24;

interface Known {
  readonly hour: number;
  readonly value: number;
}

const known = new WeakMap<VenueCore, Map<string, Known>>();

/**
 * Annualised standard deviation of the hourly log returns of the last 14 days, as a fraction; 0 with fewer than two
 * returns. Computed once per hour and pair.
 */
export function volatilityOf(core: VenueCore, pair: string, now: number): number {
  const hour = Math.floor(now / HOUR_MS);
  let pairs = known.get(core);
  if (pairs === undefined) {
    pairs = new Map();
    known.set(core, pairs);
  }
  const last = pairs.get(pair);
  if (last?.hour === hour) return last.value;
  const to = hour * HOUR_MS - 1;
  const candles = core.candles(pair, HOUR_MS, { from: 0, to, limit: HOURS + 1, now });
  const value = annualised(candles.map(({ close }) => close));
  pairs.set(pair, { hour, value });
  return value;
}

function annualised(closes: readonly number[]): number {
  const returns: number[] = [];
  for (let i = 1; i < closes.length; i++) {
    returns.push(Math.log((closes[i] as number) / (closes[i - 1] as number)));
  }
  if (returns.length < 2) return 0;
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const squares = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt((squares / (returns.length - 1)) * HOURS_A_YEAR);
}
