/**
 * What the answer to an order write proves (reliability §0.2): accepted, refused and not sent are definite; everything
 * else is doubt. A bare 503 proves nothing on this interface.
 */
import { numberOf as gridNumber } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { CancelOutcome, PlaceOutcome } from '../ports/venue-api.js';
import { decodeOrder } from './decode-orders.js';
import { isDefiniteRefusal, type VenueProfile } from './profile.js';
import type { PostAnswer } from './requester.js';
import { recordOf } from './wire.js';

export function placeOutcome(
  profile: VenueProfile,
  market: Market,
  terms: OrderTerms,
  answer: PostAnswer,
): PlaceOutcome {
  switch (answer.kind) {
    case 'not-sent':
      return answer;
    case 'lost':
      return { kind: 'in-doubt', reason: answer.reason };
    case 'unreadable':
      return { kind: 'in-doubt', reason: answer.what };
    case 'error': {
      const definite = isDefiniteRefusal(profile, answer.message);
      return { kind: definite ? 'refused' : 'in-doubt', reason: answer.message || `code ${answer.code}` };
    }
    case 'result': {
      const order = orderIn(profile, answer.result);
      if (typeof order === 'string') return { kind: 'in-doubt', reason: order };
      const difference = echoDifference(market, terms, order);
      if (difference === undefined) return { kind: 'accepted', order };
      return { kind: 'in-doubt', reason: `the venue answered with another order: ${difference}` };
    }
  }
}

export function cancelOutcome(profile: VenueProfile, orderId: string, answer: PostAnswer): CancelOutcome {
  switch (answer.kind) {
    case 'not-sent':
    case 'lost':
      return { kind: 'unanswered', reason: answer.reason };
    case 'unreadable':
      return { kind: 'unanswered', reason: answer.what };
    case 'error': {
      const definite = isDefiniteRefusal(profile, answer.message);
      return { kind: definite ? 'refused' : 'unanswered', reason: answer.message || `code ${answer.code}` };
    }
    case 'result': {
      const order = orderIn(profile, answer.result);
      if (typeof order === 'string') return { kind: 'unanswered', reason: order };
      if (order.id !== orderId)
        return { kind: 'unanswered', reason: 'the venue answered with another order' };
      return { kind: 'answered', order };
    }
  }
}

/** The order record of a result, under the profile's keys or bare; or why there is none. */
function orderIn(profile: VenueProfile, result: unknown): OrderRecord | string {
  try {
    const outer = recordOf(result, 'the result');
    const key = profile.orderNesting.find((name) => Object.hasOwn(outer, name));
    return decodeOrder(key === undefined ? outer : outer[key]);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The first field in which the record is not what was sent; originals only, since `price` and the rest may move. */
function echoDifference(market: Market, terms: OrderTerms, order: OrderRecord): string | undefined {
  if (order.pair !== market.pair) return 'pair';
  if (order.side !== terms.side) return 'side';
  if (order.type !== terms.type) return 'type';
  if (order.reduceOnly !== terms.reduceOnly) return 'reduce_only';
  if (!sameNumber(order.quantity, gridNumber(market.quantityGrid, terms.lots))) return 'qty_orig';
  if (
    terms.ticks !== undefined &&
    !sameNumber(order.priceOriginal, gridNumber(market.priceGrid, terms.ticks))
  ) {
    return 'price_orig';
  }
  return undefined;
}

/** Venues print float noise (`0.034500000000000003`), which is far below any step. */
function sameNumber(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * 1e-12;
}
