import { type OrderTerms, sameTerms } from '../model/order.js';
import type { OwnOrder } from './own-order.js';
import type { EndedOrders } from './plan.js';
import type { StandingWant } from './standing-want.js';

/** For an `orders` want: terms that ended while it stands, and the unfilled rests of those that ended partly filled. */
export class EndedTerms implements EndedOrders {
  #done: OrderTerms[] = [];
  #rests: OrderTerms[] = [];

  get done(): readonly OrderTerms[] {
    return this.#done;
  }

  get rests(): readonly OrderTerms[] {
    return this.#rests;
  }

  /** Another want stands. */
  forget(): void {
    if (this.#done.length > 0) this.#done = [];
    if (this.#rests.length > 0) this.#rests = [];
  }

  /** The order came from a want, and the standing `orders` want asks for its terms, whichever want placed it. */
  concerns(standing: StandingWant, { want, terms }: OwnOrder): boolean {
    if (standing.kind !== 'orders' || want === undefined) return false;
    const isAsked = (wanted: OrderTerms) => sameTerms(wanted, terms);
    return standing.orders.some(isAsked) || this.#rests.some(isAsked);
  }

  add(terms: OrderTerms): void {
    this.#done.push(terms);
  }

  /** The order has ended with `leaves` of it unfilled, and they are still wanted. */
  addRest({ terms, leaves }: OwnOrder): void {
    this.#rests.push({ ...terms, lots: leaves });
  }
}
