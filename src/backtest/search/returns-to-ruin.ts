import { DAY_MS } from '../../model/calendar.js';
import { dailySeries, returnsOf } from '../daily.js';
import type { EquityCloses } from '../equity-closes.js';

/** An account that lost everything, and when (ms). */
export interface RuinedAccount {
  readonly closes: EquityCloses;
  readonly ruinedAt: number;
  /** The remaining equity, quote units: 0 or less. */
  readonly equity: number;
}

/**
 * Daily returns, like those of a result, up to the day of the ruin, which is the last one. A ruin before the first
 * whole day counts as that day's return.
 */
export function returnsToRuin(
  { closes, ruinedAt, equity }: RuinedAccount,
  { from, capital }: { readonly from: number; readonly capital: number },
): readonly number[] {
  const to = ruinedAt - (ruinedAt % DAY_MS);
  const prices = { firstPrice: Number.NaN, lastPrice: Number.NaN };
  const { equity: ends } = dailySeries(closes, { from, to, capital, finalEquity: equity, ...prices });
  return returnsOf([...(ends.length === 0 ? [capital] : ends), equity]);
}
