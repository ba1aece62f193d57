import type { Grid } from '../../../model/grid.js';
import type { Contract, Market, QuantityFilter } from '../../../model/market.js';
import { moneyOnWire, rateOnWire, rounded, stepsOnWire } from '../wire-number.js';

export interface MarketNow {
  readonly status: 'TRADING' | 'HALTED' | 'ENDED';
  /** Last price, quote units; `undefined` before the first trade. */
  readonly lastPrice: number | undefined;
  /** The field trading_max_mark_deviation: half the width of the trading band, as a fraction of the mark. */
  readonly band: number;
}

const CONTRACT: Readonly<Record<Contract, string>> = { linear: 'PERPETUAL', spot: 'SPOT', option: 'OPTION' };

/**
 * Specification: Market, with both spellings of the two fields that it spells in two ways. Fields that no rule of this
 * venue uses are published as 0, false or an empty text (`money.md` §2). The margin, liquidation and funding fields of
 * a spot pair are 0, because it has none of these.
 */
export function marketRecord(market: Market, now: MarketNow) {
  const { pair, base, quote, contract, priceGrid, quantityGrid, quotePrecision, filters, fees, pricing } =
    market;
  const option = contract === 'option';
  return {
    key: pair,
    base,
    quote,
    base_precision: quantityGrid.decimals,
    quote_precision: quotePrecision,
    base_display_precision: quantityGrid.decimals,
    quote_display_precision: priceGrid.decimals,
    qty_display_precision: quantityGrid.decimals,
    precision_asset: quote,
    tv_price_precision: priceGrid.decimals,
    tv_volume_precicion: quantityGrid.decimals,
    tv_volume_precision: quantityGrid.decimals,
    symbol: symbolOf(market),
    description: descriptionOf(market),
    introduction: '',
    website: '',
    explorer: '',
    subreddit: '',
    url: '',
    issue_price: 0,
    issue_time: 0,
    total_supply: 0,
    category: 'crypto',
    contract: CONTRACT[contract],
    usd_price: rounded(now.lastPrice ?? 0),
    order_types: ['LIMIT', 'MARKET'],
    commission_maker: rateOnWire(fees.maker),
    commission_taker: rateOnWire(fees.taker),
    commission_liquidation: rateOnWire(fees.liquidation),
    ...(contract === 'spot' ? NO_RISK : riskFacts(market)),
    fair_qty: stepsOnWire(quantityGrid, pricing.fairQuantity),
    fair_multiplier: rateOnWire(pricing.fairMultiplier),
    index_price_update_interval: pricing.indexIntervalMs,
    index_price_exclude_threshold: 0,
    mark_price_max_deviation: rateOnWire(pricing.markMaxDeviation),
    mark_price_ema_range: pricing.markEmaRange,
    trading_ema_range: 0,
    trading_max_index_deviation: 0,
    trading_max_mark_deviation: rounded(now.band),
    index_price_hit_api: false,
    composite: false,
    use_ema: false,
    call: option,
    index_price_ema_range: 0,
    price_multiplier: option ? 1 : 0,
    underlier: option ? base : '',
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

const NO_RISK = {
  min_initial_margin: 0,
  min_maintenace_margin: 0,
  min_maintenance_margin: 0,
  initial_risk_limit: 0,
  maintenance_risk_limit: 0,
  deleverage_threshold: 0,
  swap_threshold: 0,
  min_liquidate: 0,
  liquidate_threshold: 0,
  insurance_percentage: 0,
  funding_threshold: 0,
  funding_interval: 0,
  funding_time_window: 0,
  funding_min: 0,
  funding_max: 0,
};

function riskFacts({ margin, liquidation, funding, quotePrecision }: Market): typeof NO_RISK {
  const maintenance = rateOnWire(margin.maintenance);
  return {
    min_initial_margin: rateOnWire(margin.initial),
    min_maintenace_margin: maintenance,
    min_maintenance_margin: maintenance,
    initial_risk_limit: rateOnWire(margin.initialRiskLimit),
    maintenance_risk_limit: rateOnWire(margin.maintenanceRiskLimit),
    deleverage_threshold: rateOnWire(liquidation.deleverageThreshold),
    swap_threshold: rateOnWire(liquidation.swapThreshold),
    min_liquidate: moneyOnWire(liquidation.minLiquidate, quotePrecision),
    liquidate_threshold: rateOnWire(liquidation.liquidateThreshold),
    insurance_percentage: rateOnWire(liquidation.insurancePercentage),
    funding_threshold: rateOnWire(funding.threshold),
    funding_interval: funding.intervalMs,
    funding_time_window: funding.timeWindowMs,
    funding_min: rateOnWire(funding.min),
    funding_max: rateOnWire(funding.max),
  };
}

function symbolOf({ base, quote, contract }: Market): string {
  if (contract === 'spot') return `${base}/${quote}`;
  return `${base}${quote} ${contract === 'option' ? 'CALL' : 'PERP'}`;
}

function descriptionOf({ base, quote, contract }: Market): string {
  if (contract === 'spot') return `${base} against ${quote}`;
  if (contract === 'option') return `Perpetual call on ${base}, settled in ${quote}; listed, not traded`;
  return `${base} perpetual, margined in ${quote}`;
}

function quantityFilter(type: string, grid: Grid, filter: QuantityFilter) {
  return {
    filter_type: type,
    min_qty: stepsOnWire(grid, filter.min),
    max_qty: stepsOnWire(grid, filter.max),
    tick_size: stepsOnWire(grid, filter.step),
  };
}
