import type { Trade, TradeGap } from '../../src/model/trade.js';
import type { Recording } from '../../src/storage/recording.js';
import { TradeColumns } from '../../src/storage/trade-columns.js';
import { BTC } from './markets.js';

/** Trades as a recording that nobody wrote, in chunks of so many. */
export function inMemory(
  trades: readonly Trade[],
  { size = 1_000, gaps = [] as readonly TradeGap[] } = {},
): Recording {
  return {
    pair: BTC.pair,
    kind: 'trades',
    folders: [],
    days: [],
    market: BTC,
    marketSource: 'given',
    gaps,
    barMs: undefined,
    async *chunks() {
      for (let from = 0; from < trades.length; from += size) {
        yield TradeColumns.of(trades.slice(from, from + size));
      }
    },
    async *bars() {},
    async *facts() {},
  };
}
