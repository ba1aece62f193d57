import type { Ticker } from '../model/ticker.js';
import type {
  AssetRecord,
  CandleRecord,
  DepthLevel,
  DepthRecord,
  TickerRecord,
  WireRecord,
} from '../model/venue-records.js';
import { filterOf } from './decode-market-record.js';
import {
  booleanOf,
  DecodeError,
  entriesOf,
  factFlag,
  factNumber,
  factRecord,
  factText,
  field,
  listOf,
  messageOf,
  notNegativeOf,
  numberOf,
  optionalNumberOf,
  positiveOf,
  recordOf,
  untrusted,
} from './wire.js';

/** GET /time: the number itself, or an object or one-element array that holds it. */
export function decodeTime(result: unknown): number {
  const only = Array.isArray(result) && result.length === 1 ? (result[0] as unknown) : result;
  const value =
    typeof only === 'object' && only !== null
      ? field(only as WireRecord, 'time', 'server_time', 'serverTime')
      : only;
  return notNegativeOf(value, 'time');
}

/** GET /ticker, which is keyed by pair. `time`: `undefined` where the venue tells none. */
export function decodeTicker(
  result: unknown,
  pair: string,
): Omit<Ticker, 'time'> & { readonly time: number | undefined } {
  const all = recordOf(result, 'ticker');
  const wire = recordOf(Object.hasOwn(all, pair) ? all[pair] : undefined, `ticker of ${pair}`);
  const price = (name: string) => {
    // The venue prints 0 for an empty side of the book.
    const value = optionalNumberOf(field(wire, name), `ticker.${name}`);
    return value === undefined || value <= 0 ? undefined : value;
  };
  return {
    time: optionalNumberOf(field(wire, 'close_time'), 'ticker.close_time'),
    lastPrice: price('last_price'),
    markPrice: price('mark_price'),
    indexPrice: price('index_price'),
    bidPrice: price('bid_price'),
    bidQuantity: price('bid_qty'),
    askPrice: price('ask_price'),
    askQuantity: price('ask_qty'),
  };
}

/** GET /ticker with everything in it, by pair. */
export function decodeTickers(result: unknown): ReadonlyMap<string, TickerRecord> {
  const entries = entriesOf(result, 'tickers');
  return new Map(entries.map(([pair, value]) => [pair, tickerOf(value, pair)]));
}

function tickerOf(value: unknown, pair: string): TickerRecord {
  const wire = recordOf(value, `ticker of ${pair}`);
  const number = (name: string) => factNumber(wire, name);
  return {
    pair,
    lastPrice: number('last_price'),
    previousLastPrice: number('prev_last_price'),
    lastQuantity: number('last_qty'),
    openPrice: number('open_price'),
    highPrice: number('high_price'),
    lowPrice: number('low_price'),
    closePrice: number('close_price'),
    openMark: number('open_price_mark'),
    highMark: number('high_price_mark'),
    lowMark: number('low_price_mark'),
    closeMark: number('close_price_mark'),
    priceChange: number('price_change'),
    priceChangePercent: number('price_change_percent'),
    minPrice: number('min_price'),
    maxPrice: number('max_price'),
    markPrice: number('mark_price'),
    indexPrice: number('index_price'),
    fairPrice: number('fair_price'),
    bidPrice: number('bid_price'),
    bidQuantity: number('bid_qty'),
    askPrice: number('ask_price'),
    askQuantity: number('ask_qty'),
    baseVolume: number('base_volume'),
    quoteVolume: number('quote_volume'),
    volatility: number('volatility'),
    closeTime: number('close_time'),
    fundingRate: number('funding_rate'),
    nextFundingTime: number('next_funding_time'),
    underlyingPrice: number('underlying_price'),
    strike: number('strike'),
    blackScholes: number('black_scholes'),
    otmAmount: number('otm_amount'),
    wire,
  };
}

/** GET /depth: bids descending, asks ascending, whatever order they came in. */
export function decodeDepth(result: unknown): DepthRecord {
  const wire = recordOf(result, 'depth');
  return {
    bids: levels(field(wire, 'bids'), 'depth.bids').sort((a, b) => b.price - a.price),
    asks: levels(field(wire, 'asks'), 'depth.asks').sort((a, b) => a.price - b.price),
  };
}

function levels(value: unknown, what: string): DepthLevel[] {
  return listOf(value, what)
    .map((level) => {
      const [price, quantity] = Array.isArray(level)
        ? (level as readonly unknown[])
        : [field(recordOf(level, what), 'price'), field(recordOf(level, what), 'qty')];
      return {
        price: positiveOf(price, `${what}.price`),
        quantity: notNegativeOf(quantity, `${what}.qty`),
      };
    })
    .filter(({ quantity }) => quantity > 0);
}

/** GET /assets: keyed by asset, as an object or in an array. */
export function decodeAssets(result: unknown): readonly AssetRecord[] {
  return entriesOf(result, 'assets').map(([key, value]) => {
    const wire = recordOf(value, `asset ${key}`);
    const fees = factRecord(wire, 'fees') ?? {};
    const filters = factRecord(wire, 'filters') ?? {};
    return {
      key,
      name: messageOf(field(wire, 'name')) ?? untrusted(key),
      description: factText(wire, 'description'),
      precision: wholeOf(field(wire, 'precision'), 'asset.precision'),
      displayPrecision: factNumber(wire, 'display_precision'),
      confirmations: wholeOf(field(wire, 'confirmations') ?? 0, 'asset.confirmations'),
      platform: factText(wire, 'platform'),
      isToken: factFlag(wire, 'is_token'),
      withdrawable: booleanOf(field(wire, 'withdrawable'), 'asset.withdrawable', false),
      minWithdrawal: notNegativeOf(field(wire, 'min_withdrawal') ?? 0, 'asset.min_withdrawal'),
      isSpecialCommissionAsset: factFlag(wire, 'is_special_commission_asset'),
      stablecoin: factFlag(wire, 'stablecoin'),
      fees: { withdrawal: factNumber(fees, 'withdrawal'), deposit: factNumber(fees, 'deposit') },
      filters: { quantity: filterOf(filters, 'qty'), price: filterOf(filters, 'price') },
      usdPrice: factNumber(wire, 'usd_price'),
      wire,
    };
  });
}

function wholeOf(value: unknown, what: string): number {
  const number = notNegativeOf(value, what);
  if (!Number.isInteger(number)) throw new DecodeError(what, 'a whole number', value);
  return number;
}

/** GET /ohlcv, ascending by open time. */
export function decodeCandles(result: unknown): readonly CandleRecord[] {
  return listOf(result, 'candles')
    .map((value) => {
      const wire = recordOf(value, 'a candle');
      const price = (name: string) => positiveOf(field(wire, name), `candle.${name}`);
      const number = (name: string) => numberOf(field(wire, name), `candle.${name}`);
      return {
        openTime: number('open_time'),
        closeTime: number('close_time'),
        open: price('open'),
        high: price('high'),
        low: price('low'),
        close: price('close'),
        baseVolume: notNegativeOf(field(wire, 'base_volume'), 'candle.base_volume'),
        quoteVolume: notNegativeOf(field(wire, 'quote_volume') ?? 0, 'candle.quote_volume'),
        trades: factNumber(wire, 'trades'),
        lastPrice: factNumber(wire, 'last_price'),
        lastQuantity: factNumber(wire, 'last_qty'),
      };
    })
    .sort((a, b) => a.openTime - b.openTime);
}
