import type { Approved } from '../model/command.js';
import type { OrderTerms } from '../model/order.js';
import type { Side } from '../model/side.js';
import type { Limits } from './limits.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const NEVER = Number.NEGATIVE_INFINITY;

/** The newest times at which something happened, enough of them to tell whether `bound` within `windowMs` are reached. */
class Times {
  readonly #bound: number;
  readonly #windowMs: number;
  #times: number[] = [];

  constructor(bound: number, windowMs = MINUTE_MS) {
    this.#bound = bound;
    this.#windowMs = windowMs;
  }

  add(time: number): void {
    // News may be older than the newest print; the window is counted from the later of the two.
    this.#times.push(Math.max(time, this.#times.at(-1) ?? NEVER));
    if (this.#times.length >= 2 * this.#bound) this.#times = this.#times.slice(-this.#bound);
  }

  /** From when on there is room for one more; before everything when there was never a lack of it. */
  get freeAt(): number {
    const oldest = this.#times[this.#times.length - this.#bound];
    return oldest === undefined ? NEVER : oldest + this.#windowMs;
  }

  /** How many there were in the window that ends at `time`, the bound at most. */
  within(time: number): number {
    const newest = this.#times.slice(-this.#bound);
    return newest.filter((at) => at > time - this.#windowMs).length;
  }
}

/** An order that an earlier session sent. */
export interface SentOrder extends Pick<OrderTerms, 'side' | 'reduceOnly'> {
  /** Venue ms. */
  readonly sentAt: number;
}

/** How fast commands leave, on event time. Keeps nothing of what no limit asks for. */
export class Pace {
  readonly #orders: Times | undefined;
  readonly #ordersOfHour: Times | undefined;
  readonly #cancels: Times | undefined;
  readonly #lastOrder: Record<Side, number> | undefined;

  /** `sent`: by earlier sessions, oldest first; a restart frees nothing. */
  constructor(
    { maxOrdersPerMinute, maxOrdersPerHour, maxCancelsPerMinute, minRepeatMs }: Limits,
    sent: readonly SentOrder[] = [],
  ) {
    if (maxOrdersPerMinute !== undefined) this.#orders = new Times(maxOrdersPerMinute);
    if (maxOrdersPerHour !== undefined) this.#ordersOfHour = new Times(maxOrdersPerHour, HOUR_MS);
    if (maxCancelsPerMinute !== undefined) this.#cancels = new Times(maxCancelsPerMinute);
    if (minRepeatMs !== undefined) this.#lastOrder = { buy: NEVER, sell: NEVER };
    for (const order of sent) this.#order(order, order.sentAt);
  }

  approved(command: Approved, time: number): void {
    if (command.kind === 'cancel') {
      this.#cancels?.add(time);
      return;
    }
    this.#order(command.terms, time);
  }

  #order({ side, reduceOnly }: Pick<OrderTerms, 'side' | 'reduceOnly'>, time: number): void {
    this.#orders?.add(time);
    this.#ordersOfHour?.add(time);
    if (this.#lastOrder !== undefined && !reduceOnly) {
      this.#lastOrder[side] = Math.max(time, this.#lastOrder[side]);
    }
  }

  /** From when on one more order is within its bound of the minute. */
  get ordersFreeAt(): number {
    return this.#orders?.freeAt ?? NEVER;
  }

  /** The same of the hour. */
  get hourFreeAt(): number {
    return this.#ordersOfHour?.freeAt ?? NEVER;
  }

  get cancelsFreeAt(): number {
    return this.#cancels?.freeAt ?? NEVER;
  }

  /** When the newest order of this side left that may add risk. */
  lastOrderAt(side: Side): number {
    return this.#lastOrder?.[side] ?? NEVER;
  }

  ordersWithin(time: number): number {
    return this.#orders?.within(time) ?? 0;
  }

  ordersWithinHour(time: number): number {
    return this.#ordersOfHour?.within(time) ?? 0;
  }

  cancelsWithin(time: number): number {
    return this.#cancels?.within(time) ?? 0;
  }
}
