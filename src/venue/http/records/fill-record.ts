import { type Market, notional } from '../../../model/market.js';
import type { CoreFill } from '../../core/account.js';
import type { VenueCore } from '../../core/venue-core.js';
import { moneyOnWire, rounded, stepsOnWire, usdOnWire } from '../wire-number.js';

/** A fill as its own account sees it. */
export function encodeFill({ core }: { readonly core: VenueCore }, fill: CoreFill) {
  return fillRecord(core, core.market(fill.pair).market, fill);
}

/** Cache of the records of fills, with the USD price that each was made with. */
const made = new WeakMap<CoreFill, { readonly usd: number; readonly text: string }>();

/** The record as JSON text. Cached, because a fill never changes and lists of fills are read again and again. */
export function fillText({ core }: { readonly core: VenueCore }, fill: CoreFill): string {
  const { market } = core.market(fill.pair);
  const usd = core.usdPrice(market.quote);
  const known = made.get(fill);
  if (known?.usd === usd) return known.text;
  const text = JSON.stringify(fillRecord(core, market, fill));
  made.set(fill, { usd, text });
  return text;
}

/**
 * Specification: Fill, with the further fields of its samples. Fees are in the quote asset; negative for a rebate. The
 * record does not name the filled order, because the specification's Fill has no field for it.
 */
export function fillRecord(core: VenueCore, market: Market, fill: CoreFill) {
  const { quote, quotePrecision } = market;
  const usdPrice = core.usdPrice(quote);
  const amount = notional(market, fill.lots, fill.ticks);
  return {
    id: fill.id,
    pair: market.pair,
    side: fill.side === 'buy' ? 'BUY' : 'SELL',
    type: fill.orderType === 'limit' ? 'LIMIT' : 'MARKET',
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
