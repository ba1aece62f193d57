import { type Market, notional } from '../../../model/market.js';
import type { OrderType } from '../../../model/order.js';
import type { Account, CoreFill } from '../../core/account.js';
import type { VenueCore } from '../../core/venue-core.js';
import { moneyOnWire, rounded, stepsOnWire, usdOnWire } from '../wire-number.js';

/** A fill as its account sees it. */
export function encodeFill(
  { core, account }: { readonly core: VenueCore; readonly account: Account },
  fill: CoreFill,
) {
  const { market } = core.market(fill.pair);
  // An order that the venue has already forgotten was a limit order if it made the trade; what took it is not known.
  const type =
    core.order(account, fill.orderId)?.terms.type ?? (fill.liquidity === 'maker' ? 'limit' : 'market');
  return fillRecord(core, market, fill, type);
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
