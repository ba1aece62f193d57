/** What our client decoded, said again in the wire's words: every field of a record must agree with what came. */
import assert from 'node:assert/strict';
import type { MarketRecord } from '../../../src/model/market-record.js';
import type {
  AssetRecord,
  BalanceRecord,
  DepositRecord,
  FillRecord,
  FilterRecord,
  OrderRecord,
  PositionRecord,
  TickerRecord,
  TransferRecord,
  WireRecord,
  WithdrawalRecord,
} from '../../../src/model/venue-records.js';

const EVENTS: Readonly<Record<string, string>> = {
  mark: 'MARK_PRICE',
  index: 'INDEX_PRICE',
  last: 'LAST_PRICE',
};

function side(value: string | undefined): string | undefined {
  return value === undefined ? undefined : value.toUpperCase();
}

export function orderWire(order: OrderRecord): WireRecord {
  const { triggerEvent } = order;
  return agreed(order.wire, {
    id: order.id,
    pair: order.pair,
    price: order.price,
    price_orig: order.priceOriginal,
    qty_orig: order.quantity,
    qty_orig_usd: order.quantityUsd,
    qty_remaining: order.leavesQuantity,
    qty_filled: order.filledQuantity,
    side: side(order.side),
    status: order.status,
    time: order.time,
    time_in_force: order.timeInForce,
    type: order.type.toUpperCase(),
    oco: order.oco,
    icebergs: order.icebergs,
    trigger_price: order.triggerPrice,
    trigger_event: triggerEvent === undefined ? undefined : EVENTS[triggerEvent],
    close_on_trigger: order.closeOnTrigger,
    reduce_only: order.reduceOnly,
    post_only: order.postOnly,
    hidden: order.hidden,
    leverage: order.leverage,
    customer_id: order.customerId,
    is_liquidation: order.liquidation,
    msg: order.message,
    fills: order.fills?.map(fillWire),
  });
}

export function fillWire(fill: FillRecord): WireRecord {
  return agreed(fill.wire, {
    id: fill.id,
    pair: fill.pair,
    side: side(fill.side),
    type: fill.type?.toUpperCase(),
    is_buyer_maker: fill.isBuyerMaker,
    qty: fill.quantity,
    qty_usd: fill.quantityUsd,
    price: fill.price,
    cost: fill.cost,
    gross_commission: fill.grossCommission,
    net_commission: fill.netCommission,
    net_commission_usd: fill.netCommissionUsd,
    gross_commission_asset: fill.grossCommissionAsset,
    net_commission_asset: fill.netCommissionAsset,
    discount: fill.discount,
    conversion_rate: fill.conversionRate,
    liquidation: fill.liquidation,
    time: fill.time,
  });
}

export function positionWire(position: PositionRecord): WireRecord {
  const stats = position.wire['stats'] as WireRecord;
  agreed(stats, {
    size: position.statsSize,
    notional: position.notional,
    margin: position.margin,
    pnl: position.pnl,
    upnl: position.unrealized,
    rpnl: position.realizedTotal,
    equity: position.equity,
    roe: position.roe,
    mark: position.markPrice,
    avg_entry: position.averageEntry,
    leverage: position.leverage,
    lp: position.liquidationPrice ?? 0,
    bankrupt: position.bankruptcyPrice ?? 0,
    direction: side(position.direction),
  });
  return agreed(position.wire, {
    size: position.size,
    free: position.free,
    locked: position.locked,
    realized: position.realized,
    funding: position.funding,
    fees: position.fees,
    ...(position.fills === undefined ? {} : { fills: position.fills.map(fillWire) }),
  });
}

export function balanceWire(balance: BalanceRecord): WireRecord {
  const { free, locked, withdrawn, pnl, margin, fees } = balance;
  return agreed(balance.wire, { free, locked, withdrawn, pnl, margin, fees });
}

function transferFields(transfer: TransferRecord): WireRecord {
  return {
    id: transfer.id,
    address: transfer.address,
    customer_id: transfer.customerId,
    asset: transfer.asset,
    time: transfer.time,
    qty: transfer.quantity,
    net: transfer.net,
    status: transfer.status,
    qty_usd: transfer.quantityUsd,
    transaction: transfer.transaction,
  };
}

export function depositWire(deposit: DepositRecord): WireRecord {
  return agreed(deposit.wire, { ...transferFields(deposit), net_usd: deposit.netUsd });
}

export function withdrawalWire(withdrawal: WithdrawalRecord): WireRecord {
  const { manuallyApproved } = withdrawal;
  return agreed(withdrawal.wire, { ...transferFields(withdrawal), manually_approved: manuallyApproved });
}

export function assetWire(asset: AssetRecord): WireRecord {
  const { wire } = asset;
  const filters = wire['filters'] as Readonly<Record<string, WireRecord>>;
  filterAgrees(filters['qty'], asset.filters?.quantity);
  filterAgrees(filters['price'], asset.filters?.price);
  return agreed(wire, {
    key: asset.key,
    name: asset.name,
    description: asset.description,
    precision: asset.precision,
    display_precision: asset.displayPrecision,
    confirmations: asset.confirmations,
    platform: asset.platform,
    is_token: asset.isToken,
    withdrawable: asset.withdrawable,
    min_withdrawal: asset.minWithdrawal,
    is_special_commission_asset: asset.isSpecialCommissionAsset,
    stablecoin: asset.stablecoin,
    fees: asset.fees,
    usd_price: asset.usdPrice,
  });
}

export function marketWire(market: MarketRecord): WireRecord {
  const { wire } = market;
  const filters = wire['filters'] as Readonly<Record<string, WireRecord>>;
  filterAgrees(filters['price'], market.filters.price);
  filterAgrees(filters['qty'], market.filters.quantity);
  filterAgrees(filters['icebergs'], market.filters.icebergs);
  filterAgrees(filters['interest'], market.filters.interest);
  return agreed(wire, {
    key: market.key,
    base: market.base,
    quote: market.quote,
    base_precision: market.basePrecision,
    quote_precision: market.quotePrecision,
    base_display_precision: market.baseDisplayPrecision,
    quote_display_precision: market.quoteDisplayPrecision,
    qty_display_precision: market.quantityDisplayPrecision,
    precision_asset: market.precisionAsset,
    tv_price_precision: market.chartPricePrecision,
    tv_volume_precision: market.chartVolumePrecision,
    tv_volume_precicion: market.chartVolumePrecision,
    symbol: market.symbol,
    description: market.description,
    introduction: market.introduction,
    website: market.website,
    explorer: market.explorer,
    subreddit: market.subreddit,
    url: market.url,
    issue_price: market.issuePrice,
    issue_time: market.issueTime,
    total_supply: market.totalSupply,
    category: market.category,
    contract: market.contract,
    usd_price: market.usdPrice,
    order_types: market.orderTypes,
    commission_maker: market.makerFee,
    commission_taker: market.takerFee,
    commission_liquidation: market.liquidationFee,
    min_initial_margin: market.minInitialMargin,
    min_maintenance_margin: market.minMaintenanceMargin,
    min_maintenace_margin: market.minMaintenanceMargin,
    initial_risk_limit: market.initialRiskLimit,
    maintenance_risk_limit: market.maintenanceRiskLimit,
    deleverage_threshold: market.deleverageThreshold,
    swap_threshold: market.swapThreshold,
    min_liquidate: market.minLiquidate,
    liquidate_threshold: market.liquidateThreshold,
    funding_threshold: market.fundingThreshold,
    funding_interval: market.fundingIntervalMs,
    funding_time_window: market.fundingTimeWindowMs,
    funding_min: market.fundingMin,
    funding_max: market.fundingMax,
    fair_qty: market.fairQuantity,
    fair_multiplier: market.fairMultiplier,
    insurance_percentage: market.insurancePercentage,
    index_price_update_interval: market.indexPriceUpdateIntervalMs,
    index_price_exclude_threshold: market.indexPriceExcludeThreshold,
    mark_price_max_deviation: market.markPriceMaxDeviation,
    mark_price_ema_range: market.markPriceEmaRange,
    trading_ema_range: market.tradingEmaRange,
    trading_max_index_deviation: market.tradingMaxIndexDeviation,
    trading_max_mark_deviation: market.tradingMaxMarkDeviation,
    index_price_hit_api: market.indexPriceHitApi,
    composite: market.composite,
    use_ema: market.useEma,
    call: market.isCall,
    index_price_ema_range: market.indexPriceEmaRange,
    price_multiplier: market.priceMultiplier,
    underlier: market.underlier,
    status: market.status,
    active: market.active,
  });
}

export function tickerWire(ticker: TickerRecord): WireRecord {
  return agreed(ticker.wire, {
    last_price: ticker.lastPrice,
    prev_last_price: ticker.previousLastPrice,
    last_qty: ticker.lastQuantity,
    open_price: ticker.openPrice,
    high_price: ticker.highPrice,
    low_price: ticker.lowPrice,
    close_price: ticker.closePrice,
    open_price_mark: ticker.openMark,
    high_price_mark: ticker.highMark,
    low_price_mark: ticker.lowMark,
    close_price_mark: ticker.closeMark,
    price_change: ticker.priceChange,
    price_change_percent: ticker.priceChangePercent,
    min_price: ticker.minPrice,
    max_price: ticker.maxPrice,
    mark_price: ticker.markPrice,
    index_price: ticker.indexPrice,
    fair_price: ticker.fairPrice,
    bid_price: ticker.bidPrice,
    bid_qty: ticker.bidQuantity,
    ask_price: ticker.askPrice,
    ask_qty: ticker.askQuantity,
    base_volume: ticker.baseVolume,
    quote_volume: ticker.quoteVolume,
    volatility: ticker.volatility,
    close_time: ticker.closeTime,
    funding_rate: ticker.fundingRate,
    next_funding_time: ticker.nextFundingTime,
  });
}

function filterAgrees(wire: WireRecord | undefined, filter: FilterRecord | undefined): void {
  assert(wire !== undefined && filter !== undefined, 'a filter must be on the wire and decoded');
  agreed(wire, { filter_type: filter.type, tick_size: filter.step });
  assert.equal(wire['min_price'] ?? wire['min_qty'], filter.min);
  assert.equal(wire['max_price'] ?? wire['max_qty'], filter.max);
}

/** What is null or empty on the wire is `undefined` when decoded. */
function agreed(wire: WireRecord, decoded: WireRecord): WireRecord {
  const came = Object.keys(decoded).map((name) => [
    name,
    wire[name] === '' ? undefined : (wire[name] ?? undefined),
  ]);
  assert.deepEqual(decoded, Object.fromEntries(came), 'what the client decoded must agree with what came');
  return wire;
}
