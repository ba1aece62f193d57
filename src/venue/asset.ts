import type { DecimalSource } from '../model/decimal.js';

/** The most of any asset that one transfer may carry (specification: Asset, filters). */
export const ASSET_MAX = 1_000_000_000;

/** An asset as the simulated venue keeps it (specification: Asset). Amounts are in units of the asset itself. */
export interface VenueAsset {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** Decimals of its smallest unit. */
  readonly precision: number;
  readonly displayPrecision: number;
  /** Number of confirmations before a deposit is credited. */
  readonly confirmations: number;
  readonly platform: string;
  readonly isToken: boolean;
  readonly withdrawable: boolean;
  readonly minWithdrawal: DecimalSource;
  /** Whether holding it gives the venue's commission discount. */
  readonly isSpecialCommissionAsset: boolean;
  readonly stablecoin: boolean;
  /** Fixed amounts that are deducted from each withdrawal and deposit. */
  readonly fees: { readonly withdrawal: DecimalSource; readonly deposit: DecimalSource };
  /** Price of a unit in USD, for display and amounts in USD, while no market of the venue has a price for it. */
  readonly usdPrice: DecimalSource;
}
