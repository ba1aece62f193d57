import { type Market, notional } from '../../../model/market.js';
import type { OrderType } from '../../../model/order.js';
import type { CoreFill } from '../../core/account.js';
import { moneyOnWire, rounded, stepsOnWire } from '../wire-number.js';

/**
 * Specification: Fill, with the further fields of its samples. Fees are in the quote asset, whose USD price is 1;
 * negative for a rebate. The order that was filled is not told: the specification's Fill has no field for it.
 */
export function fillRecord(market: Market, fill: CoreFill, orderType: OrderType) {
  const cost = moneyOnWire(notional(market, fill.lots, fill.ticks), market.quotePrecision);
  const gross = moneyOnWire(fill.grossFee, market.quotePrecision);
  const net = moneyOnWire(fill.fee, market.quotePrecision);
  return {
    id: fill.id,
    pair: market.pair,
    side: fill.side === 'buy' ? 'BUY' : 'SELL',
    type: orderType === 'limit' ? 'LIMIT' : 'MARKET',
    is_buyer_maker: (fill.side === 'buy') === (fill.liquidity === 'maker'),
    qty: stepsOnWire(market.quantityGrid, fill.lots),
    qty_usd: cost,
    price: stepsOnWire(market.priceGrid, fill.ticks),
    cost,
    gross_commission: gross,
    net_commission: net,
    net_commission_usd: net,
    gross_commission_asset: market.quote,
    net_commission_asset: market.quote,
    discount: fill.grossFee === fill.fee ? 0 : rounded(1 - net / gross),
    conversion_rate: null,
    liquidation: false,
    time: fill.time,
  };
}
