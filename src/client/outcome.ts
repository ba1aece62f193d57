/**
 * What the answer to a write proves (reliability §0.2): done, refused and not sent are certain; everything else is doubt. On
 * this interface a 503 alone proves nothing, since it may come before or after the execution.
 */
import { numberOf as gridNumber } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderRecord } from '../model/venue-records.js';
import type {
  BulkPlaceOutcome,
  CancelAllOutcome,
  CancelOutcome,
  CloseQuery,
  PlaceOutcome,
  PlaceRequest,
  VenueWords,
  WriteFailure,
} from '../ports/venue-api.js';
import { echoFor, icebergsText } from './order-body.js';
import { isAuthRefusal, isDefiniteRefusal, type VenueProfile } from './profile.js';
import type { PostAnswer } from './poster.js';

/** A decoded result, or why there is none and whether the write may have been done. */
export type Settled<R> = { readonly kind: 'result'; readonly value: R } | WriteFailure;

/** @param decode throws when the result is not what it must be: then the outcome is doubt. */
export function settle<R>(
  profile: VenueProfile,
  answer: PostAnswer,
  decode: (result: unknown) => R,
): Settled<R> {
  switch (answer.kind) {
    case 'not-sent':
      return { kind: 'not-sent', reason: answer.reason };
    case 'lost':
      return { kind: 'in-doubt', reason: answer.reason };
    case 'unreadable':
      return { kind: 'in-doubt', reason: answer.what };
    case 'error': {
      const kind = isDefiniteRefusal(profile, answer.message) ? 'refused' : 'in-doubt';
      const reason = answer.message || `code ${answer.code}`;
      return isAuthRefusal(profile, answer) ? { kind, reason, isUnauthorized: true } : { kind, reason };
    }
    case 'result':
      try {
        return { kind: 'result', value: decode(answer.result) };
      } catch (error) {
        return { kind: 'in-doubt', reason: (error as Error).message };
      }
  }
}

export function placeOutcome(
  profile: VenueProfile,
  market: Market,
  request: PlaceRequest,
  settled: Settled<OrderRecord>,
): PlaceOutcome {
  if (settled.kind !== 'result') return settled;
  const order = settled.value;
  const difference = echoDifference(profile, market, request, order);
  return difference === undefined ? { kind: 'accepted', order } : anotherOrder(difference);
}

/** Accepted only when each member has a record of its own; the records are returned in the order of the requests. */
export function bulkOutcome(
  profile: VenueProfile,
  market: Market,
  requests: readonly PlaceRequest[],
  settled: Settled<readonly OrderRecord[]>,
): BulkPlaceOutcome {
  if (settled.kind !== 'result') {
    // Where the venue judges members one by one, a refusal may be about one of them only.
    const spared = settled.kind === 'refused' && !profile.bulk.atomic;
    return spared ? { kind: 'in-doubt', reason: settled.reason } : settled;
  }
  const left = [...settled.value];
  const different = new Set(left.map(({ id }) => id)).size;
  if (left.length !== requests.length || different !== left.length) {
    const reason = `the venue answered ${requests.length} orders with ${left.length} records of ${different} orders`;
    return { kind: 'in-doubt', reason };
  }
  const orders: OrderRecord[] = [];
  for (const [i, request] of requests.entries()) {
    const at = indexOfOrder(profile, market, request, left);
    if (at < 0) return anotherOrder(`member ${i} is not among them`);
    orders.push(...left.splice(at, 1));
  }
  return { kind: 'accepted', orders };
}

/**
 * Index of the record with the tag that was sent, else of the first with equal fields: equal members are interchangeable.
 */
function indexOfOrder(
  profile: VenueProfile,
  market: Market,
  request: PlaceRequest,
  orders: readonly OrderRecord[],
): number {
  const matches = (order: OrderRecord) => echoDifference(profile, market, request, order) === undefined;
  const echo = echoFor(profile, request.tag, request.options);
  const tagged = orders.findIndex((order) => echo !== undefined && order.oco === echo && matches(order));
  return tagged >= 0 ? tagged : orders.findIndex(matches);
}

/**
 * The venue makes the closing order itself. Its record must show
 * the pair, reduce-only, and the terms that were asked for.
 */
export function closeOutcome(
  market: Market,
  { lots, ticks }: CloseQuery,
  settled: Settled<OrderRecord>,
): PlaceOutcome {
  if (settled.kind !== 'result') return settled;
  const order = settled.value;
  if (order.pair !== market.pair) return anotherOrder('pair');
  if (!order.reduceOnly) return anotherOrder('reduce_only');
  if (lots !== undefined && !sameNumber(order.quantity, gridNumber(market.quantityGrid, lots))) {
    return anotherOrder('qty_orig');
  }
  if (order.type !== (ticks === undefined ? 'market' : 'limit')) return anotherOrder('type');
  if (ticks !== undefined && !sameNumber(order.priceOriginal, gridNumber(market.priceGrid, ticks))) {
    return anotherOrder('price_orig');
  }
  return { kind: 'accepted', order };
}

export function cancelOutcome(orderId: string, settled: Settled<OrderRecord>): CancelOutcome {
  if (settled.kind !== 'result') return unanswered(settled);
  const order = settled.value;
  if (order.id !== orderId) return { kind: 'unanswered', reason: 'the venue answered with another order' };
  return { kind: 'answered', order };
}

export function cancelAllOutcome(settled: Settled<readonly OrderRecord[]>): CancelAllOutcome {
  return settled.kind === 'result' ? { kind: 'answered', orders: settled.value } : unanswered(settled);
}

function unanswered(
  failure: WriteFailure,
): ({ readonly kind: 'refused' } & VenueWords) | ({ readonly kind: 'unanswered' } & VenueWords) {
  return failure.kind === 'refused' ? failure : { ...failure, kind: 'unanswered' };
}

function anotherOrder(difference: string): WriteFailure {
  return { kind: 'in-doubt', reason: `the venue answered with another order: ${difference}` };
}

/** The first field in which the record differs from what was sent. Original fields only, since others may change later. */
function echoDifference(
  profile: VenueProfile,
  market: Market,
  { terms, options = {} }: PlaceRequest,
  order: OrderRecord,
): string | undefined {
  const { trigger, icebergs } = options;
  if (order.pair !== market.pair) return 'pair';
  if (order.side !== terms.side) return 'side';
  if (order.type !== terms.type) return 'type';
  // close_on_trigger implies reduce_only, which a venue may show or not.
  if (options.closeOnTrigger !== true && order.reduceOnly !== terms.reduceOnly) return 'reduce_only';
  if (!sameNumber(order.quantity, gridNumber(market.quantityGrid, terms.lots))) return 'qty_orig';
  const price = terms.ticks === undefined ? undefined : gridNumber(market.priceGrid, terms.ticks);
  if (price !== undefined && !sameNumber(order.priceOriginal, price)) return 'price_orig';
  const triggerPrice = trigger === undefined ? undefined : gridNumber(market.priceGrid, trigger.ticks);
  if (!sameOptional(order.triggerPrice, triggerPrice)) return 'trigger_price';
  if (trigger !== undefined && order.triggerEvent !== trigger.event) return 'trigger_event';
  if (order.closeOnTrigger !== (options.closeOnTrigger ?? false)) return 'close_on_trigger';
  if (order.hidden !== (options.hidden ?? false)) return 'hidden';
  const shown =
    icebergs === undefined ? undefined : Number(icebergsText(profile, market, terms.lots, icebergs));
  if (shown !== undefined && !sameOptional(order.icebergs, shown)) return 'icebergs';
  return undefined;
}

function sameOptional(a: number | undefined, b: number | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameNumber(a, b);
}

/** Equal but for float noise (`0.034500000000000003`) and rounding to 15 digits, which are far below any step. */
export function sameNumber(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * 1e-12;
}
