/** Compares two listings of a market: filters of its orders, fees of its fills, and terms of its positions. */
import { durationText } from '../model/duration.js';
import { scaledText } from '../model/grid.js';
import type { Market, MarketSpec, StepRange } from '../model/market.js';
import { moneyText, type Rate } from '../model/money.js';
import { marketSpecOf } from '../storage/market-spec.js';

const FILTERS = {
  price: 'price',
  quantity: 'quantity',
  interest: 'position',
  icebergs: 'iceberg quantity',
} as const;
const BOUNDS = ['step', 'min', 'max'] as const;

/** Each changed filter, as `price step 0.1 → 0.5`; `undefined`: none changed. A finer grid alone is no change. */
export function filterChange(before: Market, now: Market): string | undefined {
  const [old, listed] = [marketSpecOf(before), marketSpecOf(now)];
  const changes = Object.entries(FILTERS).flatMap(([key, name]) => {
    const [was, is] = [rangeOf(old, key), rangeOf(listed, key)];
    return BOUNDS.filter((bound) => String(was[bound]) !== String(is[bound])).map(
      (bound) => `${name} ${bound} ${String(was[bound])} → ${String(is[bound])}`,
    );
  });
  return changes.length === 0 ? undefined : changes.join(', ');
}

/** Every defined market has all of these filters. */
function rangeOf(spec: MarketSpec, key: string): StepRange {
  return spec[key as keyof typeof FILTERS] as StepRange;
}

/** Facts of a market by name, each as people read it. */
type Facts = readonly (readonly [name: string, text: (market: Market) => string])[];

const FEES: Facts = [
  ['maker', ({ fees }) => percent(fees.maker)],
  ['taker', ({ fees }) => percent(fees.taker)],
  ['liquidation', ({ fees }) => percent(fees.liquidation)],
];

const POSITION_TERMS: Facts = [
  ['initial margin', ({ margin }) => percent(margin.initial)],
  ['maintenance margin', ({ margin }) => percent(margin.maintenance)],
  ['initial margin per unit of notional', ({ margin }) => percent(margin.initialRiskLimit)],
  ['maintenance margin per unit of notional', ({ margin }) => percent(margin.maintenanceRiskLimit)],
  ['take-over at equity of', ({ liquidation }) => `${percent(liquidation.swapThreshold)} of maintenance`],
  [
    'take-over with equity of',
    ({ liquidation }) => `${percent(liquidation.deleverageThreshold)} of maintenance`,
  ],
  ['liquidated whole below', (market) => moneyText(market.liquidation.minLiquidate, market.quotePrecision)],
  ['liquidated in steps of', ({ liquidation }) => percent(liquidation.liquidateThreshold)],
  ['insurance share of liquidation fees', ({ liquidation }) => percent(liquidation.insurancePercentage)],
  ['funding every', ({ funding }) => durationText(funding.intervalMs)],
  ['funding over', ({ funding }) => durationText(funding.timeWindowMs)],
  ['lowest funding rate', ({ funding }) => percent(funding.min)],
  ['highest funding rate', ({ funding }) => percent(funding.max)],
  ['no funding below', ({ funding }) => percent(funding.threshold)],
];

/** Each changed fee, as `maker 0.02% → 0.025%`; `undefined`: none changed. */
export function feeChange(before: Market, now: Market): string | undefined {
  return factChange(FEES, before, now);
}

/**
 * Each changed rule of margin, liquidation and funding, as `initial margin 1% → 2%`; `undefined`: none changed.
 */
export function positionTermChange(before: Market, now: Market): string | undefined {
  return factChange(POSITION_TERMS, before, now);
}

function factChange(facts: Facts, before: Market, now: Market): string | undefined {
  const changes = facts
    .map(([name, text]) => [name, text(before), text(now)] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name} ${was} → ${is}`);
  return changes.length === 0 ? undefined : changes.join(', ');
}

/** The denominator of a rate is a power of ten. */
function percent({ numerator, denominator }: Rate): string {
  return `${scaledText(100n * numerator, denominator.toString().length - 1)}%`;
}
