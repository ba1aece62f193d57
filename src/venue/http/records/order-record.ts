import { type Market, notional } from '../../../model/market.js';
import type { CoreOrder } from '../../core/account.js';
import { moneyOnWire, stepsOnWire } from '../wire-number.js';
import { fillRecord } from './fill-record.js';

const STATUS = { active: 'ACTIVE', completed: 'COMPLETED', canceled: 'CANCELLED' } as const;

/** Specification: Order, with the further fields of its samples. `leverage`: what the order was sent with. */
export function orderRecord(market: Market, order: CoreOrder, leverage: number) {
  const { terms, filled, lastTicks, doneReason } = order;
  const limit = terms.ticks === undefined ? 0 : stepsOnWire(market.priceGrid, terms.ticks);
  const last = lastTicks === undefined ? 0 : stepsOnWire(market.priceGrid, lastTicks);
  const reference = order.acceptedMark ?? order.limitTicks;
  return {
    id: order.id,
    pair: market.pair,
    price: terms.type === 'limit' ? limit : last,
    price_orig: limit,
    qty_orig: stepsOnWire(market.quantityGrid, terms.lots),
    qty_orig_usd: moneyOnWire(notional(market, terms.lots, reference), market.quotePrecision),
    qty_remaining: stepsOnWire(market.quantityGrid, order.leaves),
    qty_filled: stepsOnWire(market.quantityGrid, filled),
    side: terms.side === 'buy' ? 'BUY' : 'SELL',
    status: STATUS[order.status],
    time: order.updatedAt,
    time_in_force: terms.timeInForce,
    type: terms.type === 'limit' ? 'LIMIT' : 'MARKET',
    oco: order.tag ?? null,
    icebergs: null,
    trigger_price: null,
    trigger_event: null,
    close_on_trigger: false,
    reduce_only: terms.reduceOnly,
    post_only: terms.postOnly,
    hidden: false,
    fills: order.fills.map((fill) => fillRecord(market, fill, terms.type)),
    leverage,
    customer_id: order.account.name,
    // Only where a rule of the venue ended it: a cancel that was asked for needs no explanation.
    ...(doneReason === undefined || doneReason === 'filled' || doneReason === 'requested'
      ? {}
      : { msg: doneReason }),
  };
}
