import { scaledText, textOf } from '../model/grid.js';
import {
  defineMarket,
  type GridDigits,
  type Market,
  type MarketSpec,
  type StepRange,
} from '../model/market.js';
import { moneyText, type Rate } from '../model/money.js';
import type { InferredGrid } from './infer-market.js';
import { Fields } from './json-fields.js';

/** The specification that `defineMarket` makes this market of: how a market gets into a file. */
export function marketSpecOf(market: Market): MarketSpec {
  const { price, quantity, icebergs, interest } = market.filters;
  const lots = (filter: { readonly min: number; readonly max: number; readonly step: number }) => ({
    min: textOf(market.quantityGrid, filter.min),
    max: textOf(market.quantityGrid, filter.max),
    step: textOf(market.quantityGrid, filter.step),
  });
  return {
    pair: market.pair,
    base: market.base,
    quote: market.quote,
    contract: market.contract,
    quotePrecision: market.quotePrecision,
    price: {
      min: textOf(market.priceGrid, price.min),
      max: textOf(market.priceGrid, price.max),
      step: textOf(market.priceGrid, price.tickSize),
    },
    quantity: lots(quantity),
    icebergs: lots(icebergs),
    interest: lots(interest),
    fees: {
      maker: rateText(market.fees.maker),
      taker: rateText(market.fees.taker),
      liquidation: rateText(market.fees.liquidation),
    },
    margin: {
      initial: rateText(market.margin.initial),
      maintenance: rateText(market.margin.maintenance),
      initialRiskLimit: rateText(market.margin.initialRiskLimit),
      maintenanceRiskLimit: rateText(market.margin.maintenanceRiskLimit),
    },
    liquidation: {
      swapThreshold: rateText(market.liquidation.swapThreshold),
      deleverageThreshold: rateText(market.liquidation.deleverageThreshold),
      minLiquidate: moneyText(market.liquidation.minLiquidate, market.quotePrecision),
      liquidateThreshold: rateText(market.liquidation.liquidateThreshold),
      insurancePercentage: rateText(market.liquidation.insurancePercentage),
    },
    funding: {
      intervalMs: market.funding.intervalMs,
      timeWindowMs: market.funding.timeWindowMs,
      min: rateText(market.funding.min),
      max: rateText(market.funding.max),
      threshold: rateText(market.funding.threshold),
    },
    pricing: {
      indexIntervalMs: market.pricing.indexIntervalMs,
      markEmaRange: market.pricing.markEmaRange,
      markMaxDeviation: rateText(market.pricing.markMaxDeviation),
      bandDeviation: rateText(market.pricing.bandDeviation),
      fairQuantity: textOf(market.quantityGrid, market.pricing.fairQuantity),
      fairMultiplier: rateText(market.pricing.fairMultiplier),
    },
    active: market.active,
  };
}

/** The same of the market that a session runs on, whose grids may be finer than what its filters need. */
export function sessionSpecOf(market: Market): MarketSpec {
  const { priceGrid, quantityGrid } = market;
  return { ...marketSpecOf(market), grid: { price: priceGrid.decimals, quantity: quantityGrid.decimals } };
}

/** The grid of a market, as it is inferred where nobody told it. */
export function inferredGridOf(market: Market): InferredGrid {
  const { price, quantity } = marketSpecOf(market);
  return { quotePrecision: market.quotePrecision, price, quantity };
}

/** Rates are made of decimals, so their denominators are powers of ten. */
function rateText({ numerator, denominator }: Rate): string {
  return scaledText(numerator, denominator.toString().length - 1);
}

/**
 * A specification that came from JSON. Decimals may be texts or numbers; fields that it does not know are passed over.
 *
 * @throws UsageError naming the field, when it is not what it must be or the market does not hold together.
 */
export function parseMarketSpec(value: unknown, what: string): MarketSpec {
  const fields = new Fields(value, what);
  const fees = fields.object('fees');
  const spec: MarketSpec = {
    pair: fields.text('pair'),
    base: fields.text('base'),
    quote: fields.text('quote'),
    price: stepRange(fields.object('price')),
    quantity: stepRange(fields.object('quantity')),
    fees: {
      maker: fees.decimal('maker'),
      taker: fees.decimal('taker'),
      ...(fees.has('liquidation') && { liquidation: fees.decimal('liquidation') }),
    },
    ...(fields.has('contract') && { contract: fields.oneOf('contract', ['linear', 'spot', 'option']) }),
    ...(fields.has('quotePrecision') && { quotePrecision: fields.integer('quotePrecision') }),
    ...(fields.has('icebergs') && { icebergs: stepRange(fields.object('icebergs')) }),
    ...(fields.has('interest') && { interest: stepRange(fields.object('interest')) }),
    ...(fields.has('margin') && { margin: margin(fields.object('margin')) }),
    ...(fields.has('liquidation') && { liquidation: liquidation(fields.object('liquidation')) }),
    ...(fields.has('funding') && { funding: funding(fields.object('funding')) }),
    ...(fields.has('pricing') && { pricing: pricing(fields.object('pricing')) }),
    ...(fields.has('active') && { active: fields.flag('active') }),
    ...(fields.has('grid') && { grid: grid(fields.object('grid')) }),
  };
  defineMarket(spec);
  return spec;
}

/** @throws UsageError naming the field that is not what it must be */
export function parseInferredGrid(fields: Fields): InferredGrid {
  return {
    quotePrecision: fields.integer('quotePrecision'),
    price: stepRange(fields.object('price')),
    quantity: stepRange(fields.object('quantity')),
  };
}

function stepRange(fields: Fields): StepRange {
  return { min: fields.decimal('min'), max: fields.decimal('max'), step: fields.decimal('step') };
}

function grid(fields: Fields): GridDigits {
  return { price: fields.integer('price'), quantity: fields.integer('quantity') };
}

function margin(fields: Fields): NonNullable<MarketSpec['margin']> {
  return {
    initial: fields.decimal('initial'),
    maintenance: fields.decimal('maintenance'),
    initialRiskLimit: fields.decimal('initialRiskLimit'),
    maintenanceRiskLimit: fields.decimal('maintenanceRiskLimit'),
  };
}

function liquidation(fields: Fields): NonNullable<MarketSpec['liquidation']> {
  return {
    swapThreshold: fields.decimal('swapThreshold'),
    deleverageThreshold: fields.decimal('deleverageThreshold'),
    minLiquidate: fields.decimal('minLiquidate'),
    liquidateThreshold: fields.decimal('liquidateThreshold'),
    insurancePercentage: fields.decimal('insurancePercentage'),
  };
}

function funding(fields: Fields): NonNullable<MarketSpec['funding']> {
  return {
    intervalMs: fields.integer('intervalMs'),
    timeWindowMs: fields.integer('timeWindowMs'),
    min: fields.decimal('min'),
    max: fields.decimal('max'),
    threshold: fields.decimal('threshold'),
  };
}

function pricing(fields: Fields): NonNullable<MarketSpec['pricing']> {
  return {
    indexIntervalMs: fields.integer('indexIntervalMs'),
    markEmaRange: fields.integer('markEmaRange'),
    markMaxDeviation: fields.decimal('markMaxDeviation'),
    bandDeviation: fields.decimal('bandDeviation'),
    fairQuantity: fields.decimal('fairQuantity'),
    fairMultiplier: fields.decimal('fairMultiplier'),
  };
}
