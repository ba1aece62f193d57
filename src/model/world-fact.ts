import type { Market } from './market.js';
import type { Rate } from './money.js';
import type { Ticker } from './ticker.js';

/** One level of a recorded order book: price in quote units, quantity in base units, as printed. */
export type RecordedLevel = readonly [price: number, quantity: number];

/**
 * A fact that a recording holds besides trades, valid from its `time` (venue ms) on. A backtest learns it before the
 * first print with a later time, so that filters, fees, funding and marks are those of the recorded time and not of
 * today. Funding, and the rules and the mark that it depends on, are learned before the prints of the same time.
 *
 * - `market`: filters, fees, margin and funding rules from this time on
 * - `ticker`: best prices, mark and index
 * - `funding`: the rate that is paid at `time`, as a fraction of the notional; longs pay a positive rate
 * - `depth`: the best levels first, as many as were recorded
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
