import type { Grid } from '../../../model/grid.js';
import type { Market, QuantityFilter } from '../../../model/market.js';
import { rateOnWire, rounded, stepsOnWire } from '../wire-number.js';

export interface MarketNow {
  readonly status: 'TRADING' | 'HALTED' | 'ENDED';
  /** Quote units. */
  readonly lastPrice: number | undefined;
  /** trading_max_mark_deviation: half the trading band as a fraction of the mark. */
  readonly band: number;
}

/**
 * Specification: Market, with both spellings of the two fields that it spells in two ways. Facts that no rule of this
 * venue uses are published as 0, false or an empty text (`money.md` §2).
 */
export function marketRecord(market: Market, now: MarketNow) {
  const { pair, base, quote, priceGrid, quantityGrid, filters, fees, margin } = market;
  const maintenance = rateOnWire(margin.maintenance);
  const spot = market.contract === 'spot';
  return {
    key: pair,
    base,
    quote,
    base_precision: quantityGrid.decimals,
    quote_precision: market.quotePrecision,
    base_display_precision: quantityGrid.decimals,
    quote_display_precision: priceGrid.decimals,
    qty_display_precision: quantityGrid.decimals,
    precision_asset: quote,
    tv_price_precision: priceGrid.decimals,
    tv_volume_precicion: quantityGrid.decimals,
    tv_volume_precision: quantityGrid.decimals,
    symbol: spot ? `${base}/${quote}` : `${base}${quote} PERP`,
    description: spot ? `${base} against ${quote}` : `${base} perpetual, margined in ${quote}`,
    introduction: '',
    website: '',
    explorer: '',
    subreddit: '',
    url: '',
    issue_price: 0,
    issue_time: 0,
    total_supply: 0,
    category: 'crypto',
    contract: spot ? 'SPOT' : 'PERPETUAL',
    usd_price: rounded(now.lastPrice ?? 0),
    order_types: ['LIMIT', 'MARKET'],
    commission_maker: rateOnWire(fees.maker),
    commission_taker: rateOnWire(fees.taker),
    commission_liquidation: rateOnWire(fees.liquidation),
    min_initial_margin: rateOnWire(margin.initial),
    min_maintenace_margin: maintenance,
    min_maintenance_margin: maintenance,
    initial_risk_limit: rateOnWire(margin.initialRiskLimit),
    maintenance_risk_limit: rateOnWire(margin.maintenanceRiskLimit),
    deleverage_threshold: 0,
    swap_threshold: 0,
    min_liquidate: 0,
    liquidate_threshold: 0,
    funding_threshold: 0,
    funding_interval: 0,
    funding_time_window: 0,
    funding_min: 0,
    funding_max: 0,
    fair_qty: 0,
    fair_multiplier: 0,
    insurance_percentage: 0,
    index_price_update_interval: 0,
    index_price_exclude_threshold: 0,
    mark_price_max_deviation: 0,
    mark_price_ema_range: 0,
    trading_ema_range: 0,
    trading_max_index_deviation: 0,
    trading_max_mark_deviation: rounded(now.band),
    index_price_hit_api: false,
    composite: false,
    use_ema: false,
    call: false,
    index_price_ema_range: 0,
    price_multiplier: 0,
    underlier: '',
    status: now.status,
    active: now.status === 'TRADING',
    filters: {
      price: {
        filter_type: 'PRICE_FILTER',
        min_price: stepsOnWire(priceGrid, filters.price.min),
        max_price: stepsOnWire(priceGrid, filters.price.max),
        tick_size: stepsOnWire(priceGrid, filters.price.tickSize),
      },
      qty: quantityFilter('LOT_SIZE', quantityGrid, filters.quantity),
      icebergs: quantityFilter('ICEBERG', quantityGrid, filters.icebergs),
      interest: quantityFilter('INTEREST', quantityGrid, filters.interest),
    },
  };
}

function quantityFilter(type: string, grid: Grid, filter: QuantityFilter) {
  return {
    filter_type: type,
    min_qty: stepsOnWire(grid, filter.min),
    max_qty: stepsOnWire(grid, filter.max),
    tick_size: stepsOnWire(grid, filter.step),
  };
}
