/**
 * Checks of what a strategy hands over. Strategies may be written in JavaScript or without a type checker, and an order
 * that its author did not mean costs money. A mistake in the code (a wrong key or type) therefore ends the strategy at
 * once, where a number that merely does not fit, or is missing, is refused.
 */
import { Decimal } from '../model/decimal.js';
import type { StrategyError } from '../model/errors.js';
import { dropPromise } from './drop-promise.js';
import { isRecord, mistake } from './mistake.js';

const ORDER_KEYS = ['side', 'quantity', 'price', 'timeInForce', 'postOnly', 'reduceOnly'] as const;
const TIMES_IN_FORCE: readonly unknown[] = ['GTC', 'IOC', 'FOK'];

/** @throws StrategyError unless the value is an `OrderRequest` without further keys. */
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
  // A price that was computed and came out `undefined` must not turn a limit order into a market order.
  if ('price' in request) checkNumber('price', request.price, ' (a market order has no such key)');
  if (postOnly === true) checkPostOnly(request);
}

/** A post-only order has to be able to rest: the venue refuses one without a price, and an IOC or FOK one. */
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

/**
 * A stop that was computed and came out `undefined` must not become a position without one.
 *
 * @throws StrategyError unless it is `{ stop }` with a number.
 */
export function checkPosition(protection: unknown): void {
  if (!isRecord(protection)) throw mistake('holdPosition must be given a quantity and { stop }', protection);
  for (const key in protection) {
    if (key !== 'stop')
      throw mistake('what protects a position must have no more than stop', key, `the key ${key}`);
  }
  const { stop }: { readonly stop?: unknown } = protection;
  if (!isNumber(stop)) throw mistake('the stop of a position must be a number', stop);
}

const SIDES: readonly string[] = ['bid', 'ask'];
const SIDE_KEYS: readonly string[] = ['price', 'quantity'];

/**
 * Checks the names, not the numbers: a number that does not fit is refused later, like that of any other want. A side
 * under a wrong name would silently withdraw the order on that side, and a further key would silently have no effect.
 *
 * @throws StrategyError unless it has only a bid and an ask, each with only a price and a quantity.
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

const WANT_KEYS = {
  position: { what: 'a position', keys: ['kind', 'quantity', 'stop'] },
  flat: { what: 'flat', keys: ['kind'] },
  orders: { what: 'a list of orders', keys: ['kind', 'orders'] },
} as const;

/**
 * For a want that no function of ours made: a stop under a wrong name would silently be none. A quote has `checkQuote`.
 *
 * @throws StrategyError for a key that such a want does not have.
 */
export function checkWantKeys(want: { readonly kind: keyof typeof WANT_KEYS }): void {
  const { what, keys } = WANT_KEYS[want.kind];
  for (const key in want) {
    if (!(keys as readonly string[]).includes(key))
      throw mistake(`${what} must have no more than ${keys.join(', ')}`, key, `the key ${key}`);
  }
}

/**
 * A text with the same digits would be that of no order. Nothing is one of no order, too: a fill of an earlier session has
 * no intent id.
 *
 * @throws StrategyError unless it is a number, or nothing.
 */
export function checkIntentId(given: unknown): void {
  if (typeof given !== 'number' && given !== undefined)
    throw mistake('what to cancel must be the intentId of an order, a number', given);
}

/** The error for a value that is neither a want nor `undefined`. */
export function notAWant(value: unknown): StrategyError {
  dropPromise(value);
  return mistake('a want must be holdPosition(…), flat(), quote(…), orders(…), or undefined', value);
}

/**
 * For a value that is no finite number. Nothing is refused like NaN: it is what a computation lacks that has too little data.
 *
 * @throws StrategyError unless the value is of a type for numbers, or nothing.
 */
export function checkNumeric(what: string, value: unknown): void {
  if (value !== undefined && value !== null && !isNumber(value))
    throw mistake(`the ${what} must be a number`, value);
}

/** @throws StrategyError unless the value is a number, a text or a Decimal. */
function checkNumber(what: string, value: unknown, hint = ''): void {
  if (!isNumber(value)) throw mistake(`the ${what} of an order must be a number${hint}`, value);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string' || Decimal.isDecimal(value);
}
