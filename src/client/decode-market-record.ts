import type { MarketRecord } from '../model/market-record.js';
import type { FilterRecord, WireRecord } from '../model/venue-records.js';
import { entriesOf, factFlag, factNumber, factRecord, factText, field, recordOf, untrusted } from './wire.js';

/** GET /pairs as it is printed, whether or not we could trade it; keyed by market, as an object or in an array. */
export function decodeMarketRecords(result: unknown): ReadonlyMap<string, MarketRecord> {
  const entries = entriesOf(result, 'pairs');
  return new Map(entries.map(([pair, value]) => [pair, decodeMarketRecord(value, pair)]));
}

/** Specification: Market. For display only, so an unreadable figure is left out and hides nothing else. */
export function decodeMarketRecord(value: unknown, pair: string): MarketRecord {
  const wire = recordOf(value, `market ${pair}`);
  const text = (name: string) => factText(wire, name);
  const number = (...names: readonly string[]) => factNumber(wire, ...names);
  const flag = (name: string) => factFlag(wire, name);
  const filters = factRecord(wire, 'filters') ?? {};
  return {
    pair,
    key: text('key'),
    base: text('base'),
    quote: text('quote'),
    basePrecision: number('base_precision'),
    quotePrecision: number('quote_precision'),
    baseDisplayPrecision: number('base_display_precision'),
    quoteDisplayPrecision: number('quote_display_precision'),
    quantityDisplayPrecision: number('qty_display_precision'),
    precisionAsset: text('precision_asset'),
    chartPricePrecision: number('tv_price_precision'),
    chartVolumePrecision: number('tv_volume_precision', 'tv_volume_precicion'),
    symbol: text('symbol'),
    description: text('description'),
    introduction: text('introduction'),
    website: text('website'),
    explorer: text('explorer'),
    subreddit: text('subreddit'),
    url: text('url'),
    issuePrice: number('issue_price'),
    issueTime: number('issue_time'),
    totalSupply: number('total_supply'),
    category: text('category'),
    contract: text('contract'),
    usdPrice: number('usd_price'),
    orderTypes: orderTypesOf(field(wire, 'order_types')),
    makerFee: number('commission_maker'),
    takerFee: number('commission_taker'),
    liquidationFee: number('commission_liquidation'),
    minInitialMargin: number('min_initial_margin'),
    minMaintenanceMargin: number('min_maintenance_margin', 'min_maintenace_margin'),
    initialRiskLimit: number('initial_risk_limit'),
    maintenanceRiskLimit: number('maintenance_risk_limit'),
    deleverageThreshold: number('deleverage_threshold'),
    swapThreshold: number('swap_threshold'),
    minLiquidate: number('min_liquidate'),
    liquidateThreshold: number('liquidate_threshold'),
    fundingThreshold: number('funding_threshold'),
    fundingIntervalMs: number('funding_interval'),
    fundingTimeWindowMs: number('funding_time_window'),
    fundingMin: number('funding_min'),
    fundingMax: number('funding_max'),
    fairQuantity: number('fair_qty'),
    fairMultiplier: number('fair_multiplier'),
    insurancePercentage: number('insurance_percentage'),
    indexPriceUpdateIntervalMs: number('index_price_update_interval'),
    indexPriceExcludeThreshold: number('index_price_exclude_threshold'),
    markPriceMaxDeviation: number('mark_price_max_deviation'),
    markPriceEmaRange: number('mark_price_ema_range'),
    tradingEmaRange: number('trading_ema_range'),
    tradingMaxIndexDeviation: number('trading_max_index_deviation'),
    tradingMaxMarkDeviation: number('trading_max_mark_deviation'),
    indexPriceHitApi: flag('index_price_hit_api'),
    composite: flag('composite'),
    useEma: flag('use_ema'),
    isCall: flag('call'),
    indexPriceEmaRange: number('index_price_ema_range'),
    priceMultiplier: number('price_multiplier'),
    underlier: text('underlier'),
    status: text('status'),
    active: flag('active'),
    filters: {
      price: filterOf(filters, 'price'),
      quantity: filterOf(filters, 'qty'),
      icebergs: filterOf(filters, 'icebergs'),
      interest: filterOf(filters, 'interest'),
    },
    wire,
  };
}

/** The declaration and the sample differ in the names of a price filter's bounds (specification: Asset). */
export function filterOf(filters: WireRecord, name: string): FilterRecord | undefined {
  const wire = factRecord(filters, name);
  if (wire === undefined) return undefined;
  return {
    type: factText(wire, 'filter_type'),
    min: factNumber(wire, 'min_price', 'min_qty'),
    max: factNumber(wire, 'max_price', 'max_qty'),
    step: factNumber(wire, 'tick_size'),
  };
}

function orderTypesOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((type): type is string => typeof type === 'string').map((type) => untrusted(type));
}
