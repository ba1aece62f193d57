/** Records as the specification's field tables write them, for tests that change one thing. */
import { defineMarket } from '../../src/model/market.js';

export const PAIR = 'USD_BTC_PERP';

export const MARKET = defineMarket({
  pair: PAIR,
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.5', max: '1000000', step: '0.5' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '-0.0001', taker: '0.0006' },
});

export const WIRE_ORDER = {
  id: '77',
  pair: PAIR,
  price: 61_000.5,
  price_orig: 61_000.5,
  qty_orig: 0.25,
  qty_orig_usd: 15_250.13,
  qty_remaining: 0.15,
  qty_filled: 0.1,
  side: 'BUY',
  status: 'ACTIVE',
  time: 1_723_075_200_123,
  time_in_force: 'GTC',
  type: 'LIMIT',
  oco: null,
  icebergs: null,
  trigger_price: null,
  trigger_event: null,
  close_on_trigger: false,
  reduce_only: false,
  post_only: true,
  hidden: false,
  fills: [],
  leverage: 0,
  customer_id: 'c1',
};

export const WIRE_FILL = {
  id: '900',
  pair: PAIR,
  is_buyer_maker: true,
  qty: 0.1,
  qty_usd: 6_100.05,
  price: 61_000.5,
  gross_commission: -0.61,
  net_commission: -0.61,
  gross_commission_asset: 'USD',
  net_commission_asset: 'USD',
  liquidation: false,
  time: 1_723_075_200_123,
};

export const WIRE_TRADE = {
  id: '900',
  pair: PAIR,
  is_buyer_maker: true,
  is_best_match: true,
  qty: 0.1,
  price: 61_000.5,
  time: 1_723_075_200_123,
};

export const WIRE_POSITION = {
  size: 0.25,
  free: 152.5,
  locked: 3,
  realized: 12.5,
  funding: -1.25,
  fees: -4,
  stats: {
    size: 0.25,
    notional: 15_250,
    margin: 152.5,
    pnl: 20,
    upnl: 12.75,
    rpnl: 7.25,
    equity: 165.25,
    roe: 0.13,
    mark: 61_051,
    avg_entry: 61_000,
    leverage: 92,
    lp: 60_500,
    bankrupt: 60_390,
    direction: 'BUY',
  },
};

export const WIRE_MARKET = {
  key: PAIR,
  base: 'BTC',
  quote: 'USD',
  base_precision: 8,
  quote_precision: 8,
  contract: 'LINEAR',
  commission_maker: -0.0001,
  commission_taker: 0.0006,
  commission_liquidation: 0.005,
  min_initial_margin: 0.01,
  min_maintenace_margin: 0.005,
  initial_risk_limit: 1e-7,
  maintenance_risk_limit: 5e-8,
  status: 'TRADING',
  active: true,
  filters: {
    price: { filter_type: 'PRICE_FILTER', min_price: 0.5, max_price: 1_000_000, tick_size: 0.5 },
    qty: { filter_type: 'LOT_SIZE', min_qty: 0.001, max_qty: 100, tick_size: 0.001 },
    icebergs: { filter_type: 'ICEBERG', min_qty: 0.01, max_qty: 50, tick_size: 0.001 },
    interest: { filter_type: 'INTEREST', min_qty: 0, max_qty: 200, tick_size: 0.001 },
  },
};

export const envelope = (result: unknown): string => JSON.stringify({ code: 200, msg: 'null', result });
export const refusal = (msg: string): string => JSON.stringify({ code: 503, msg, result: {} });
