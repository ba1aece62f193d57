import { textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { StrategyContext } from '../strategy/context.js';
import { defineStrategy, type StrategyDefinition } from '../strategy/definition.js';
import { holdPosition, type OrderRequest, orders, type Want } from '../strategy/want.js';
import type { Desire, DesiredStop, Workload } from './workload.js';

const LOOK_MS = 1_000;
/**
 * Number of orders of a grid, their distance as a fraction of the price, and their size as a share of the largest
 * position.
 */
const GRID_ORDERS = 5;
const GRID_SPACE = 0.0004;
const GRID_PART = 0.2;

/** The workload as a strategy for the engine. `stops`: what it holds by market orders has a stop, which it moves. */
export function workloadStrategy(
  workload: Workload,
  market: Market,
  { stops = false }: { readonly stops?: boolean | undefined } = {},
): StrategyDefinition {
  const { lookMs = LOOK_MS } = workload.terms;
  return defineStrategy({
    name: `workload-${workload.terms.kind}`,
    create(_, context) {
      let number = Number.NaN;
      let stop: DesiredStop | undefined;
      let price: number | undefined;
      const look = (): Want | undefined => {
        const desire = workload.at(context.now);
        const latest = stops ? workload.stopAt(context.now) : undefined;
        const isNew = desire.number !== number;
        if ((!isNew && latest === stop) || price === undefined) return undefined;
        number = desire.number;
        stop = latest;
        // Throws occasionally. Not while warming up, where each life would throw at the same point again.
        if (isNew && desire.throws && !context.warmingUp) throw new Error('the strategy has a bug');
        return wantOf(desire, price, { workload, market, context, stop });
      };
      const again = (): void => context.setTimer('look', context.now + lookMs);
      return {
        onTrade(trade) {
          if (price === undefined) again();
          price = trade.price;
          return look();
        },
        onTimer() {
          again();
          return look();
        },
      };
    },
  });
}

interface Scene {
  readonly workload: Workload;
  readonly market: Market;
  readonly context: StrategyContext;
  /** `undefined`: without stops. */
  readonly stop: DesiredStop | undefined;
}

function wantOf(desire: Desire, price: number, { workload, market, context, stop }: Scene): Want {
  const { kind, maxLots } = workload.terms;
  const { limitOffset, target } = desire;
  if ((kind === 'grid' || kind === 'quotes') && stop === undefined)
    return orders(gridOf(desire, price, market, maxLots));
  const held = Math.round(context.position * market.quantityGrid.scale);
  if (limitOffset === undefined) {
    const quantity = textOf(market.quantityGrid, target);
    // An exit that the venue refuses, as it may near bankruptcy, is tried for ever, and the program is never at rest.
    if (stop?.isLast === true && (context.stoppedOut || held !== target)) return orders([]);
    if (stop === undefined || target === 0) return holdPosition(quantity);
    return holdPosition(quantity, { stop: priceAt(market, price * (1 - Math.sign(target) * stop.away)) });
  }
  const missing = target - held;
  if (missing === 0) return orders([]);
  return orders([limitOrder(market, missing, price * (1 - Math.sign(missing) * limitOffset))]);
}

/** Bids below and asks above the price, with more orders on the side that leads to the target. */
function gridOf({ target }: Desire, price: number, market: Market, maxLots: number): readonly OrderRequest[] {
  const lots = Math.max(1, Math.floor(maxLots * GRID_PART));
  const bids = target > 0 ? Math.ceil(GRID_ORDERS / 2) : Math.floor(GRID_ORDERS / 2);
  return Array.from({ length: GRID_ORDERS }, (_, index) => {
    const rank = index < bids ? -(index + 1) : index - bids + 1;
    // No two orders are alike, because a venue without tags could not tell them apart.
    return limitOrder(market, -Math.sign(rank) * lots, price * (1 + rank * GRID_SPACE));
  });
}

function limitOrder(market: Market, signedLots: number, price: number): OrderRequest {
  return {
    side: signedLots > 0 ? 'buy' : 'sell',
    quantity: textOf(market.quantityGrid, Math.abs(signedLots)),
    price: priceAt(market, price),
  };
}

/** The nearest price of the grid. */
function priceAt({ priceGrid, filters }: Market, price: number): string {
  const tick = filters.price.tickSize;
  return textOf(priceGrid, Math.max(tick, Math.round((price * priceGrid.scale) / tick) * tick));
}
