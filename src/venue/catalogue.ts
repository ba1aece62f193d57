/** The markets this project knows by name: what the simulated venue lists, and what an imported tape is read as. */
import { UsageError } from '../model/errors.js';
import { defineMarket, type Market, type MarketSpec } from '../model/market.js';
import type { AssetRecord } from '../model/venue-records.js';

/** A market, its assets, and what a synthetic market starts from. */
export interface CatalogueEntry {
  readonly spec: MarketSpec;
  /** Keys of `ASSETS`, quote first. */
  readonly assets: readonly string[];
  /** Where a synthetic market's price hovers, quote units. */
  readonly referencePrice: number;
  /** Standard deviation of a synthetic day's log return. */
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

export const ASSETS: readonly AssetRecord[] = [
  { key: 'USD', name: 'US Dollar', precision: 8, withdrawable: true, minWithdrawal: 10, confirmations: 1 },
  { key: 'BTC', name: 'Bitcoin', precision: 8, withdrawable: true, minWithdrawal: 0.001, confirmations: 3 },
  { key: 'ETH', name: 'Ether', precision: 8, withdrawable: true, minWithdrawal: 0.01, confirmations: 12 },
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
    },
    assets: ['USD', 'BTC'],
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
    },
    assets: ['USD', 'ETH'],
    referencePrice: 2_500,
    dailyVolatility: 0.036,
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

/** The assets that these pairs trade and settle in, each once. */
export function assetsOf(pairs: readonly string[]): readonly AssetRecord[] {
  const keys = new Set(pairs.flatMap((pair) => catalogueEntry(pair).assets));
  return ASSETS.filter(({ key }) => keys.has(key));
}
