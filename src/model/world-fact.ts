import type { Market } from './market.js';
import type { Rate } from './money.js';
import type { Ticker } from './ticker.js';

/** One level of a recorded order book: price in quote units, quantity in base units, as printed. */
export type RecordedLevel = readonly [price: number, quantity: number];

/**
 * What a recording knows of the world besides trades, each as of its `time` (venue ms). A backtest learns it before the
 * first print with a later time, so that filters, fees, funding and marks are those of then and not of today; funding,
 * and the rules and the mark that it goes by, before the prints of its own.
 *
 * - `market`: filters, fees, margin and funding rules from now on
 * - `ticker`: best prices, mark and index
 * - `funding`: the rate that is paid at `time`, as a fraction of the notional; longs pay a positive one
 * - `depth`: best levels first, as many as were recorded
 */
export type WorldFact =
  | { readonly kind: 'market'; readonly time: number; readonly market: Market }
  | { readonly kind: 'ticker'; readonly time: number; readonly ticker: Ticker }
  | { readonly kind: 'funding'; readonly time: number; readonly rate: Rate }
  | {
      readonly kind: 'depth';
      readonly time: number;
      readonly bids: readonly RecordedLevel[];
      readonly asks: readonly RecordedLevel[];
    };
