import type { FilterRecord, WireRecord } from './venue-records.js';

/**
 * Specification: Market, every field as printed. `Market` is the checked part that trading needs. A field that the venue
 * does not send is `undefined`. Rates are fractions, intervals are ms.
 */
export interface MarketRecord {
  readonly pair: string;
  /** Programmatic identifier. */
  readonly key: string | undefined;
  readonly base: string | undefined;
  readonly quote: string | undefined;
  readonly basePrecision: number | undefined;
  readonly quotePrecision: number | undefined;
  readonly baseDisplayPrecision: number | undefined;
  readonly quoteDisplayPrecision: number | undefined;
  readonly quantityDisplayPrecision: number | undefined;
  readonly precisionAsset: string | undefined;
  readonly chartPricePrecision: number | undefined;
  /** Wire: tv_volume_precicion or tv_volume_precision. */
  readonly chartVolumePrecision: number | undefined;
  readonly symbol: string | undefined;
  readonly description: string | undefined;
  readonly introduction: string | undefined;
  readonly website: string | undefined;
  readonly explorer: string | undefined;
  readonly subreddit: string | undefined;
  readonly url: string | undefined;
  readonly issuePrice: number | undefined;
  readonly issueTime: number | undefined;
  readonly totalSupply: number | undefined;
  readonly category: string | undefined;
  readonly contract: string | undefined;
  readonly usdPrice: number | undefined;
  /** LIMIT, MARKET, or any other text of the venue. */
  readonly orderTypes: readonly string[] | undefined;
  readonly makerFee: number | undefined;
  readonly takerFee: number | undefined;
  readonly liquidationFee: number | undefined;
  readonly minInitialMargin: number | undefined;
  /** Wire: min_maintenace_margin or min_maintenance_margin. */
  readonly minMaintenanceMargin: number | undefined;
  readonly initialRiskLimit: number | undefined;
  readonly maintenanceRiskLimit: number | undefined;
  readonly deleverageThreshold: number | undefined;
  readonly swapThreshold: number | undefined;
  /** USD. */
  readonly minLiquidate: number | undefined;
  readonly liquidateThreshold: number | undefined;
  readonly fundingThreshold: number | undefined;
  readonly fundingIntervalMs: number | undefined;
  readonly fundingTimeWindowMs: number | undefined;
  readonly fundingMin: number | undefined;
  readonly fundingMax: number | undefined;
  readonly fairQuantity: number | undefined;
  readonly fairMultiplier: number | undefined;
  readonly insurancePercentage: number | undefined;
  readonly indexPriceUpdateIntervalMs: number | undefined;
  readonly indexPriceExcludeThreshold: number | undefined;
  readonly markPriceMaxDeviation: number | undefined;
  readonly markPriceEmaRange: number | undefined;
  readonly tradingEmaRange: number | undefined;
  readonly tradingMaxIndexDeviation: number | undefined;
  readonly tradingMaxMarkDeviation: number | undefined;
  readonly indexPriceHitApi: boolean | undefined;
  readonly composite: boolean | undefined;
  readonly useEma: boolean | undefined;
  readonly isCall: boolean | undefined;
  readonly indexPriceEmaRange: number | undefined;
  /** Strike price = this × 100-hour average of the underlier. */
  readonly priceMultiplier: number | undefined;
  readonly underlier: string | undefined;
  /** TRADING, or any other text of the venue. */
  readonly status: string | undefined;
  readonly active: boolean | undefined;
  readonly filters: {
    readonly price: FilterRecord | undefined;
    readonly quantity: FilterRecord | undefined;
    readonly icebergs: FilterRecord | undefined;
    readonly interest: FilterRecord | undefined;
  };
  readonly wire: WireRecord;
}
