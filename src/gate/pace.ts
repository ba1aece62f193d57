import type { Approved } from '../model/command.js';
import type { OrderTerms } from '../model/order.js';
import type { Side } from '../model/side.js';
import type { Limits } from './limits.js';
import { NewestTimes } from './newest-times.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const NEVER = Number.NEGATIVE_INFINITY;

/** An order that an earlier session sent. */
export interface SentOrder extends Pick<OrderTerms, 'side' | 'reduceOnly'> {
  /** Venue ms. */
  readonly sentAt: number;
}

/** Counts how fast commands leave, on event time. Remembers only what a configured limit needs. */
export class Pace {
  readonly #orders: NewestTimes | undefined;
  readonly #ordersOfHour: NewestTimes | undefined;
  readonly #cancels: NewestTimes | undefined;
  readonly #lastOrder: Record<Side, number> | undefined;

  /** `sent`: orders of earlier sessions, oldest first, so that a restart does not reset the limits. */
  constructor(
    { maxOrdersPerMinute, maxOrdersPerHour, maxCancelsPerMinute, minRepeatMs }: Limits,
    sent: readonly SentOrder[] = [],
  ) {
    if (maxOrdersPerMinute !== undefined) this.#orders = new NewestTimes(maxOrdersPerMinute);
    if (maxOrdersPerHour !== undefined) this.#ordersOfHour = new NewestTimes(maxOrdersPerHour);
    if (maxCancelsPerMinute !== undefined) this.#cancels = new NewestTimes(maxCancelsPerMinute);
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

  /** Venue ms from which one more order is within the limit of a minute; −Infinity: at any time. */
  get ordersFreeAt(): number {
    return this.#orders?.freeAt(MINUTE_MS) ?? NEVER;
  }

  /** The same for the limit of an hour. */
  get hourFreeAt(): number {
    return this.#ordersOfHour?.freeAt(HOUR_MS) ?? NEVER;
  }

  get cancelsFreeAt(): number {
    return this.#cancels?.freeAt(MINUTE_MS) ?? NEVER;
  }

  /** Venue ms at which the newest order of this side left that is not reduce-only; −Infinity: none did. */
  lastOrderAt(side: Side): number {
    return this.#lastOrder?.[side] ?? NEVER;
  }

  ordersWithin(time: number): number {
    return this.#orders?.within(MINUTE_MS, time) ?? 0;
  }

  ordersWithinHour(time: number): number {
    return this.#ordersOfHour?.within(HOUR_MS, time) ?? 0;
  }

  cancelsWithin(time: number): number {
    return this.#cancels?.within(MINUTE_MS, time) ?? 0;
  }
}
