/**
 * Limits on each order by itself: quantity, notional, price, open orders and pace. Nothing but the pace of a minute holds
 * back a reduce-only market order, so that a position that was built in steps can be left at once. A stop is such an order,
 * too, but counts as an open one. Reduce-only limit orders are held back by all of them but the hourly limit.
 */
import { textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import type { GateState } from './gate-state.js';
import type { Limits } from './limits.js';
import { HOUR_MS, MINUTE_MS } from './pace.js';
import { amountText, atLeast, atMost, type Objection, priceText } from './refusal.js';

/** Tolerance, ticks, for the rounding error of a product of floats. */
const TICK_NOISE = 1e-6;

export function checkOrderLimits(
  market: Market,
  limits: Limits,
  state: GateState,
  terms: OrderTerms,
): Objection | undefined {
  const { quantityGrid } = market;
  const { maxOrderQuantity, maxOrderNotional, priceCollar, maxOpenOrders } = limits;
  const { maxOrdersPerMinute, maxOrdersPerHour } = limits;
  const isExit = terms.reduceOnly && terms.type === 'market';
  if (!isExit && maxOrderQuantity !== undefined && terms.lots > maxOrderQuantity) {
    const bound = textOf(quantityGrid, maxOrderQuantity);
    return atMost('max-order-quantity', 'quantity', textOf(quantityGrid, terms.lots), bound);
  }
  if (!isExit && maxOrderNotional !== undefined) {
    const objection = checkNotional(market, maxOrderNotional, state, terms);
    if (objection !== undefined) return objection;
  }
  if (priceCollar !== undefined) {
    const objection = checkCollar(market, priceCollar, state, terms);
    if (objection !== undefined) return objection;
  }
  const othersOpen = state.others?.openOrders ?? 0;
  const openOrders = state.exposure.openOrders + othersOpen;
  const stays = !isExit || terms.trigger !== undefined;
  if (stays && maxOpenOrders !== undefined && openOrders >= maxOpenOrders) {
    const [asked, bound] = [String(openOrders + 1), String(maxOpenOrders)];
    // Nothing tells this pair when an order of another one is done.
    return atMost('max-open-orders', 'open orders', asked, bound, othersOpen > 0 ? state.time : undefined);
  }
  if (maxOrdersPerMinute !== undefined) {
    const freeAt = state.pace.ordersFreeAt;
    if (freeAt > state.time) {
      const what = `orders in ${MINUTE_MS / 1_000} s`;
      const asked = String(maxOrdersPerMinute + 1);
      return atMost('max-orders-per-minute', what, asked, String(maxOrdersPerMinute), freeAt);
    }
  }
  if (maxOrdersPerHour !== undefined && !terms.reduceOnly && state.pace.hourFreeAt > state.time) {
    const what = `orders in ${HOUR_MS / MINUTE_MS} min`;
    const asked = String(maxOrdersPerHour + 1);
    return atMost('max-orders-per-hour', what, asked, String(maxOrdersPerHour), state.pace.hourFreeAt);
  }
  return undefined;
}

/**
 * The notional of an order at the largest price that is known
 * to be possible, quote units; `undefined`: no price is known.
 */
export function notionalOf(
  { priceGrid, quantityGrid }: Market,
  markPrice: number | undefined,
  { side, ticks, lots }: OrderTerms,
): number | undefined {
  // A sale trades at its limit or above: at the mark, if that is higher.
  const mark = markPrice === undefined ? undefined : markPrice * priceGrid.scale;
  const price = ticks === undefined || side === 'buy' ? (ticks ?? mark) : Math.max(ticks, mark ?? ticks);
  // Divided last, and by powers of ten, so that equal decimal amounts compare as equal.
  return price === undefined ? undefined : (lots * price) / (priceGrid.scale * quantityGrid.scale);
}

function checkNotional(
  market: Market,
  bound: number,
  { markPrice, time }: GateState,
  terms: OrderTerms,
): Objection | undefined {
  const notional = notionalOf(market, markPrice, terms);
  if (notional !== undefined && notional <= bound) return undefined;
  const asked = notional === undefined ? 'unknown' : amountText(market, notional);
  // The notional of a limit buy is fixed, so asking again is in vain. That of the others moves with the mark.
  const until = terms.ticks === undefined || terms.side === 'sell' ? time : undefined;
  return atMost('max-order-notional', 'notional', asked, amountText(market, bound), until);
}

/**
 * A limit price must lie within the collar of both mark and last trade. An order that takes the market's price is refused
 * when mark and last trade are further apart than the collar: one of them is wrong, and nobody knows which. Reduce-only
 * market orders always pass, so that an exit is possible.
 */
function checkCollar(
  market: Market,
  collar: number,
  state: GateState,
  terms: OrderTerms,
): Objection | undefined {
  const { priceGrid } = market;
  const { scale } = priceGrid;
  const { time, lastTicks, markPrice } = state;
  const { type, side, ticks, reduceOnly } = terms;
  if (type === 'market' && reduceOnly) return undefined;
  const mark = markPrice === undefined ? lastTicks : markPrice * scale;
  if (mark === undefined) {
    const text = `price must be within ${collar} of the mark, received no mark and no trade yet`;
    return { rule: 'price-collar', text, asked: 'unknown', bound: String(collar), until: time };
  }
  const last = lastTicks ?? mark;
  if (ticks !== undefined) {
    const lowest = Math.ceil(Math.max(mark, last) * (1 - collar) - TICK_NOISE);
    const highest = Math.floor(Math.min(mark, last) * (1 + collar) + TICK_NOISE);
    const asked = textOf(priceGrid, ticks);
    if (ticks > highest) return atMost('price-collar', 'price', asked, textOf(priceGrid, highest), time);
    if (ticks < lowest) return atLeast('price-collar', 'price', asked, textOf(priceGrid, lowest), time);
  }
  const takes = ticks === undefined || (!terms.postOnly && (side === 'buy' ? ticks >= last : ticks <= last));
  if (!takes) return undefined;
  const asked = priceText(market, last / scale);
  const lowest = mark * (1 - collar) - TICK_NOISE;
  const highest = mark * (1 + collar) + TICK_NOISE;
  const what = `last trade, for what takes the market's price,`;
  if (last > highest) return atMost('price-collar', what, asked, priceText(market, highest / scale), time);
  if (last < lowest) return atLeast('price-collar', what, asked, priceText(market, lowest / scale), time);
  return undefined;
}
