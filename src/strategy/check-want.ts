/**
 * What a strategy hands over, held against what it may be. Strategies are written in JavaScript or without a compiler
 * that looks, and an order that is not what its author meant is money: a mistake of the code ends it at once, where a
 * mere number that does not fit is refused.
 */
import { Decimal } from '../model/decimal.js';
import type { StrategyError } from '../model/errors.js';
import { isRecord, mistake } from './mistake.js';

const ORDER_KEYS = ['side', 'quantity', 'price', 'timeInForce', 'postOnly', 'reduceOnly'] as const;
const TIMES_IN_FORCE: readonly unknown[] = ['GTC', 'IOC', 'FOK'];

/** @throws StrategyError unless it is an order as `OrderRequest` says, with nothing beside it. */
export function checkOrder(given: unknown): void {
  if (!isRecord(given)) throw mistake('an order must be { side, quantity, … }', given);
  const request: { readonly [K in (typeof ORDER_KEYS)[number]]?: unknown } = given;
  for (const key in request) {
    if (!(ORDER_KEYS as readonly string[]).includes(key)) {
      throw mistake(`an order must have no more than ${ORDER_KEYS.join(', ')}`, key, `the key ${key}`);
    }
  }
  const { side, timeInForce, postOnly, reduceOnly } = request;
  if (side !== 'buy' && side !== 'sell') throw mistake('the side of an order must be buy or sell', side);
  if (timeInForce !== undefined && !TIMES_IN_FORCE.includes(timeInForce)) {
    throw mistake('timeInForce must be GTC, IOC or FOK', timeInForce);
  }
  for (const [name, flag] of [
    ['postOnly', postOnly],
    ['reduceOnly', reduceOnly],
  ]) {
    if (flag !== undefined && typeof flag !== 'boolean')
      throw mistake(`${String(name)} must be true or false`, flag);
  }
  checkNumber('quantity', request.quantity);
  // What was computed and came to nothing must not become an order at whatever price there is.
  if ('price' in request) checkNumber('price', request.price, ' (a market order has no such key)');
  if (postOnly === true) checkPostOnly(request);
}

/** What does not rest can only take: the venue would refuse every such order. */
function checkPostOnly(request: { readonly price?: unknown; readonly timeInForce?: unknown }): void {
  const { price, timeInForce = 'GTC' } = request;
  if (price === undefined) throw mistake('a post-only order must have a price', price, 'none');
  if (timeInForce !== 'GTC') throw mistake('a post-only order must be GTC', timeInForce);
}

/** @throws StrategyError unless it is a list of orders. */
export function checkOrders(list: unknown): void {
  if (!Array.isArray(list)) throw mistake('orders must be given a list of orders', list);
  for (const request of list as readonly unknown[]) checkOrder(request);
}

const SIDES: readonly string[] = ['bid', 'ask'];
const SIDE_KEYS: readonly string[] = ['price', 'quantity'];

/**
 * A number that does not fit, or is none, is refused like any other. A side that is meant and is under another name
 * would withdraw an order in silence, and what a quote cannot be told must not be left out of it.
 *
 * @throws StrategyError unless it has no more than a bid and an ask, each of a price and a quantity.
 */
export function checkQuote(given: unknown, more?: 'kind'): void {
  if (!isRecord(given)) throw mistake('quote must be given { bid, ask }', given);
  const sides: { readonly bid?: unknown; readonly ask?: unknown } = given;
  for (const key in sides) {
    if (!SIDES.includes(key) && key !== more)
      throw mistake('a quote must have no more than bid, ask', key, `the key ${key}`);
  }
  checkQuoteSide('bid', sides.bid);
  checkQuoteSide('ask', sides.ask);
}

function checkQuoteSide(name: 'bid' | 'ask', side: unknown): void {
  if (side === undefined) return;
  if (!isRecord(side)) throw mistake(`the ${name} of a quote must be { price, quantity } or undefined`, side);
  for (const key in side) {
    if (!SIDE_KEYS.includes(key)) {
      const must = `the ${name} of a quote must have no more than price, quantity (it is post-only, and never reduce-only)`;
      throw mistake(must, key, `the key ${key}`);
    }
  }
}

/** What is neither a want nor nothing. */
export function notAWant(value: unknown): StrategyError {
  return mistake('a want must be holdPosition(…), flat(), quote(…), orders(…), or undefined', value);
}

/** @throws StrategyError for what is no number, neither as one nor as text nor as Decimal. */
function checkNumber(what: string, value: unknown, hint = ''): void {
  if (typeof value === 'number' || typeof value === 'string' || Decimal.isDecimal(value)) return;
  throw mistake(`the ${what} of an order must be a number${hint}`, value);
}
