/** Matches orders at the venue with intents where the wire carries no id of ours (`reliability.md` b.5). */
import { numberOf } from '../model/grid.js';
import type { Lots } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { type OrderTerms, sameTerms } from '../model/order.js';
import type { OrderRecord } from '../model/venue-records.js';

/** Allowance for the error of our estimate of the venue's clock, ms. */
export const SKEW_MS = 10_000;

/** What identifies the order of an intent. */
export interface Wanted {
  readonly terms: OrderTerms;
  readonly tag: string | undefined;
  /** Venue ms. */
  readonly sentAt: number;
}

/** With a tag, equal tags decide. Without, the record must show all the terms and a time not before the sending. */
export function isOrderOf(market: Market, wanted: Wanted, record: OrderRecord): boolean {
  if (wanted.tag !== undefined) return record.oco === wanted.tag;
  const { terms } = wanted;
  return (
    resembles(market, wanted, record) &&
    (terms.ticks === undefined || near(record.priceOriginal, numberOf(market.priceGrid, terms.ticks))) &&
    (terms.type === 'market' || record.timeInForce === terms.timeInForce) &&
    record.postOnly === terms.postOnly &&
    record.reduceOnly === terms.reduceOnly &&
    isTriggerOf(market, terms, record)
  );
}

/** The record waits, or has waited, for what the terms say, or for nothing as they do. */
function isTriggerOf(market: Market, { trigger }: OrderTerms, record: OrderRecord): boolean {
  if (trigger === undefined || record.triggerPrice === undefined) {
    return trigger === undefined && record.triggerPrice === undefined;
  }
  const price = numberOf(market.priceGrid, trigger.ticks);
  return near(record.triggerPrice, price) && record.triggerEvent === trigger.event;
}

/** Like `isOrderOf` without a tag, but the record may show another price or other flags than were asked for. */
export function resembles(
  market: Market,
  { terms, sentAt }: Omit<Wanted, 'tag'>,
  record: OrderRecord,
): boolean {
  // A record's time is that of its last update: it is never older than the order, and may be much younger.
  return record.time >= sentAt - SKEW_MS && isSameKind(market, terms, record);
}

/** `resembles` at any time: our estimate of the venue's clock may have been wrong when the order was sent. */
export function isSameKind(market: Market, terms: OrderTerms, record: OrderRecord): boolean {
  return (
    record.pair === market.pair &&
    record.side === terms.side &&
    record.type === terms.type &&
    near(record.quantity, numberOf(market.quantityGrid, terms.lots))
  );
}

/** The largest fraction of a quantity that may be taken off to make the order unique. */
const MOST_SHAVED = 0.05;

/**
 * The terms, with as few lots taken off as it takes to differ from all of `taken`. Reduce-only terms stay as they are: a
 * second such order cannot add risk. `undefined`: there is no such quantity. `step`, `min`: lots.
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

/** Equal but for float noise, which venues print and which is far below any step. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * 1e-12;
}
