/** What of a market an order has to fit in, compared between two answers of the venue. */
import type { Market, MarketSpec, StepRange } from '../model/market.js';
import { marketSpecOf } from '../storage/market-spec.js';

const FILTERS = {
  price: 'price',
  quantity: 'quantity',
  interest: 'position',
  icebergs: 'iceberg quantity',
} as const;
const BOUNDS = ['step', 'min', 'max'] as const;

/** Each filter that is another one now, as `price step 0.1 → 0.5`; `undefined`: none. Grids do not count. */
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

/** A market that is defined has all of them. */
function rangeOf(spec: MarketSpec, key: string): StepRange {
  return spec[key as keyof typeof FILTERS] as StepRange;
}
