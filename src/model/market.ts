import { frozen } from './frozen.js';
import { Decimal, type DecimalSource, parseDecimal } from './decimal.js';
import { UsageError } from './errors.js';
import {
  exactSteps,
  type Grid,
  gridOfDecimals,
  gridOfStep,
  type Lots,
  MAX_PRECISION,
  stepsOf,
  type Ticks,
} from './grid.js';
import { demandAssetName, demandPairName } from './market-name.js';
import { type Money, moneyOf, type Rate, rateOf } from './money.js';

/**
 * Price filter (specification: filters.price), in ticks of the price grid. `tickSize` is the step between valid prices.
 */
export interface PriceFilter {
  readonly min: Ticks;
  readonly max: Ticks;
  readonly tickSize: Ticks;
}

/** Quantity, iceberg or interest filter (specification: filters.qty, filters.icebergs, filters.interest), in lots. */
export interface QuantityFilter {
  readonly min: Lots;
  readonly max: Lots;
  readonly step: Lots;
}

/** The pair filters. `interest` bounds the size of a position, on either side. */
export interface PairFilters {
  readonly price: PriceFilter;
  readonly quantity: QuantityFilter;
  readonly icebergs: QuantityFilter;
  readonly interest: QuantityFilter;
}

/** Fee rates as fractions of the notional; a maker rate below zero is a rebate. */
export interface FeeRates {
  readonly maker: Rate;
  readonly taker: Rate;
  readonly liquidation: Rate;
}

/** Margin rates (specification: min_initial_margin … maintenance_risk_limit); `money.md` §3. */
export interface MarginRates {
  readonly initial: Rate;
  readonly maintenance: Rate;
  /** Added to the initial rate per unit of notional. */
  readonly initialRiskLimit: Rate;
  readonly maintenanceRiskLimit: Rate;
}

/** When and how far a margin group is liquidated (specification: Market; `money.md` §8). */
export interface LiquidationRules {
  /** Equity at or below this fraction of the maintenance margin: the provider takes over. */
  readonly swapThreshold: Rate;
  /** Equity as a fraction of the maintenance margin that the provider is given when it takes over. */
  readonly deleverageThreshold: Rate;
  /** Below this notional, in units of the quote asset, a position is liquidated whole. */
  readonly minLiquidate: Money;
  /** Share of the present position that one step liquidates. */
  readonly liquidateThreshold: Rate;
  /** Share of the liquidation fee that goes to the insurance fund; the rest goes to fees. */
  readonly insurancePercentage: Rate;
}

/** Specification: Market, funding_*; `money.md` §7. */
export interface FundingRules {
  /** Funding is due at each multiple of this interval since the Unix epoch. */
  readonly intervalMs: number;
  readonly timeWindowMs: number;
  readonly min: Rate;
  readonly max: Rate;
  /** No funding is exchanged while |rate| is below this. */
  readonly threshold: Rate;
}

/** How index, fair and mark price come about, and the trading band (`money.md` §2). */
export interface PricingRules {
  /** index_price_update_interval, ms. */
  readonly indexIntervalMs: number;
  /** mark_price_ema_range: periods of the average of fair − index. */
  readonly markEmaRange: number;
  /** mark_price_max_deviation: the mark stays inside index × (1 ± this). */
  readonly markMaxDeviation: Rate;
  /** trading_max_mark_deviation: half the trading band as a fraction of the mark. */
  readonly bandDeviation: Rate;
  /** fair_qty: the quantity over which the impact prices are averaged. */
  readonly fairQuantity: Lots;
  /** How far an impact price may lie from the best price, as a fraction. */
  readonly fairMultiplier: Rate;
}

/**
 * One market: everything that an order, a position and a result need to know about a pair. Immutable and frozen, because
 * the venue, the gate and all strategies share the same object.
 */
export interface Market {
  readonly pair: string;
  readonly base: string;
  readonly quote: string;
  /**
   * `linear`: quantity in base units, margin and P&L in the quote asset. `spot`: an exchange of balances. `option`:
   * markets of this kind are listed only and cannot be traded.
   */
  readonly contract: Contract;
  readonly priceGrid: Grid;
  readonly quantityGrid: Grid;
  /** Digits after the point of the quote asset's smallest unit: one unit of `Money` is 10^-quotePrecision. */
  readonly quotePrecision: number;
  /** Units of quote money in one tick × one lot: 10^(quotePrecision − price decimals − quantity decimals). */
  readonly unitsPerTickLot: bigint;
  /**
   * `unitsPerTickLot` as a double. It is exact up to 10^22. Larger ones do no harm: no safe integer is a multiple of
   * them, and only safe integers are used.
   */
  readonly tickLotUnits: number;
  readonly filters: PairFilters;
  readonly fees: FeeRates;
  readonly margin: MarginRates;
  readonly liquidation: LiquidationRules;
  readonly funding: FundingRules;
  readonly pricing: PricingRules;
  readonly active: boolean;
}

export type Contract = 'linear' | 'spot' | 'option';

export interface StepRange {
  readonly min: DecimalSource;
  readonly max: DecimalSource;
  readonly step: DecimalSource;
}

/** A market as people and files write it: decimals in units of the assets, rates as fractions. */
export interface MarketSpec {
  readonly pair: string;
  readonly base: string;
  readonly quote: string;
  readonly contract?: Contract;
  readonly quotePrecision?: number;
  readonly price: StepRange;
  readonly quantity: StepRange;
  readonly icebergs?: StepRange;
  readonly interest?: StepRange;
  readonly fees: {
    readonly maker: DecimalSource;
    readonly taker: DecimalSource;
    readonly liquidation?: DecimalSource;
  };
  readonly margin?: {
    readonly initial: DecimalSource;
    readonly maintenance: DecimalSource;
    readonly initialRiskLimit: DecimalSource;
    readonly maintenanceRiskLimit: DecimalSource;
  };
  /** Default: `money.md` §15. */
  readonly liquidation?: {
    readonly swapThreshold: DecimalSource;
    readonly deleverageThreshold: DecimalSource;
    readonly minLiquidate: DecimalSource;
    readonly liquidateThreshold: DecimalSource;
    readonly insurancePercentage: DecimalSource;
  };
  /** Default: `money.md` §15. */
  readonly funding?: {
    readonly intervalMs: number;
    readonly timeWindowMs: number;
    readonly min: DecimalSource;
    readonly max: DecimalSource;
    readonly threshold: DecimalSource;
  };
  /**
   * Default: index every second, mark averaged over 60 periods within 2 % of the index, a band of 10 %, no fair price.
   */
  readonly pricing?: {
    readonly indexIntervalMs: number;
    readonly markEmaRange: number;
    readonly markMaxDeviation: DecimalSource;
    readonly bandDeviation: DecimalSource;
    readonly fairQuantity: DecimalSource;
    readonly fairMultiplier: DecimalSource;
  };
  readonly active?: boolean;
  /** Fewest digits of the grids; default: as many as the filters' steps need. */
  readonly grid?: GridDigits;
}

export const DEFAULT_LIQUIDATION = {
  swapThreshold: '0.5',
  deleverageThreshold: '0',
  minLiquidate: '1000',
  liquidateThreshold: '0.1',
  insurancePercentage: '1',
} as const;

export const DEFAULT_FUNDING = {
  intervalMs: 3_600_000,
  timeWindowMs: 36_000_000,
  min: '-0.003',
  max: '0.003',
  threshold: '0',
} as const;

export const DEFAULT_PRICING = {
  indexIntervalMs: 1_000,
  markEmaRange: 60,
  markMaxDeviation: '0.02',
  bandDeviation: '0.1',
  fairQuantity: '0',
  fairMultiplier: '0.01',
} as const;

const DEFAULT_MARGIN = {
  initial: '0.01',
  maintenance: '0.005',
  initialRiskLimit: '0.000001',
  maintenanceRiskLimit: '0.0000005',
} as const;

/**
 * Fewest digits of the grids. Filters may become finer during a run, and a grid never changes: it is made fine enough at
 * first.
 */
export interface GridDigits {
  readonly price: number;
  readonly quantity: number;
}

const NO_DIGITS: GridDigits = { price: 0, quantity: 0 };

/**
 * Checks a market's specification.
 *
 * @throws UsageError when a name is none (`market-name.ts`), when a filter is not on its own grid, or when price × quantity would not be a whole number of units
 * of the quote asset (`money.md`, first paragraph: trading itself rounds nothing).
 */
export function defineMarket(spec: MarketSpec): Market {
  return defineMarketOn(NO_DIGITS, spec);
}

/** Like `defineMarket`, on grids of at least this many digits. */
export function defineMarketOn(least: GridDigits, spec: MarketSpec): Market {
  demandPairName(spec.pair);
  demandAssetName(`${spec.pair}: base`, spec.base);
  demandAssetName(`${spec.pair}: quote`, spec.quote);
  const given = spec.grid ?? NO_DIGITS;
  const priceGrid = gridOfDecimals(Math.max(gridOfStep(spec.price.step).decimals, least.price, given.price));
  const quantityGrid = gridOfDecimals(
    Math.max(gridOfStep(spec.quantity.step).decimals, least.quantity, given.quantity),
  );
  const quotePrecision = spec.quotePrecision ?? 8;
  if (!Number.isInteger(quotePrecision) || quotePrecision < 0 || quotePrecision > MAX_PRECISION) {
    throw new UsageError(
      'TICKWRIGHT_E_MARKET',
      `${spec.pair}: the quote asset's precision must be a whole number of 0 to ${MAX_PRECISION} digits, received ${quotePrecision}`,
    );
  }
  const spare = quotePrecision - priceGrid.decimals - quantityGrid.decimals;
  if (spare < 0) {
    throw new UsageError(
      'TICKWRIGHT_E_MARKET',
      `${spec.pair}: the digits of tick (${priceGrid.decimals}) and lot (${quantityGrid.decimals}) together must be ` +
        `at most the quote asset's precision, received ${quotePrecision}`,
    );
  }
  const price = range(spec.pair, 'price', priceGrid, spec.price);
  const quantity = range(spec.pair, 'quantity', quantityGrid, spec.quantity);
  const interest = spec.interest ?? { min: 0, max: spec.quantity.max, step: spec.quantity.step };
  const margin = spec.margin ?? DEFAULT_MARGIN;
  const liquidation = spec.liquidation ?? DEFAULT_LIQUIDATION;
  const funding = spec.funding ?? DEFAULT_FUNDING;
  const pricing = spec.pricing ?? DEFAULT_PRICING;
  const fairQuantity = exactSteps(quantityGrid, pricing.fairQuantity);
  if (fairQuantity === undefined || fairQuantity < 0) {
    throw new UsageError(
      'TICKWRIGHT_E_MARKET',
      `${spec.pair}: pricing.fairQuantity must be a multiple of the quantity grid of at least 0, ` +
        `received ${String(pricing.fairQuantity)}`,
    );
  }
  return frozen({
    pair: spec.pair,
    base: spec.base,
    quote: spec.quote,
    contract: spec.contract ?? 'linear',
    priceGrid,
    quantityGrid,
    quotePrecision,
    unitsPerTickLot: 10n ** BigInt(spare),
    tickLotUnits: 10 ** spare,
    filters: {
      price: { min: price.min as Ticks, max: price.max as Ticks, tickSize: price.step as Ticks },
      quantity: quantity as QuantityFilter,
      icebergs: range(spec.pair, 'icebergs', quantityGrid, spec.icebergs ?? spec.quantity) as QuantityFilter,
      interest: range(spec.pair, 'interest', quantityGrid, interest) as QuantityFilter,
    },
    fees: {
      maker: rateOf(spec.fees.maker),
      taker: rateOf(spec.fees.taker),
      liquidation: rateOf(spec.fees.liquidation ?? 0),
    },
    margin: {
      initial: rateOf(margin.initial),
      maintenance: rateOf(margin.maintenance),
      initialRiskLimit: rateOf(margin.initialRiskLimit),
      maintenanceRiskLimit: rateOf(margin.maintenanceRiskLimit),
    },
    liquidation: {
      swapThreshold: rateOf(liquidation.swapThreshold),
      deleverageThreshold: rateOf(liquidation.deleverageThreshold),
      minLiquidate: moneyOf(liquidation.minLiquidate, quotePrecision),
      liquidateThreshold: rateOf(liquidation.liquidateThreshold),
      insurancePercentage: rateOf(liquidation.insurancePercentage),
    },
    funding: {
      intervalMs: funding.intervalMs,
      timeWindowMs: funding.timeWindowMs,
      min: rateOf(funding.min),
      max: rateOf(funding.max),
      threshold: rateOf(funding.threshold),
    },
    pricing: {
      indexIntervalMs: pricing.indexIntervalMs,
      markEmaRange: pricing.markEmaRange,
      markMaxDeviation: rateOf(pricing.markMaxDeviation),
      bandDeviation: rateOf(pricing.bandDeviation),
      fairQuantity: fairQuantity as Lots,
      fairMultiplier: rateOf(pricing.fairMultiplier),
    },
    active: spec.active ?? true,
  });
}

/** quantity × price as money of the quote asset; exact. */
export function notional(market: Market, lots: Lots, ticks: Ticks): Money {
  // The product of two doubles is exact while it is a safe integer, and spares one conversion and one multiplication of
  // bigints.
  const steps = lots * ticks;
  const product = Number.isSafeInteger(steps) ? BigInt(steps) : BigInt(lots) * BigInt(ticks);
  return product * market.unitsPerTickLot;
}

/**
 * quantity × a printed price, which may lie between two ticks. Exact where the price is on the grid, else rounded to the
 * nearest unit of money, ties to even.
 */
export function worthAt(market: Market, lots: Lots, price: number): Money {
  const ticks = stepsOf(market.priceGrid, price);
  if (!Number.isNaN(ticks)) return notional(market, lots, ticks as Ticks);
  const unitsPerLot = new Decimal(10).pow(market.quotePrecision - market.quantityGrid.decimals);
  return BigInt(new Decimal(price).times(lots).times(unitsPerLot).toFixed(0));
}

/**
 * Strategies trade perpetuals only: they close positions by reduce-only orders and know their holding as a position of
 * the venue. Spot markets have neither, and options are not traded.
 *
 * @throws UsageError for any contract other than a linear one.
 */
export function demandPerpetual(
  { pair, contract }: Pick<Market, 'pair' | 'contract'>,
  refusal = (problem: string) => new UsageError('TICKWRIGHT_E_MARKET', `the market of a strategy ${problem}`),
): void {
  if (contract === 'linear') return;
  throw refusal(`must be a perpetual (linear), received ${pair}, which is ${contract}`);
}

function range(pair: string, filter: string, grid: Grid, { min, max, step }: StepRange) {
  const bounds = { min: steps(min, 'min'), max: steps(max, 'max'), step: steps(step, 'step') };
  if (bounds.step <= 0 || bounds.min < 0 || bounds.max < bounds.min) {
    throw new UsageError(
      'TICKWRIGHT_E_MARKET',
      `${pair}: filter ${filter} must have a step above 0 and 0 <= min <= max, ` +
        `received min ${String(min)}, max ${String(max)}, step ${String(step)}`,
    );
  }
  return bounds;

  function steps(source: DecimalSource, name: string): number {
    if (parseDecimal(source) === undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_MARKET',
        `${pair}: filter ${filter}.${name} must be a decimal, received ${String(source)}`,
      );
    }
    const count = exactSteps(grid, source);
    if (count === undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_MARKET',
        `${pair}: filter ${filter}.${name} must have at most ${grid.decimals} digits after the point, received ${String(source)}`,
      );
    }
    return count;
  }
}
