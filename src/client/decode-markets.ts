import { Decimal, type DecimalSource } from '../model/decimal.js';
import { TickwrightError } from '../model/errors.js';
import { gridOfStep, MAX_PRECISION } from '../model/grid.js';
import {
  type Contract,
  DEFAULT_FUNDING,
  DEFAULT_LIQUIDATION,
  DEFAULT_PRICING,
  defineMarket,
  type Market,
  type MarketSpec,
  type StepRange,
} from '../model/market.js';
import type { WireRecord } from '../model/venue-records.js';
import {
  booleanOf,
  DecodeError,
  entriesOf,
  factNumber,
  field,
  messageOf,
  notNegativeOf,
  numberOf,
  optionalNumberOf,
  positiveOf,
  recordOf,
  textOf,
  untrusted,
} from './wire.js';

/** GET /pairs. A market that we cannot trade must not make the others unreadable: it is listed with the reason instead. */
export interface DecodedMarkets {
  readonly markets: ReadonlyMap<string, Market>;
  readonly skipped: readonly { readonly pair: string; readonly reason: string }[];
}

export function decodeMarkets(result: unknown): DecodedMarkets {
  const markets = new Map<string, Market>();
  const skipped: { pair: string; reason: string }[] = [];
  for (const [pair, value] of entriesOf(result, 'pairs')) {
    try {
      markets.set(pair, defineMarket(specOf(pair, recordOf(value, `market ${pair}`))));
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof TickwrightError)) throw error;
      skipped.push({ pair: untrusted(pair), reason: error.message });
    }
  }
  return { markets, skipped };
}

function specOf(pair: string, wire: WireRecord): MarketSpec {
  const filters = recordOf(field(wire, 'filters'), 'market.filters');
  const filter = (name: string) => {
    const value = field(filters, name);
    return value === undefined ? undefined : recordOf(value, `filters.${name}`);
  };
  const price = rangeOf(recordOf(filter('price'), 'filters.price'), 'filters.price', 'price');
  const quantity = rangeOf(recordOf(filter('qty'), 'filters.qty'), 'filters.qty', 'qty');
  const [icebergs, interest] = (['icebergs', 'interest'] as const).map((name) => {
    const value = filter(name);
    return value === undefined ? undefined : rangeOf(value, `filters.${name}`, 'qty', quantity.step);
  });
  const margin = marginOf(wire);
  const contract = contractOf(wire);
  const digits = quotePrecision(wire, price, quantity);
  const status = field(wire, 'status');
  return {
    pair,
    base: textOf(field(wire, 'base'), 'market.base'),
    quote: textOf(field(wire, 'quote'), 'market.quote'),
    contract,
    quotePrecision: digits,
    price,
    quantity,
    ...(icebergs === undefined ? {} : { icebergs }),
    ...(interest === undefined ? {} : { interest }),
    fees: {
      maker: rate(wire, 'commission_maker'),
      taker: rate(wire, 'commission_taker'),
      liquidation: numberOf(field(wire, 'commission_liquidation') ?? 0, 'market.commission_liquidation'),
    },
    ...(margin === undefined ? {} : { margin }),
    liquidation: liquidationOf(wire, digits),
    funding: fundingOf(wire),
    pricing: pricingOf(wire, quantity),
    // Options are listed, but cannot be traded with this client.
    active:
      contract !== 'option' &&
      booleanOf(field(wire, 'active'), 'market.active', true) &&
      (status ?? 'TRADING') === 'TRADING',
  };
}

function contractOf(wire: WireRecord): Contract {
  const text = (messageOf(field(wire, 'contract')) ?? '').toUpperCase();
  if (/INVERSE|QUANTO/.test(text)) {
    throw new DecodeError('market.contract', 'a linear, spot or option contract', field(wire, 'contract'));
  }
  if (text.includes('OPTION') || field(wire, 'call') === true) return 'option';
  return text.includes('SPOT') ? 'spot' : 'linear';
}

/** Liquidation rules, on which no order depends; where the venue does not tell one, that of our own venue. */
function liquidationOf(wire: WireRecord, digits: number): NonNullable<MarketSpec['liquidation']> {
  const fact = (name: string, otherwise: DecimalSource) => factNumber(wire, name) ?? otherwise;
  const least = new Decimal(String(fact('min_liquidate', DEFAULT_LIQUIDATION.minLiquidate)));
  return {
    swapThreshold: fact('swap_threshold', DEFAULT_LIQUIDATION.swapThreshold),
    deleverageThreshold: fact('deleverage_threshold', DEFAULT_LIQUIDATION.deleverageThreshold),
    minLiquidate: least.toDecimalPlaces(digits),
    liquidateThreshold: fact('liquidate_threshold', DEFAULT_LIQUIDATION.liquidateThreshold),
    insurancePercentage: fact('insurance_percentage', DEFAULT_LIQUIDATION.insurancePercentage),
  };
}

function fundingOf(wire: WireRecord): NonNullable<MarketSpec['funding']> {
  return {
    intervalMs: factNumber(wire, 'funding_interval') ?? DEFAULT_FUNDING.intervalMs,
    timeWindowMs: factNumber(wire, 'funding_time_window') ?? DEFAULT_FUNDING.timeWindowMs,
    min: factNumber(wire, 'funding_min') ?? DEFAULT_FUNDING.min,
    max: factNumber(wire, 'funding_max') ?? DEFAULT_FUNDING.max,
    threshold: factNumber(wire, 'funding_threshold') ?? DEFAULT_FUNDING.threshold,
  };
}

function pricingOf(wire: WireRecord, quantity: StepRange): NonNullable<MarketSpec['pricing']> {
  const { scale } = gridOfStep(quantity.step);
  const fair = Math.max(0, factNumber(wire, 'fair_qty') ?? Number(DEFAULT_PRICING.fairQuantity));
  return {
    indexIntervalMs: factNumber(wire, 'index_price_update_interval') ?? DEFAULT_PRICING.indexIntervalMs,
    markEmaRange: factNumber(wire, 'mark_price_ema_range') ?? DEFAULT_PRICING.markEmaRange,
    markMaxDeviation: factNumber(wire, 'mark_price_max_deviation') ?? DEFAULT_PRICING.markMaxDeviation,
    bandDeviation: factNumber(wire, 'trading_max_mark_deviation') ?? DEFAULT_PRICING.bandDeviation,
    fairQuantity: Decimal.min(new Decimal(String(fair)).times(scale).floor(), Number.MAX_SAFE_INTEGER).div(
      scale,
    ),
    fairMultiplier: factNumber(wire, 'fair_multiplier') ?? DEFAULT_PRICING.fairMultiplier,
  };
}

/** Both spellings of the maintenance rate are on the wire (specification: Market). */
function marginOf(wire: WireRecord): MarketSpec['margin'] {
  const initial = optionalNumberOf(field(wire, 'min_initial_margin'), 'market.min_initial_margin');
  const maintenance = optionalNumberOf(
    field(wire, 'min_maintenance_margin', 'min_maintenace_margin'),
    'market.min_maintenance_margin',
  );
  if (initial === undefined || maintenance === undefined) return undefined;
  return {
    initial,
    maintenance,
    initialRiskLimit: numberOf(field(wire, 'initial_risk_limit') ?? 0, 'market.initial_risk_limit'),
    maintenanceRiskLimit: numberOf(
      field(wire, 'maintenance_risk_limit') ?? 0,
      'market.maintenance_risk_limit',
    ),
  };
}

function rate(wire: WireRecord, name: string): number {
  return numberOf(field(wire, name), `market.${name}`);
}

/** Digits of the quote asset: the venue's, or as many as it takes for tick × lot to be a whole number of units. */
function quotePrecision(wire: WireRecord, price: StepRange, quantity: StepRange): number {
  const needed = gridOfStep(price.step).decimals + gridOfStep(quantity.step).decimals;
  const said = notNegativeOf(field(wire, 'quote_precision') ?? 8, 'market.quote_precision');
  if (said > MAX_PRECISION) throw new DecodeError('market.quote_precision', `at most ${MAX_PRECISION}`, said);
  return Math.max(Math.trunc(said), needed);
}

/**
 * A filter as a range on the grid of `gridStep` (default: its own step). A bound that is off the grid, or too large to be
 * counted in steps, moves inwards.
 */
function rangeOf(wire: WireRecord, what: string, unit: 'price' | 'qty', gridStep?: DecimalSource): StepRange {
  const step = positiveOf(field(wire, 'tick_size'), `${what}.tick_size`);
  // The declaration and the sample differ in the names of a price filter's bounds (specification: Asset).
  const min = notNegativeOf(field(wire, `min_${unit}`, 'min_qty') ?? 0, `${what}.min`);
  const max = positiveOf(field(wire, `max_${unit}`, 'max_qty'), `${what}.max`);
  const { scale } = gridOfStep(gridStep ?? step);
  const steps = (value: number, round: 'ceil' | 'floor') => {
    const count = new Decimal(String(value)).times(scale)[round]();
    return Decimal.min(count, Number.MAX_SAFE_INTEGER).div(scale);
  };
  return { min: steps(min, 'ceil'), max: steps(max, 'floor'), step };
}
