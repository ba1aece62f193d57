import { notional } from '../../../model/market.js';
import type { TriggerEvent } from '../../../model/order.js';
import type { CoreOrder } from '../../core/account.js';
import type { VenueCore } from '../../core/venue-core.js';
import { stepsOnWire, usdOnWire } from '../wire-number.js';
import { fillRecord } from './fill-record.js';

const STATUS = {
  active: 'ACTIVE',
  completed: 'COMPLETED',
  canceled: 'CANCELLED',
  untriggered: 'UNTRIGGERED',
} as const;

const EVENT: Readonly<Record<TriggerEvent, string>> = {
  mark: 'MARK_PRICE',
  index: 'INDEX_PRICE',
  last: 'LAST_PRICE',
};

/** Specification: Order, with the further fields of its samples and `is_liquidation` (`money.md` §8). */
export function encodeOrder({ core }: { readonly core: VenueCore }, order: CoreOrder) {
  const { terms, filled, lastTicks, message, options, holding } = order;
  const { market } = holding.state;
  const { priceGrid, quantityGrid } = market;
  const limit = terms.ticks === undefined ? 0 : stepsOnWire(priceGrid, terms.ticks);
  const last = lastTicks === undefined ? 0 : stepsOnWire(priceGrid, lastTicks);
  const worth = notional(market, terms.lots, order.acceptedMark ?? order.limitTicks);
  const { trigger } = options;
  return {
    id: order.id,
    pair: market.pair,
    price: terms.type === 'limit' ? limit : last,
    price_orig: limit,
    qty_orig: stepsOnWire(quantityGrid, terms.lots),
    qty_orig_usd: usdOnWire(worth, market.quotePrecision, core.usdPrice(market.quote)),
    qty_remaining: stepsOnWire(quantityGrid, order.leaves),
    qty_filled: stepsOnWire(quantityGrid, filled),
    side: terms.side === 'buy' ? 'BUY' : 'SELL',
    status: STATUS[order.status],
    time: order.updatedAt,
    time_in_force: terms.timeInForce,
    type: terms.type === 'limit' ? 'LIMIT' : 'MARKET',
    oco: order.tag ?? null,
    icebergs: options.icebergs ?? null,
    trigger_price: trigger === undefined ? null : stepsOnWire(priceGrid, trigger.ticks),
    trigger_event: trigger === undefined ? null : EVENT[trigger.event],
    close_on_trigger: options.closeOnTrigger ?? false,
    reduce_only: terms.reduceOnly,
    post_only: terms.postOnly,
    hidden: options.hidden ?? false,
    fills: order.fills.map((fill) => fillRecord(core, market, fill)),
    leverage: options.leverage ?? 0,
    customer_id: order.account.name,
    is_liquidation: order.isLiquidation,
    // Only for an order that a rule of the venue ended: a cancel on request needs no explanation.
    ...(message === undefined ? {} : { msg: message }),
  };
}

/** Cache of the records of ended orders, which no longer change, with the USD price that each was made with. */
const ended = new WeakMap<CoreOrder, { readonly usd: number; readonly text: string }>();

/** The record as JSON text. Cached for ended orders, because lists of thousands of them are read again and again. */
export function orderText(context: { readonly core: VenueCore }, order: CoreOrder): string {
  if (order.status === 'active' || order.status === 'untriggered') {
    return JSON.stringify(encodeOrder(context, order));
  }
  const usd = context.core.usdPrice(order.holding.state.market.quote);
  const known = ended.get(order);
  if (known?.usd === usd) return known.text;
  const text = JSON.stringify(encodeOrder(context, order));
  ended.set(order, { usd, text });
  return text;
}
