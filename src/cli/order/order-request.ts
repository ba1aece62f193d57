/** Turns an order as a person writes it into the terms and options that the client sends. */
import { parseDecimal } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import { exactSteps, type Lots, textOf, type Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { OrderTerms, TimeInForce, TriggerEvent } from '../../model/order.js';
import type { Side } from '../../model/side.js';
import type { PlaceOptions } from '../../ports/venue-api.js';

/** Decimals are plain text: prices in quote units, quantities in base units. */
export interface OrderText {
  readonly side: Side;
  readonly quantity: string;
  /** Limit price; absent for a market order. */
  readonly price?: string | undefined;
  readonly timeInForce?: TimeInForce | undefined;
  readonly postOnly?: boolean | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly hidden?: boolean | undefined;
  readonly icebergs?: number | undefined;
  readonly triggerPrice?: string | undefined;
  readonly triggerEvent?: TriggerEvent | undefined;
  readonly closeOnTrigger?: boolean | undefined;
  readonly oco?: string | undefined;
  readonly leverage?: number | undefined;
}

export interface OrderRequest {
  readonly terms: OrderTerms;
  readonly options: PlaceOptions;
}

/** An order that is not sent. `reason`: the rule and both numbers. */
export interface Unsendable {
  readonly kind: 'unsendable';
  readonly reason: string;
}

/** @throws UsageError for combinations that are invalid on every market (`money.md` §4). */
export function checkOrderText(order: OrderText): void {
  const { price, timeInForce = 'GTC', icebergs, triggerPrice } = order;
  const rests = price !== undefined && timeInForce === 'GTC';
  if (order.postOnly === true && !rests) throw must('--post-only', 'a limit order that is GTC');
  if (icebergs !== undefined && !rests) throw must('--icebergs', 'a limit order that is GTC');
  if (icebergs !== undefined && order.hidden === true)
    throw must('--icebergs', 'an order that is not --hidden');
  if (triggerPrice === undefined) {
    if (order.triggerEvent !== undefined) throw must('--trigger-event', '--trigger-price');
    if (order.closeOnTrigger === true) throw must('--close-on-trigger', '--trigger-price');
  }
}

function must(flag: string, companion: string): UsageError {
  return new UsageError(
    'TICKWRIGHT_E_ORDER',
    `${flag} must go with ${companion}, received an order that is not so`,
  );
}

/** The order in exact steps of the market's grid. Values off the grid are refused rather than rounded. */
export function orderRequest(market: Market, order: OrderText): OrderRequest | Unsendable {
  const { price, icebergs: slices } = market.filters;
  const { priceGrid, quantityGrid } = market;
  const lots = onGrid(market, 'quantity', order.quantity);
  if (typeof lots !== 'number') return lots;
  const ticks = order.price === undefined ? undefined : onGrid(market, 'price', order.price);
  if (typeof ticks === 'object') return ticks;
  const trigger =
    order.triggerPrice === undefined ? undefined : onGrid(market, 'trigger price', order.triggerPrice);
  if (typeof trigger === 'object') return trigger;
  if (trigger !== undefined && (trigger < price.min || trigger > price.max)) {
    const bounds = `from ${textOf(priceGrid, price.min)} to ${textOf(priceGrid, price.max)}`;
    return unsendable('tick', `trigger price must be ${bounds}, received ${textOf(priceGrid, trigger)}`);
  }
  if (order.icebergs !== undefined) {
    const slice = Math.ceil(lots / order.icebergs / slices.step) * slices.step;
    if (slice < slices.min || slice > slices.max) {
      const bounds = `from ${textOf(quantityGrid, slices.min)} to ${textOf(quantityGrid, slices.max)}`;
      return unsendable('iceberg', `a slice must be ${bounds}, received ${textOf(quantityGrid, slice)}`);
    }
  }
  // A close-on-trigger order can only reduce (`money.md` §4). The flag is sent as well, so that the venue's record
  // shows it.
  const reduceOnly = order.reduceOnly === true || order.closeOnTrigger === true;
  const { hidden, icebergs, closeOnTrigger, oco, leverage } = order;
  return {
    terms: {
      side: order.side,
      type: ticks === undefined ? 'market' : 'limit',
      ticks: ticks as Ticks | undefined,
      lots: lots as Lots,
      timeInForce: order.timeInForce ?? 'GTC',
      postOnly: order.postOnly === true,
      reduceOnly,
    },
    options: {
      ...(hidden === true ? { hidden } : {}),
      ...(icebergs === undefined ? {} : { icebergs }),
      ...(trigger === undefined
        ? {}
        : { trigger: { ticks: trigger as Ticks, event: order.triggerEvent ?? 'mark' } }),
      ...(closeOnTrigger === true ? { closeOnTrigger } : {}),
      ...(oco === undefined ? {} : { oco }),
      ...(leverage === undefined ? {} : { leverage }),
    },
  };
}

/** Whole steps of a decimal. Also checks the step of the filter, so that both errors have the same words. */
function onGrid(
  { filters, priceGrid, quantityGrid }: Market,
  what: 'price' | 'trigger price' | 'quantity',
  text: string,
): number | Unsendable {
  const isQuantity = what === 'quantity';
  const grid = isQuantity ? quantityGrid : priceGrid;
  const { tickSize, max: maxPrice } = filters.price;
  const { step, max } = isQuantity ? filters.quantity : { step: tickSize, max: maxPrice };
  const steps = exactSteps(grid, text);
  if (steps !== undefined && steps % step === 0) return steps;
  const value = parseDecimal(text);
  // What lies on the grid and has no steps has more of them than can be counted, and than any filter lets pass.
  if (steps === undefined && value?.times(grid.scale).isInteger() === true) {
    const rule = isQuantity ? 'max-quantity' : 'max-price';
    return unsendable(rule, `${what} must be at most ${textOf(grid, max)}, received ${text}`);
  }
  const received = value === undefined ? JSON.stringify(text) : text;
  const rule = isQuantity ? 'lot' : 'tick';
  return unsendable(rule, `${what} must be a multiple of ${textOf(grid, step)}, received ${received}`);
}

function unsendable(rule: string, text: string): Unsendable {
  return { kind: 'unsendable', reason: `${rule}: ${text}` };
}

/**
 * An order in words, before it is sent: `buy 0.5 BTC at 60000 USD on USD_BTC_PERP, when the mark price reaches 61000,
 * post-only`.
 */
export function requestText(market: Market, { terms, options }: OrderRequest): string {
  const { pair, base, quote, priceGrid, quantityGrid } = market;
  const price = terms.ticks === undefined ? 'at market' : `at ${textOf(priceGrid, terms.ticks)} ${quote}`;
  const { trigger } = options;
  return [
    `${terms.side} ${textOf(quantityGrid, terms.lots)} ${base} ${price} on ${pair}`,
    trigger === undefined
      ? undefined
      : `when the ${trigger.event} price reaches ${textOf(priceGrid, trigger.ticks)}`,
    terms.timeInForce === 'GTC' ? undefined : terms.timeInForce,
    terms.postOnly ? 'post-only' : undefined,
    terms.reduceOnly ? 'reduce-only' : undefined,
    options.hidden === true ? 'hidden' : undefined,
    options.icebergs === undefined ? undefined : `in ${options.icebergs} icebergs`,
    options.closeOnTrigger === true ? 'close-on-trigger' : undefined,
    options.oco === undefined ? undefined : `oco ${options.oco}`,
    options.leverage === undefined ? undefined : `leverage ${options.leverage}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
