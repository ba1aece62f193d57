import { type Random, seededRandom } from '../model/random.js';
import { MARKET } from './subject-config.js';
import type { SwarmPlan } from './swarm-plan.js';

/** The fields of an order that can be torn. */
interface Row {
  readonly qty_filled: number;
  readonly qty_remaining: number;
  readonly fills: readonly { readonly time: number; readonly qty: number }[];
}

/** Margin to the visibility bound of A3 for requests that are under way, ms. */
const ROOM_MS = 1_000;

/**
 * A venue whose orders end before their last fills are visible: their status is current, their fills are some time old.
 */
export class TornOrders {
  readonly #random: Random;
  readonly #visibilityMs: number;

  constructor({ seed, bounds }: Pick<SwarmPlan, 'seed' | 'bounds'>) {
    this.#random = seededRandom(`torn/${seed}`);
    this.#visibilityMs = bounds.visibilityMs;
  }

  /** The body of an answer as a client sees it that asked at venue time `askedAt`, ms. */
  seen(body: string, askedAt: number): string {
    const from = askedAt - this.#random.next() * Math.max(0, this.#visibilityMs - ROOM_MS);
    if (!body.includes('"fills":[{')) return body;
    try {
      return JSON.stringify(
        JSON.parse(body, (_, value: unknown) => (isRow(value) ? asOf(value, from) : value)),
      );
    } catch {
      // Another fault has truncated the body.
      return body;
    }
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'qty_filled' in value && 'fills' in value;
}

function asOf(row: Row, from: number): Row {
  const { scale } = MARKET.quantityGrid;
  const isHidden = ({ time }: { readonly time: number }) => time > from;
  const hidden = row.fills.filter(isHidden).reduce((sum, { qty }) => sum + qty, 0);
  if (hidden === 0) return row;
  const onGrid = (quantity: number) => Math.round(quantity * scale) / scale;
  return {
    ...row,
    qty_filled: onGrid(row.qty_filled - hidden),
    qty_remaining: onGrid(row.qty_remaining + hidden),
    fills: row.fills.filter((fill) => !isHidden(fill)),
  };
}
