import type { Ticker } from '../model/ticker.js';
import type { AssetRecord, DepthLevel, DepthRecord } from '../model/venue-records.js';
import {
  booleanOf,
  DecodeError,
  entriesOf,
  field,
  listOf,
  messageOf,
  notNegativeOf,
  numberOf,
  optionalNumberOf,
  positiveOf,
  recordOf,
  untrusted,
  type WireRecord,
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

/** GET /ticker, which is keyed by pair. `time` is `undefined` when the venue says none. */
export function decodeTicker(
  result: unknown,
  pair: string,
): Omit<Ticker, 'time'> & { readonly time: number | undefined } {
  const all = recordOf(result, 'ticker');
  const wire = recordOf(Object.hasOwn(all, pair) ? all[pair] : undefined, `ticker of ${pair}`);
  const price = (name: string) => {
    // An empty side of the book shows as 0.
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

/** GET /assets. */
export function decodeAssets(result: unknown): readonly AssetRecord[] {
  return entriesOf(result, 'assets').map(([key, value]) => {
    const wire = recordOf(value, `asset ${key}`);
    return {
      key,
      name: messageOf(field(wire, 'name')) ?? untrusted(key),
      precision: wholeOf(field(wire, 'precision'), 'asset.precision'),
      withdrawable: booleanOf(field(wire, 'withdrawable'), 'asset.withdrawable', false),
      minWithdrawal: notNegativeOf(field(wire, 'min_withdrawal') ?? 0, 'asset.min_withdrawal'),
      confirmations: wholeOf(field(wire, 'confirmations') ?? 0, 'asset.confirmations'),
    };
  });
}

function wholeOf(value: unknown, what: string): number {
  const number = notNegativeOf(value, what);
  if (!Number.isInteger(number)) throw new DecodeError(what, 'a whole number', value);
  return number;
}

/** GET /ohlcv; volumes in base and quote units. Times are venue ms. */
export interface Candle {
  readonly openTime: number;
  readonly closeTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly baseVolume: number;
  readonly quoteVolume: number;
  readonly trades: number | undefined;
}

/** Ascending by open time. */
export function decodeCandles(result: unknown): readonly Candle[] {
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
        trades: optionalNumberOf(field(wire, 'trades'), 'candle.trades'),
      };
    })
    .sort((a, b) => a.openTime - b.openTime);
}
