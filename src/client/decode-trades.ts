import { compareTrades } from '../model/trade.js';
import type { TradeRecord } from '../model/venue-records.js';
import { DecodeError, idOf, listOf, notNegativeOf, printedNumber } from './wire.js';

interface WireTrade {
  readonly id?: unknown;
  readonly pair?: unknown;
  readonly price?: unknown;
  readonly qty?: unknown;
  readonly time?: unknown;
  readonly is_buyer_maker?: unknown;
  readonly is_best_match?: unknown;
}

/**
 * GET /trades: ascending by (time, id), whatever order they came in. Pages of a thousand are polled every second, so a good
 * record costs a few comparisons, and only a bad one takes the slow way to an error message. Price and quantity stay as they
 * were printed, and NaN for what is not a number: one misprint must not make the page unreadable at every poll. The caller
 * decides which trades are misprints.
 */
export function decodeTrades(result: unknown, pair: string): readonly TradeRecord[] {
  const list = listOf(result, 'trades');
  const trades: TradeRecord[] = [];
  for (let i = list.length - 1; i >= 0; i--) trades.push(tradeOf(list[i], pair));
  // Newest first is the usual way, so that walking backwards leaves nothing to sort.
  for (let i = 1; i < trades.length; i++) {
    if (compareTrades(trades[i - 1] as TradeRecord, trades[i] as TradeRecord) > 0)
      return trades.sort(compareTrades);
  }
  return trades;
}

function tradeOf(value: unknown, pair: string): TradeRecord {
  if (typeof value !== 'object' || value === null) throw new DecodeError('a trade', 'an object', value);
  const wire = value as WireTrade;
  const { id, price, qty, time, is_buyer_maker: isBuyerMaker, is_best_match: isBestMatch } = wire;
  if (wire.pair !== pair && wire.pair !== undefined) throw new DecodeError('trade.pair', pair, wire.pair);
  if (typeof isBuyerMaker !== 'boolean') {
    throw new DecodeError('trade.is_buyer_maker', 'true or false', isBuyerMaker);
  }
  return {
    id: typeof id === 'string' && id !== '' ? id : idOf(id, 'trade.id'),
    pair,
    time: isPositive(time) ? time : notNegativeOf(time, 'trade.time'),
    price: isPositive(price) ? price : printedNumber(price),
    quantity: isPositive(qty) ? qty : printedNumber(qty),
    isBuyerMaker,
    isBestMatch: typeof isBestMatch === 'boolean' ? isBestMatch : undefined,
  };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY;
}
