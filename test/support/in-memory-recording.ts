import { NO_RATES } from '../../src/storage/facts/recorded-rates.js';
import type { Trade, TradeGap } from '../../src/model/trade.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { BTC } from './markets.js';

/** Trades as a recording that nobody wrote, in chunks of so many. */
export function inMemory(
  trades: Iterable<Trade>,
  { size = 1_000, gaps = [] as readonly TradeGap[] } = {},
): Recording {
  return {
    pair: BTC.pair,
    kind: 'trades',
    folders: [],
    days: [],
    market: BTC,
    marketSource: 'given',
    rates: NO_RATES,
    marginChangedAt: undefined,
    gaps,
    barMs: undefined,
    async *chunks() {
      let chunk = new TradeColumns(size);
      for (const trade of trades) {
        chunk.push(trade);
        if (chunk.count < size) continue;
        yield chunk;
        chunk = new TradeColumns(size);
      }
      if (chunk.count > 0) yield chunk;
    },
    async *bars() {},
    async *facts() {},
  };
}
