import type { RoundTrip } from '../../backtest/round-trips.js';
import { tripRow } from '../../backtest/series.js';
import { Decimal, plain } from '../../model/decimal.js';
import type { Market } from '../../model/market.js';

const HEADER =
  'entry_time,exit_time,side,quantity,entry_price,exit_price,pnl,fees,funding,worst,best,inside_gap';

/**
 * Round trips as CSV: times in ms, money in the quote asset. P&L is net of fees and funding; `worst` and `best` are the
 * extremes of the P&L while the position was open.
 */
export function tripsCsv(market: Market, trips: readonly RoundTrip[]): string {
  const lines = trips.map((trip) => {
    const row = tripRow(market, trip);
    return [
      row.entryTime,
      row.exitTime,
      row.side,
      row.quantity,
      priceText(row.entryPrice),
      priceText(row.exitPrice),
      row.pnl,
      row.fees,
      row.funding,
      plainText(row.worst),
      plainText(row.best),
      row.isInGap,
    ].join(',');
  });
  return `${[HEADER, ...lines].join('\n')}\n`;
}

/** A price with all its digits: more than eight decimals if the tick is finer. */
function priceText(value: number): string {
  return plain(new Decimal(value));
}

function plainText(value: number): string {
  return value.toFixed(8).replace(/\.?0+$/, '');
}
