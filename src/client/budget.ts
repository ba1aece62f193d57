import { UsageError } from '../model/errors.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';

/** What a request is for; first served first. `state`: position and orders. */
export type Priority = 'cancel' | 'order' | 'state' | 'fills' | 'trades' | 'ticker' | 'history';

const RANKS: Readonly<Record<Priority, number>> = {
  cancel: 0,
  order: 1,
  state: 2,
  fills: 3,
  trades: 4,
  ticker: 5,
  history: 6,
};

/** A kind of read that others overtook until its deadline comes before all other reads, once: else a busy account sees no price. */
const OVERTAKEN_RANK = 1.5;

/** Share of the burst that only cancels and orders may use. */
const RESERVED = 0.3;
const CLEAN_MS = 60_000;
/** Rate gained per minute without throttling, and the least rate left by throttling, as fractions of the configured rate. */
const GAIN = 0.05;
const FLOOR = 0.02;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 900_000;
const EPSILON = 1e-9;

/** There was no room before the request's deadline, so the request was dropped: a late one is worth nothing. */
export class BudgetExhausted extends Error {
  constructor(priority: Priority) {
    super(`no room for a ${priority} request in the request budget before its deadline`);
    this.name = 'BudgetExhausted';
  }
}

export interface RequestBudgetOptions {
  readonly perSecond: number;
  /** The most requests that may go at once after a rest; at least 2, so that some are left beside the reserve. */
  readonly burst: number;
  readonly clock: Clock;
  readonly timers: Timers;
}

interface Waiter {
  readonly priority: Priority;
  readonly rank: number;
  readonly deadline: number;
  readonly go: () => void;
  readonly drop: (error: BudgetExhausted) => void;
}

/**
 * A token bucket that adapts: when the venue throttles, no request goes for as long as it asks and the rate is halved; after
 * each minute without throttling the rate grows a little, up to the configured one.
 */
export class RequestBudget {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #most: number;
  readonly #burst: number;
  /** Sorted by rank, then age. */
  readonly #waiters: Waiter[] = [];
  /** Kinds of reads of which a request was dropped while it waited, and none has gone since. */
  readonly #overtaken = new Set<Priority>();
  #perSecond: number;
  #tokens: number;
  #filledAt: number;
  #cleanSince: number;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #throttlesInARow = 0;
  #cancelWake: CancelTimer | undefined;

  constructor({ perSecond, burst, clock, timers }: RequestBudgetOptions) {
    if (!(perSecond > 0 && Number.isFinite(perSecond) && burst >= 2 && Number.isFinite(burst))) {
      throw new UsageError(
        'TICKWRIGHT_E_BUDGET',
        `a request budget must have a rate above 0 and a burst of at least 2, received ${perSecond} and ${burst}`,
      );
    }
    this.#clock = clock;
    this.#timers = timers;
    this.#most = perSecond;
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = clock.monotonic();
    this.#cleanSince = this.#filledAt;
  }

  /**
   * Requests per second that are allowed now. Changes no state,
   * since a status page reads it between two turns of a session.
   */
  get perSecond(): number {
    return this.#gained(this.#clock.monotonic()).perSecond;
  }

  /** Takes room for one request now. Returns false when there is none. */
  tryTake(priority: Priority): boolean {
    this.#refill();
    const now = this.#clock.monotonic();
    const rank = this.#rankOf(priority);
    // A request must not overtake waiting ones of higher or equal priority.
    const mayGo = this.#waiters.every((waiter) => waiter.rank > rank);
    if (!mayGo || this.#readyAt(priority, now) > now) return false;
    this.#spend(priority);
    return true;
  }

  /** Resolves when one request may go; rejects with `BudgetExhausted` when it cannot before `deadline` (monotonic ms). */
  take(priority: Priority, deadline: number): Promise<void> {
    if (this.tryTake(priority)) return Promise.resolve();
    const now = this.#clock.monotonic();
    const rank = this.#rankOf(priority);
    if (this.#readyAt(priority, now) > deadline) return Promise.reject(new BudgetExhausted(priority));
    return new Promise((go, drop) => {
      const behind = this.#waiters.findIndex((waiter) => waiter.rank > rank);
      const waiter = { priority, rank, deadline, go, drop };
      if (behind < 0) this.#waiters.push(waiter);
      else this.#waiters.splice(behind, 0, waiter);
      this.#wakeLater();
    });
  }

  /** The venue said there were too many requests, and how long to wait if it said. */
  throttled(waitMs: number | undefined): void {
    const now = this.#clock.monotonic();
    this.#refill();
    // During the pause, answers to requests that were under way before it only repeat the same news.
    if (now >= this.#pausedUntil) {
      this.#perSecond = Math.max(this.#most * FLOOR, this.#perSecond / 2);
      this.#throttlesInARow++;
      // After the pause one request may go at once; the others follow at the new rate.
      this.#tokens = 1;
    }
    const wait = waitMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#throttlesInARow - 1));
    this.#pausedUntil = Math.max(this.#pausedUntil, now + wait);
    this.#cleanSince = this.#pausedUntil;
    this.#pump();
  }

  /** A request was answered and not throttled. */
  answered(): void {
    if (this.#clock.monotonic() >= this.#pausedUntil) this.#throttlesInARow = 0;
  }

  #rankOf(priority: Priority): number {
    return this.#overtaken.has(priority) ? OVERTAKEN_RANK : RANKS[priority];
  }

  #spend(priority: Priority): void {
    this.#tokens -= 1;
    this.#overtaken.delete(priority);
  }

  /** Earliest monotonic ms at which the tokens suffice for a request if no other takes any. */
  #readyAt(priority: Priority, now: number): number {
    const needed = priority === 'cancel' || priority === 'order' ? 1 : 1 + RESERVED * this.#burst;
    const missing = Math.min(needed, this.#burst) - this.#tokens;
    const tokensAt =
      missing <= EPSILON ? now : Math.max(now, this.#filledAt) + (missing / this.#perSecond) * 1_000;
    return Math.max(tokensAt, this.#pausedUntil);
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    // No tokens accrue during a pause.
    const from = Math.max(this.#filledAt, Math.min(now, this.#pausedUntil));
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - from) / 1_000) * this.#perSecond);
    this.#filledAt = Math.max(this.#filledAt, now);
    const { perSecond, cleanSince } = this.#gained(now);
    this.#perSecond = perSecond;
    this.#cleanSince = cleanSince;
  }

  #gained(now: number): { readonly perSecond: number; readonly cleanSince: number } {
    let perSecond = this.#perSecond;
    let cleanSince = this.#cleanSince;
    while (now - cleanSince >= CLEAN_MS) {
      cleanSince += CLEAN_MS;
      perSecond = Math.min(this.#most, perSecond + this.#most * GAIN);
      if (perSecond === this.#most) cleanSince = now;
    }
    return { perSecond, cleanSince };
  }

  #pump(): void {
    this.#refill();
    const now = this.#clock.monotonic();
    for (let i = this.#waiters.length - 1; i >= 0; i--) {
      const waiter = this.#waiters[i] as Waiter;
      const pausedTooLong = this.#pausedUntil > waiter.deadline;
      if (waiter.deadline > now && !pausedTooLong) continue;
      this.#waiters.splice(i, 1);
      if (!pausedTooLong && RANKS[waiter.priority] > RANKS.state) this.#overtaken.add(waiter.priority);
      waiter.drop(new BudgetExhausted(waiter.priority));
    }
    for (let first = this.#waiters[0]; first !== undefined; first = this.#waiters[0]) {
      if (this.#readyAt(first.priority, now) > now + EPSILON) break;
      this.#waiters.shift();
      this.#spend(first.priority);
      first.go();
    }
    this.#wakeLater();
  }

  #wakeLater(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    const first = this.#waiters[0];
    if (first === undefined) return;
    const now = this.#clock.monotonic();
    let at = this.#readyAt(first.priority, now);
    for (const { deadline } of this.#waiters) at = Math.min(at, deadline);
    this.#cancelWake = this.#timers.after(Math.max(0, at - now), () => this.#pump());
  }
}
