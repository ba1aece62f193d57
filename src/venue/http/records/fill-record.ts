import { type Market, notional } from '../../../model/market.js';
import type { OrderType } from '../../../model/order.js';
import type { Account, CoreFill } from '../../core/account.js';
import type { VenueCore } from '../../core/venue-core.js';
import { moneyOnWire, rounded, stepsOnWire, usdOnWire } from '../wire-number.js';

interface Whose {
  readonly core: VenueCore;
  readonly account: Account;
}

/** A fill as its account sees it. */
export function encodeFill(whose: Whose, fill: CoreFill) {
  const { core } = whose;
  return fillRecord(core, core.market(fill.pair).market, fill, orderTypeOf(whose, fill));
}

/** Records of fills, and what else than the fill they were made of. */
const made = new WeakMap<
  CoreFill,
  { readonly type: OrderType; readonly usd: number; readonly text: string }
>();

/** The record as JSON. A fill never changes, and its lists are read again and again. */
export function fillText(whose: Whose, fill: CoreFill): string {
  const { core } = whose;
  const { market } = core.market(fill.pair);
  const type = orderTypeOf(whose, fill);
  const usd = core.usdPrice(market.quote);
  const known = made.get(fill);
  if (known?.type === type && known.usd === usd) return known.text;
  const text = JSON.stringify(fillRecord(core, market, fill, type));
  made.set(fill, { type, usd, text });
  return text;
}

/** An order that the venue has already forgotten was a limit order if it made the trade; what took it is not known. */
function orderTypeOf({ core, account }: Whose, { orderId, liquidity }: CoreFill): OrderType {
  return core.order(account, orderId)?.terms.type ?? (liquidity === 'maker' ? 'limit' : 'market');
}

/**
 * Specification: Fill, with the further fields of its samples. Fees are in the quote asset; negative for a rebate. The
 * order that was filled is not told: the specification's Fill has no field for it.
 */
export function fillRecord(core: VenueCore, market: Market, fill: CoreFill, orderType: OrderType) {
  const { quote, quotePrecision } = market;
  const usdPrice = core.usdPrice(quote);
  const amount = notional(market, fill.lots, fill.ticks);
  return {
    id: fill.id,
    pair: market.pair,
    side: fill.side === 'buy' ? 'BUY' : 'SELL',
    type: orderType === 'limit' ? 'LIMIT' : 'MARKET',
    is_buyer_maker: (fill.side === 'buy') === (fill.liquidity === 'maker'),
    qty: stepsOnWire(market.quantityGrid, fill.lots),
    qty_usd: usdOnWire(amount, quotePrecision, usdPrice),
    price: stepsOnWire(market.priceGrid, fill.ticks),
    cost: moneyOnWire(amount, quotePrecision),
    gross_commission: moneyOnWire(fill.grossFee, quotePrecision),
    net_commission: moneyOnWire(fill.fee, quotePrecision),
    net_commission_usd: usdOnWire(fill.fee, quotePrecision, usdPrice),
    gross_commission_asset: quote,
    net_commission_asset: quote,
    discount: fill.grossFee === fill.fee ? 0 : rounded(core.commissionDiscount),
    conversion_rate: null,
    liquidation: fill.isLiquidation ?? false,
    time: fill.time,
  };
}
