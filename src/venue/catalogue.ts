/**
 * The markets that this project knows by name: the simulated venue lists them, and imported tapes use their
 * specifications.
 */
import { UsageError } from '../model/errors.js';
import { defineMarket, type Market, type MarketSpec } from '../model/market.js';
import type { VenueAsset } from './asset.js';

/** A market, with the parameters of its synthetic version. */
export interface CatalogueEntry {
  readonly spec: MarketSpec;
  /** The level around which a synthetic market's price fluctuates, quote units. */
  readonly referencePrice: number;
  /** Standard deviation of a synthetic market's daily log return. */
  readonly dailyVolatility: number;
}

const FEES = { maker: '0.0002', taker: '0.0006', liquidation: '0.003' } as const;

/** `money.md` §15. */
const MARGIN = {
  initial: '0.01',
  maintenance: '0.005',
  initialRiskLimit: '0.000001',
  maintenanceRiskLimit: '0.0000005',
} as const;

/** The index updates every second. The mark is an average over a minute, within 2 % of the index. */
const PRICING = {
  indexIntervalMs: 1_000,
  markEmaRange: 60,
  markMaxDeviation: '0.02',
  bandDeviation: '0.1',
  fairMultiplier: '0.01',
} as const;

/** All assets that can be deposited; withdrawals also require `withdrawable`. */
export const ASSETS: readonly VenueAsset[] = [
  {
    key: 'USD',
    name: 'US Dollar',
    description: 'What the contracts are margined and settled in.',
    precision: 8,
    displayPrecision: 2,
    confirmations: 1,
    platform: 'bank',
    isToken: false,
    withdrawable: true,
    minWithdrawal: '10',
    isSpecialCommissionAsset: false,
    stablecoin: true,
    fees: { withdrawal: '1', deposit: '0' },
    usdPrice: '1',
  },
  {
    key: 'BTC',
    name: 'Bitcoin',
    description: 'Base asset of USD_BTC_PERP and BTC_USD.',
    precision: 8,
    displayPrecision: 6,
    confirmations: 3,
    platform: 'bitcoin',
    isToken: false,
    withdrawable: true,
    minWithdrawal: '0.001',
    isSpecialCommissionAsset: false,
    stablecoin: false,
    fees: { withdrawal: '0.0002', deposit: '0' },
    usdPrice: '60000',
  },
  {
    key: 'ETH',
    name: 'Ether',
    description: 'Base asset of USD_ETH_PERP.',
    precision: 8,
    displayPrecision: 5,
    confirmations: 12,
    platform: 'ethereum',
    isToken: false,
    withdrawable: true,
    minWithdrawal: '0.01',
    isSpecialCommissionAsset: false,
    stablecoin: false,
    fees: { withdrawal: '0.002', deposit: '0' },
    usdPrice: '2500',
  },
  {
    key: 'TWT',
    name: 'Venue Token',
    description: 'Whoever holds some pays less commission, where the venue gives a discount.',
    precision: 8,
    displayPrecision: 2,
    confirmations: 12,
    platform: 'ethereum',
    isToken: true,
    withdrawable: false,
    minWithdrawal: '100',
    isSpecialCommissionAsset: true,
    stablecoin: false,
    fees: { withdrawal: '5', deposit: '1' },
    usdPrice: '0.1',
  },
];

export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    spec: {
      pair: 'USD_BTC_PERP',
      base: 'BTC',
      quote: 'USD',
      contract: 'linear',
      quotePrecision: 8,
      price: { min: '0.1', max: '10000000', step: '0.1' },
      quantity: { min: '0.001', max: '100', step: '0.001' },
      icebergs: { min: '0.001', max: '100', step: '0.001' },
      interest: { min: '0', max: '50', step: '0.001' },
      fees: FEES,
      margin: MARGIN,
      pricing: { ...PRICING, fairQuantity: '0.1' },
    },
    referencePrice: 60_000,
    dailyVolatility: 0.028,
  },
  {
    spec: {
      pair: 'USD_ETH_PERP',
      base: 'ETH',
      quote: 'USD',
      contract: 'linear',
      quotePrecision: 8,
      price: { min: '0.01', max: '1000000', step: '0.01' },
      quantity: { min: '0.01', max: '2000', step: '0.01' },
      icebergs: { min: '0.01', max: '2000', step: '0.01' },
      interest: { min: '0', max: '1000', step: '0.01' },
      fees: FEES,
      margin: MARGIN,
      pricing: { ...PRICING, fairQuantity: '2' },
    },
    referencePrice: 2_500,
    dailyVolatility: 0.036,
  },
  {
    spec: {
      pair: 'BTC_USD',
      base: 'BTC',
      quote: 'USD',
      contract: 'spot',
      quotePrecision: 8,
      price: { min: '0.1', max: '10000000', step: '0.1' },
      quantity: { min: '0.0001', max: '100', step: '0.0001' },
      icebergs: { min: '0.0001', max: '100', step: '0.0001' },
      fees: FEES,
    },
    referencePrice: 60_000,
    dailyVolatility: 0.028,
  },
];

/** A perpetual call, which is listed but never traded. */
export const LISTED_OPTIONS: readonly MarketSpec[] = [
  {
    pair: 'USD_BTC_CALL',
    base: 'BTC',
    quote: 'USD',
    contract: 'option',
    quotePrecision: 8,
    price: { min: '0.1', max: '10000000', step: '0.1' },
    quantity: { min: '0.001', max: '100', step: '0.001' },
    fees: FEES,
    margin: MARGIN,
    active: false,
  },
];

export const DEFAULT_PAIR = 'USD_BTC_PERP';

/** @throws UsageError when the catalogue has no such pair. */
export function catalogueEntry(pair: string): CatalogueEntry {
  const entry = CATALOGUE.find(({ spec }) => spec.pair === pair);
  if (entry === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_PAIR',
      `a pair must be one of ${CATALOGUE.map(({ spec }) => spec.pair).join(', ')}, received ${pair}`,
    );
  }
  return entry;
}

/** The checked market of a catalogue pair. */
export function catalogueMarket(pair: string): Market {
  return defineMarket(catalogueEntry(pair).spec);
}

/** The known assets in which these markets trade and settle, and those that give a discount; each once. */
export function assetsOf(markets: readonly Market[]): readonly VenueAsset[] {
  const keys = new Set(markets.flatMap(({ base, quote }) => [base, quote]));
  return ASSETS.filter(({ key, isSpecialCommissionAsset }) => keys.has(key) || isSpecialCommissionAsset);
}
