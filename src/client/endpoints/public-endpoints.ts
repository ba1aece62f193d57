/**
 * What anybody may ask. Errors of every one: HTTP 503 with code 503 (specification: Errors), and what `dialect.md` §2
 * adds; a read that fails rejects with a `VenueError`.
 */
import {
  decodeAssets,
  decodeCandles,
  decodeDepth,
  decodeTickers,
  decodeTime,
} from '../decode-market-data.js';
import { decodeMarketRecords } from '../decode-market-record.js';
import { type DecodedMarkets, decodeMarkets } from '../decode-markets.js';
import { decodeTrades } from '../decode-trades.js';
import { LIST_MS, type None, publicRead, READ_MS } from './endpoint.js';
import type { CandleParameters, DepthParameters, OptionalPair, TradeParameters } from './parameters.js';

export const PUBLIC_READS = {
  /**
   * The newest `limit` trades of a market inside [start, end]; ascending by (time, id) here. Prices in quote units,
   * quantities in base units, times in ms. Auth: none. Refused: unknown pair. Specification: Public trade.
   */
  trades: publicRead(
    '/trades',
    { priority: 'trades', deadlineMs: LIST_MS, source: 'described', section: 'Public trade', call: 'trades' },
    (result, { pair }: TradeParameters) => decodeTrades(result, pair),
  ),
  /**
   * All markets: what trading needs of each, checked, and with `raw('pairs', {})` every field as printed. Rates are
   * fractions, intervals ms. Auth: none. Specification: Market.
   */
  pairs: publicRead<None, DecodedMarkets & { readonly records: ReturnType<typeof decodeMarketRecords> }>(
    '/pairs',
    { priority: 'history', deadlineMs: LIST_MS, source: 'described', section: 'Market', call: 'markets' },
    (result) => ({ ...decodeMarkets(result), records: decodeMarketRecords(result) }),
  ),
  /** All assets; amounts in units of the asset. Auth: none. Specification: Asset. */
  assets: publicRead<None, ReturnType<typeof decodeAssets>>(
    '/assets',
    { priority: 'history', deadlineMs: LIST_MS, source: 'described', section: 'Asset', call: 'assets' },
    decodeAssets,
  ),
  /** The venue's clock, ms. Auth: none. Specification: Other endpoints. */
  time: publicRead<None, ReturnType<typeof decodeTime>>(
    '/time',
    { priority: 'state', deadlineMs: READ_MS, source: 'named', section: 'Other endpoints', call: 'time' },
    decodeTime,
  ),
  /**
   * Prices, volumes and funding of one pair or all, by pair. Quote units; `priceChangePercent` in percent, rates and
   * volatility as fractions. Auth: none. Refused: unknown pair. Specification: Other endpoints; `dialect.md` §4.
   */
  ticker: publicRead<OptionalPair, ReturnType<typeof decodeTickers>>(
    '/ticker',
    { priority: 'ticker', deadlineMs: READ_MS, source: 'named', section: 'Other endpoints', call: 'tickers' },
    decodeTickers,
  ),
  /**
   * The book, `limit` levels a side: bids descending, asks ascending. Hidden orders are not in it. Auth: none.
   * Refused: unknown pair. Specification: Other endpoints; `dialect.md` §3.
   */
  depth: publicRead<DepthParameters, ReturnType<typeof decodeDepth>>(
    '/depth',
    { priority: 'ticker', deadlineMs: READ_MS, source: 'named', section: 'Other endpoints', call: 'depth' },
    decodeDepth,
  ),
  /**
   * Candles, ascending by open time; volumes in base and quote units. Auth: none. Refused: unknown pair. Specification:
   * Other endpoints; `dialect.md` §3.
   */
  ohlcv: publicRead<CandleParameters, ReturnType<typeof decodeCandles>>(
    '/ohlcv',
    {
      priority: 'history',
      deadlineMs: LIST_MS,
      source: 'named',
      section: 'Other endpoints',
      call: 'candles',
    },
    decodeCandles,
  ),
} as const;
