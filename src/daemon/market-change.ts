/** Compares two listings of a market: in the filters that an order has to satisfy, and in the fees of its fills. */
import { scaledText } from '../model/grid.js';
import type { Market, MarketSpec, StepRange } from '../model/market.js';
import type { Rate } from '../model/money.js';
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

const FEES = ['maker', 'taker', 'liquidation'] as const;

/** Each changed fee, as `maker 0.02% → 0.025%`; `undefined`: none changed. */
export function feeChange(before: Market, now: Market): string | undefined {
  const changes = FEES.map((name) => [name, percent(before.fees[name]), percent(now.fees[name])] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name} ${was} → ${is}`);
  return changes.length === 0 ? undefined : changes.join(', ');
}

/** The denominator of a rate is a power of ten. */
function percent({ numerator, denominator }: Rate): string {
  return `${scaledText(100n * numerator, denominator.toString().length - 1)}%`;
}
