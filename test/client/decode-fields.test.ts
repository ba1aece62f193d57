/**
 * One row for each field of the specification's tables: what it decodes to, and the proof that the row can fail: without
 * the field the record no longer shows the value.
 */
import { describe, expect, it } from 'vitest';
import {
  decodeAccount,
  decodeCompletedPositions,
  decodePersonal,
  decodePosition,
} from '../../src/client/decode-account.js';
import { decodeAssets, decodeCandles, decodeTickers } from '../../src/client/decode-market-data.js';
import { decodeMarketRecord } from '../../src/client/decode-market-record.js';
import { decodeMarkets } from '../../src/client/decode-markets.js';
import { decodeFill, decodeOrder } from '../../src/client/decode-orders.js';
import { decodeTrades } from '../../src/client/decode-trades.js';
import { decodeDeposit, decodeWithdrawal } from '../../src/client/decode-transfers.js';
import { DecodeError } from '../../src/client/wire.js';
import { rateNumber } from '../../src/model/money.js';
import {
  FULL_ASSET,
  FULL_BALANCE,
  FULL_CANDLE,
  FULL_DEPOSIT,
  FULL_FILL,
  FULL_MARKET,
  FULL_ORDER,
  FULL_PERSONAL,
  FULL_POSITION,
  FULL_TICKER,
  FULL_TRADE,
  FULL_WITHDRAWAL,
  PAIR,
} from './wire-samples.js';

/** Wire field (dots go inwards), where the record shows it, and what it shows. */
type Row = readonly [field: string, shown: string, value: unknown];

interface Resource {
  readonly name: string;
  readonly sample: object;
  readonly decode: (wire: unknown) => unknown;
  readonly rows: readonly Row[];
  /** Fields that are spelled in two ways: each alone must do, and the row drops both. */
  readonly twins?: Readonly<Record<string, string>>;
}

const RESOURCES: readonly Resource[] = [
  {
    name: 'Order',
    sample: FULL_ORDER,
    decode: decodeOrder,
    rows: [
      ['id', 'id', 'o-1'],
      ['pair', 'pair', PAIR],
      ['price', 'price', 61_001],
      ['price_orig', 'priceOriginal', 61_000.5],
      ['qty_orig', 'quantity', 0.25],
      ['qty_orig_usd', 'quantityUsd', 15_250.125],
      ['qty_remaining', 'leavesQuantity', 0.149],
      ['qty_filled', 'filledQuantity', 0.101],
      ['side', 'side', 'sell'],
      ['status', 'status', 'ACTIVE'],
      ['time', 'time', 1_723_075_200_002],
      ['time_in_force', 'timeInForce', 'IOC'],
      ['type', 'type', 'limit'],
      ['oco', 'oco', 'group-1'],
      ['icebergs', 'icebergs', 4],
      ['trigger_price', 'triggerPrice', 60_500],
      ['trigger_event', 'triggerEvent', 'index'],
      ['close_on_trigger', 'closeOnTrigger', true],
      ['reduce_only', 'reduceOnly', true],
      ['post_only', 'postOnly', true],
      ['hidden', 'hidden', true],
      ['fills', 'fills.0.id', 'f-1'],
      ['leverage', 'leverage', 12.5],
      ['customer_id', 'customerId', 'customer-7'],
      ['is_liquidation', 'liquidation', true],
      ['msg', 'message', 'a diagnostic'],
    ],
  },
  {
    name: 'Fill',
    sample: FULL_FILL,
    decode: (wire) => decodeFill(wire),
    rows: [
      ['id', 'id', 'f-1'],
      ['pair', 'pair', PAIR],
      ['is_buyer_maker', 'isBuyerMaker', true],
      ['qty', 'quantity', 0.101],
      ['qty_usd', 'quantityUsd', 6_160.051],
      ['price', 'price', 60_990.5],
      ['gross_commission', 'grossCommission', 1.25],
      ['net_commission', 'netCommission', 1.125],
      ['gross_commission_asset', 'grossCommissionAsset', 'USD'],
      ['net_commission_asset', 'netCommissionAsset', 'TKW'],
      ['liquidation', 'liquidation', true],
      ['time', 'time', 1_723_075_200_001],
      ['cost', 'cost', 6_160.0405],
      ['side', 'side', 'sell'],
      ['type', 'type', 'market'],
      ['discount', 'discount', 0.1],
      ['conversion_rate', 'conversionRate', 1.5],
      ['net_commission_usd', 'netCommissionUsd', 1.6875],
    ],
  },
  {
    name: 'Public trade',
    sample: FULL_TRADE,
    // The caller knows the pair, so that a trade may leave it out; another one is refused.
    decode: (wire) => decodeTrades([wire], PAIR)[0],
    rows: [
      ['id', 'id', 't-1'],
      ['is_buyer_maker', 'isBuyerMaker', true],
      ['is_best_match', 'isBestMatch', true],
      ['qty', 'quantity', 0.102],
      ['price', 'price', 60_991.5],
      ['time', 'time', 1_723_075_200_003],
    ],
  },
  {
    name: 'Deposit',
    sample: FULL_DEPOSIT,
    decode: decodeDeposit,
    rows: [...transferRows(), ['net_usd', 'netUsd', 91_470.25]],
  },
  {
    name: 'Withdrawal',
    sample: FULL_WITHDRAWAL,
    decode: decodeWithdrawal,
    rows: [...transferRows(), ['manually_approved', 'manuallyApproved', true]],
  },
  {
    name: 'Position',
    sample: FULL_POSITION,
    decode: (wire) => decodePosition(wire, PAIR),
    rows: [
      ['size', 'size', -0.25],
      ['free', 'free', 1_525.5],
      ['locked', 'locked', 3.75],
      ['realized', 'realized', 12.5],
      ['funding', 'funding', -1.25],
      ['fees', 'fees', -4.5],
      ['stats', 'pnl', 20.25],
      ['stats.size', 'statsSize', 0.26],
      ['stats.notional', 'notional', 15_262.75],
      ['stats.margin', 'margin', 1_526.5],
      ['stats.pnl', 'pnl', 20.25],
      ['stats.upnl', 'unrealized', 13.5],
      ['stats.rpnl', 'realizedTotal', 6.75],
      ['stats.equity', 'equity', 1_540],
      ['stats.roe', 'roe', 0.13],
      ['stats.mark', 'markPrice', 61_051],
      ['stats.avg_entry', 'averageEntry', 61_105.5],
      ['stats.leverage', 'leverage', 9.9],
      ['stats.lp', 'liquidationPrice', 66_000.5],
      ['stats.bankrupt', 'bankruptcyPrice', 67_000.5],
      ['stats.direction', 'direction', 'sell'],
      ['fills', 'fills.0.id', 'f-1'],
    ],
  },
  {
    name: 'Balances, inside the result of /draw',
    sample: FULL_BALANCE,
    decode: (wire) => decodeAccount({ balances: { USD: wire }, positions: {} }),
    rows: [
      ['free', 'balances.0.free', 100.5],
      ['locked', 'balances.0.locked', 2.25],
      ['withdrawn', 'balances.0.withdrawn', 3.5],
      ['pnl', 'balances.0.pnl', -4.75],
      ['margin', 'balances.0.margin', 5.125],
      ['fees', 'balances.0.fees', 6.5],
    ],
  },
  {
    name: 'the result of /draw',
    sample: { balances: { USD: FULL_BALANCE }, positions: { [PAIR]: FULL_POSITION } },
    decode: decodeAccount,
    rows: [
      ['balances', 'balances.0.asset', 'USD'],
      ['positions', 'positions.0.pair', PAIR],
    ],
  },
  {
    name: 'Market',
    sample: FULL_MARKET,
    decode: (wire) => decodeMarketRecord(wire, PAIR),
    twins: {
      min_maintenace_margin: 'min_maintenance_margin',
      min_maintenance_margin: 'min_maintenace_margin',
      tv_volume_precicion: 'tv_volume_precision',
      tv_volume_precision: 'tv_volume_precicion',
    },
    rows: [
      ['key', 'key', PAIR],
      ['base', 'base', 'BTC'],
      ['quote', 'quote', 'USD'],
      ['base_precision', 'basePrecision', 7],
      ['quote_precision', 'quotePrecision', 8],
      ['base_display_precision', 'baseDisplayPrecision', 3],
      ['quote_display_precision', 'quoteDisplayPrecision', 1],
      ['qty_display_precision', 'quantityDisplayPrecision', 4],
      ['precision_asset', 'precisionAsset', 'USDX'],
      ['tv_price_precision', 'chartPricePrecision', 2],
      ['tv_volume_precicion', 'chartVolumePrecision', 5],
      ['tv_volume_precision', 'chartVolumePrecision', 5],
      ['symbol', 'symbol', 'BTC/USD'],
      ['description', 'description', 'short'],
      ['introduction', 'introduction', 'long'],
      ['website', 'website', 'https://site.example'],
      ['explorer', 'explorer', 'https://explorer.example'],
      ['subreddit', 'subreddit', 'https://reddit.example'],
      ['url', 'url', 'https://url.example'],
      ['issue_price', 'issuePrice', 0.05],
      ['issue_time', 'issueTime', 1_230_940_800_000],
      ['total_supply', 'totalSupply', 21_000_000],
      ['category', 'category', 'crypto'],
      ['contract', 'contract', 'PERPETUAL'],
      ['usd_price', 'usdPrice', 61_000.25],
      ['order_types', 'orderTypes', ['LIMIT', 'MARKET']],
      ['commission_maker', 'makerFee', -0.0001],
      ['commission_taker', 'takerFee', 0.0006],
      ['commission_liquidation', 'liquidationFee', 0.003],
      ['min_initial_margin', 'minInitialMargin', 0.011],
      ['min_maintenace_margin', 'minMaintenanceMargin', 0.0055],
      ['min_maintenance_margin', 'minMaintenanceMargin', 0.0055],
      ['initial_risk_limit', 'initialRiskLimit', 0.000002],
      ['maintenance_risk_limit', 'maintenanceRiskLimit', 0.0000011],
      ['deleverage_threshold', 'deleverageThreshold', 0.15],
      ['swap_threshold', 'swapThreshold', 0.45],
      ['min_liquidate', 'minLiquidate', 1_100],
      ['liquidate_threshold', 'liquidateThreshold', 0.12],
      ['funding_threshold', 'fundingThreshold', 0.00002],
      ['funding_interval', 'fundingIntervalMs', 28_800_000],
      ['funding_time_window', 'fundingTimeWindowMs', 14_400_000],
      ['funding_min', 'fundingMin', -0.0021],
      ['funding_max', 'fundingMax', 0.0022],
      ['fair_qty', 'fairQuantity', 0.5],
      ['fair_multiplier', 'fairMultiplier', 0.013],
      ['insurance_percentage', 'insurancePercentage', 0.9],
      ['index_price_update_interval', 'indexPriceUpdateIntervalMs', 1_500],
      ['index_price_exclude_threshold', 'indexPriceExcludeThreshold', 0.06],
      ['mark_price_max_deviation', 'markPriceMaxDeviation', 0.021],
      ['mark_price_ema_range', 'markPriceEmaRange', 61],
      ['trading_ema_range', 'tradingEmaRange', 62],
      ['trading_max_index_deviation', 'tradingMaxIndexDeviation', 0.08],
      ['trading_max_mark_deviation', 'tradingMaxMarkDeviation', 0.09],
      ['index_price_hit_api', 'indexPriceHitApi', true],
      ['composite', 'composite', true],
      ['use_ema', 'useEma', true],
      ['call', 'isCall', true],
      ['index_price_ema_range', 'indexPriceEmaRange', 63],
      ['price_multiplier', 'priceMultiplier', 1.1],
      ['underlier', 'underlier', 'ETH'],
      ['status', 'status', 'TRADING'],
      ['active', 'active', true],
      ['filters', 'filters.price.type', 'PRICE_FILTER'],
      ['filters.price', 'filters.price.type', 'PRICE_FILTER'],
      ['filters.price.filter_type', 'filters.price.type', 'PRICE_FILTER'],
      ['filters.price.min_price', 'filters.price.min', 0.5],
      ['filters.price.max_price', 'filters.price.max', 1_000_000],
      ['filters.price.tick_size', 'filters.price.step', 0.5],
      ['filters.qty', 'filters.quantity.type', 'LOT_SIZE'],
      ['filters.qty.filter_type', 'filters.quantity.type', 'LOT_SIZE'],
      ['filters.qty.min_qty', 'filters.quantity.min', 0.001],
      ['filters.qty.max_qty', 'filters.quantity.max', 100],
      ['filters.qty.tick_size', 'filters.quantity.step', 0.001],
      ['filters.icebergs', 'filters.icebergs.type', 'ICEBERG'],
      ['filters.icebergs.filter_type', 'filters.icebergs.type', 'ICEBERG'],
      ['filters.icebergs.min_qty', 'filters.icebergs.min', 0.01],
      ['filters.icebergs.max_qty', 'filters.icebergs.max', 50],
      ['filters.icebergs.tick_size', 'filters.icebergs.step', 0.002],
      ['filters.interest', 'filters.interest.type', 'INTEREST'],
      ['filters.interest.filter_type', 'filters.interest.type', 'INTEREST'],
      ['filters.interest.min_qty', 'filters.interest.min', 0.003],
      ['filters.interest.max_qty', 'filters.interest.max', 200],
      ['filters.interest.tick_size', 'filters.interest.step', 0.004],
    ],
  },
  {
    name: 'Asset',
    sample: FULL_ASSET,
    // The key of the record is its place in the result; `key` inside repeats it.
    decode: (wire) => decodeAssets({ BTC: wire })[0],
    rows: [
      ['name', 'name', 'Bitcoin'],
      ['description', 'description', 'digital cash'],
      ['precision', 'precision', 8],
      ['display_precision', 'displayPrecision', 6],
      ['confirmations', 'confirmations', 3],
      ['platform', 'platform', 'BTC'],
      ['is_token', 'isToken', true],
      ['withdrawable', 'withdrawable', true],
      ['min_withdrawal', 'minWithdrawal', 0.0015],
      ['is_special_commission_asset', 'isSpecialCommissionAsset', true],
      ['stablecoin', 'stablecoin', true],
      ['fees', 'fees.withdrawal', 0.0005],
      ['fees.withdrawal', 'fees.withdrawal', 0.0005],
      ['fees.deposit', 'fees.deposit', 0.00025],
      ['filters', 'filters.quantity.min', 0.00000001],
      ['filters.qty', 'filters.quantity.max', 1_000],
      ['filters.qty.filter_type', 'filters.quantity.type', 'LOT_SIZE'],
      ['filters.qty.min_qty', 'filters.quantity.min', 0.00000001],
      ['filters.qty.max_qty', 'filters.quantity.max', 1_000],
      ['filters.qty.tick_size', 'filters.quantity.step', 0.00000002],
      ['filters.price', 'filters.price.max', 1_001],
      ['filters.price.filter_type', 'filters.price.type', 'PRICE_FILTER'],
      ['filters.price.min_qty', 'filters.price.min', 0.00000003],
      ['filters.price.max_qty', 'filters.price.max', 1_001],
      ['filters.price.tick_size', 'filters.price.step', 0.00000004],
      ['usd_price', 'usdPrice', 61_000.5],
    ],
  },
  {
    name: 'Ticker',
    sample: FULL_TICKER,
    decode: (wire) => decodeTickers({ [PAIR]: wire }).get(PAIR),
    rows: [
      ['last_price', 'lastPrice', 1],
      ['prev_last_price', 'previousLastPrice', 2],
      ['last_qty', 'lastQuantity', 3],
      ['open_price', 'openPrice', 4],
      ['high_price', 'highPrice', 5],
      ['low_price', 'lowPrice', 6],
      ['close_price', 'closePrice', 7],
      ['open_price_mark', 'openMark', 8],
      ['high_price_mark', 'highMark', 9],
      ['low_price_mark', 'lowMark', 10],
      ['close_price_mark', 'closeMark', 11],
      ['price_change', 'priceChange', 12],
      ['price_change_percent', 'priceChangePercent', 13],
      ['min_price', 'minPrice', 14],
      ['max_price', 'maxPrice', 15],
      ['mark_price', 'markPrice', 16],
      ['index_price', 'indexPrice', 17],
      ['fair_price', 'fairPrice', 18],
      ['bid_price', 'bidPrice', 19],
      ['bid_qty', 'bidQuantity', 20],
      ['ask_price', 'askPrice', 21],
      ['ask_qty', 'askQuantity', 22],
      ['base_volume', 'baseVolume', 23],
      ['quote_volume', 'quoteVolume', 24],
      ['volatility', 'volatility', 25],
      ['close_time', 'closeTime', 26],
      ['funding_rate', 'fundingRate', 27],
      ['next_funding_time', 'nextFundingTime', 28],
      ['underlying_price', 'underlyingPrice', 29],
      ['strike', 'strike', 30],
      ['black_scholes', 'blackScholes', 31],
      ['otm_amount', 'otmAmount', 32],
    ],
  },
  {
    name: 'Candle',
    sample: FULL_CANDLE,
    decode: (wire) => decodeCandles([wire])[0],
    rows: [
      ['open', 'open', 2],
      ['high', 'high', 4],
      ['low', 'low', 1],
      ['close', 'close', 3],
      ['base_volume', 'baseVolume', 5.5],
      ['quote_volume', 'quoteVolume', 11.5],
      ['open_time', 'openTime', 300_000],
      ['close_time', 'closeTime', 599_999],
      ['trades', 'trades', 7],
      ['last_price', 'lastPrice', 3.25],
      ['last_qty', 'lastQuantity', 0.125],
    ],
  },
  {
    name: 'personal',
    sample: FULL_PERSONAL,
    decode: (wire) => {
      const { depositAddresses, actions, permissions, ...rest } = decodePersonal(wire);
      const [addresses, can, may] = [depositAddresses, actions, permissions].map((map) =>
        Object.fromEntries<unknown>(map),
      );
      return { ...rest, addresses, can, may };
    },
    rows: [
      ['email', 'email', 'a@b.example'],
      ['verification_level', 'verificationLevel', 2],
      ['withdrawal_allowance', 'withdrawalAllowance', 50_000],
      ['deposit_addresses', 'addresses', { BTC: 'bc1-deposit', USD: 'wire-7' }],
      ['actions', 'can', { trade: true, withdraw: false }],
      ['permissions', 'may', { read: true, trade: false }],
      ['balances', 'balances.0.free', 100.5],
    ],
  },
  {
    name: 'a completed position',
    sample: { [PAIR]: FULL_POSITION },
    decode: (wire) => decodeCompletedPositions([wire]),
    rows: [
      [PAIR, '0.pair', PAIR],
      [`${PAIR}.fills`, '0.fills.0.id', 'f-1'],
      [`${PAIR}.realized`, '0.realized', 12.5],
    ],
  },
  {
    name: 'what trading takes of a market',
    sample: { ...FULL_MARKET, call: false },
    decode: (wire) => {
      const market = decodeMarkets({ [PAIR]: wire }).markets.get(PAIR);
      if (market === undefined) throw new DecodeError('market', 'there', undefined);
      const { fees, margin, liquidation, funding, pricing, filters } = market;
      const rates = { ...fees, ...margin, ...liquidation, ...funding, ...pricing };
      const numbers = Object.entries(rates).map(([name, value]) => [
        name,
        typeof value === 'object' ? rateNumber(value) : typeof value === 'bigint' ? String(value) : value,
      ]);
      return { ...(Object.fromEntries(numbers) as object), filters, active: market.active };
    },
    twins: {
      min_maintenace_margin: 'min_maintenance_margin',
      min_maintenance_margin: 'min_maintenace_margin',
    },
    rows: [
      ['commission_maker', 'maker', -0.0001],
      ['commission_taker', 'taker', 0.0006],
      ['min_initial_margin', 'initial', 0.011],
      ['min_maintenace_margin', 'maintenance', 0.0055],
      ['min_maintenance_margin', 'maintenance', 0.0055],
      ['initial_risk_limit', 'initialRiskLimit', 0.000002],
      ['maintenance_risk_limit', 'maintenanceRiskLimit', 0.0000011],
      ['swap_threshold', 'swapThreshold', 0.45],
      ['deleverage_threshold', 'deleverageThreshold', 0.15],
      ['min_liquidate', 'minLiquidate', '110000000000'],
      ['liquidate_threshold', 'liquidateThreshold', 0.12],
      ['insurance_percentage', 'insurancePercentage', 0.9],
      ['funding_interval', 'intervalMs', 28_800_000],
      ['funding_time_window', 'timeWindowMs', 14_400_000],
      ['funding_min', 'min', -0.0021],
      ['funding_max', 'max', 0.0022],
      ['funding_threshold', 'threshold', 0.00002],
      ['index_price_update_interval', 'indexIntervalMs', 1_500],
      ['mark_price_ema_range', 'markEmaRange', 61],
      ['mark_price_max_deviation', 'markMaxDeviation', 0.021],
      ['trading_max_mark_deviation', 'bandDeviation', 0.09],
      ['fair_qty', 'fairQuantity', 500],
      ['fair_multiplier', 'fairMultiplier', 0.013],
      ['filters.price.tick_size', 'filters.price.tickSize', 5],
      ['filters.icebergs', 'filters.icebergs.max', 50_000],
      ['filters.interest', 'filters.interest.max', 200_000],
    ],
  },
];

function transferRows(): readonly Row[] {
  return [
    ['id', 'id', 'w-1'],
    ['address', 'address', 'bc1-address'],
    ['customer_id', 'customerId', 'customer-7'],
    ['asset', 'asset', 'BTC'],
    ['time', 'time', 1_723_075_200_004],
    ['qty', 'quantity', 1.5],
    ['net', 'net', 1.4995],
    ['status', 'status', 'PENDING'],
    ['qty_usd', 'quantityUsd', 91_500.75],
    ['transaction', 'transaction.hash', '0xhash'],
    ['transaction.hash', 'transaction.hash', '0xhash'],
    ['transaction.from', 'transaction.from', 'bc1-from'],
  ];
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], value);
}

/** A copy without the field; `undefined` fields would be seen as absent anyway, so they are really taken out. */
function without(wire: unknown, path: string): unknown {
  const [key = '', ...inner] = path.split('.');
  const { [key]: dropped, ...rest } = wire as Record<string, unknown>;
  return inner.length === 0 ? rest : { ...rest, [key]: without(dropped, inner.join('.')) };
}

/** What the record shows; that there is none is an answer too. */
function shownBy(decode: Resource['decode'], wire: unknown, path: string): unknown {
  try {
    return at(decode(wire), path);
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return 'refused';
  }
}

describe.each(RESOURCES)('$name', ({ sample, decode, rows, twins = {} }) => {
  it.each(rows)('decodes %s, and shows it nowhere when it is dropped', (field, shown, value) => {
    const twin = twins[field];
    const whole = twin === undefined ? sample : without(sample, twin);
    expect(shownBy(decode, whole, shown)).toEqual(value);
    expect(shownBy(decode, without(whole, field), shown)).not.toEqual(value);
  });
});

describe('the samples', () => {
  it('have a row for each of their fields', () => {
    for (const { name, sample, rows } of RESOURCES.slice(0, 12)) {
      const fields = new Set(rows.flatMap(([field]) => [field, field.split('.')[0]]));
      // Known from outside: the pair that trades were asked of, and the name under which an asset stands.
      const known = name === 'Public trade' ? ['pair'] : name === 'Asset' ? ['key'] : [];
      const left = Object.keys(sample).filter((field) => !fields.has(field) && !known.includes(field));
      expect([name, left]).toEqual([name, []]);
    }
  });
});
