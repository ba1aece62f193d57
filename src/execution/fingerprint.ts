/** Which intent an order at the venue belongs to, where no id of ours travels with it (`reliability.md` b.5). */
import { numberOf } from '../model/grid.js';
import type { Lots } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { type OrderTerms, sameTerms } from '../model/order.js';
import type { OrderRecord } from '../model/venue-records.js';

/** Error of the venue's clock and of ours about it, ms. */
export const SKEW_MS = 10_000;

/** What is known of an intent for finding its order. */
export interface Wanted {
  readonly terms: OrderTerms;
  readonly tag: string | undefined;
  /** Venue ms. */
  readonly sentAt: number;
}

/** With an echoed tag equality of tags is all; without, everything that was asked for, and never before it was sent. */
export function isOrderOf(market: Market, wanted: Wanted, record: OrderRecord): boolean {
  if (wanted.tag !== undefined) return record.oco === wanted.tag;
  const { terms } = wanted;
  return (
    resembles(market, wanted, record) &&
    (terms.ticks === undefined || near(record.priceOriginal, numberOf(market.priceGrid, terms.ticks))) &&
    (terms.type === 'market' || record.timeInForce === terms.timeInForce) &&
    record.postOnly === terms.postOnly &&
    record.reduceOnly === terms.reduceOnly &&
    record.triggerPrice === undefined
  );
}

/** The order that was asked for, or one that is shown with another price or other flags than it. */
export function resembles(
  market: Market,
  { terms, sentAt }: Omit<Wanted, 'tag'>,
  record: OrderRecord,
): boolean {
  // A record's time is that of its last update: it is never older than the order, and may be much younger.
  return record.time >= sentAt - SKEW_MS && isSameKind(market, terms, record);
}

/** The same whenever it was: what is known of the venue's clock may have been wrong when the order was sent. */
export function isSameKind(market: Market, terms: OrderTerms, record: OrderRecord): boolean {
  return (
    record.pair === market.pair &&
    record.side === terms.side &&
    record.type === terms.type &&
    near(record.quantity, numberOf(market.quantityGrid, terms.lots))
  );
}

/** The most of a quantity that may be given up to make it unlike the others. */
const MOST_SHAVED = 0.05;

/**
 * Terms that nothing in `taken` looks like: a few lots less when they must be. A reduce-only order may look like
 * another, since a twin of it cannot hurt. `undefined`: there is no such quantity.
 */
export function tellApart(
  terms: OrderTerms,
  taken: readonly OrderTerms[],
  { step, min }: { readonly step: number; readonly min: number },
): OrderTerms | undefined {
  const isTaken = (lots: number) => taken.some((other) => sameTerms(other, { ...terms, lots: lots as Lots }));
  if (terms.reduceOnly || !isTaken(terms.lots)) return terms;
  const least = Math.max(min, step, terms.lots * (1 - MOST_SHAVED));
  for (let lots = terms.lots - step; lots >= least; lots -= step) {
    if (!isTaken(lots)) return { ...terms, lots: lots as Lots };
  }
  return undefined;
}

/** Venues print float noise, which is far below any step. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * 1e-12;
}
