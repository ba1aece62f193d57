import type { BreakerHealth, ClientHealth } from '../ports/venue-api.js';
import {
  type BreakerRefusal,
  CircuitBreaker,
  type CircuitBreakerOptions,
  type Pass,
} from './circuit-breaker.js';

/** How the one request of a write ended, as far as it concerns the connection to the venue. */
export type PostEnd =
  | { readonly kind: 'answered'; readonly share: number }
  /** The key or the signature was refused. */
  | { readonly kind: 'unauthorized'; readonly message: string }
  | { readonly kind: 'doubt'; readonly reason: string }
  /** No connection could be made. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** Says nothing: we kept the request back ourselves, or the venue throttled it. */
  | { readonly kind: 'none' };

/** The order breaker looks at the newest `POSTS` orders; from `DOUBTS` doubts among them it may open. */
const POSTS = 100;
const DOUBTS = 2;
const DOUBT_SHARE = 0.02;
/** After so many refusals of the key or the signature in a row, calls stop for `AUTH_HOLD_MS`. */
const AUTH_REFUSALS = 3;
const AUTH_HOLD_MS = 60_000;

/** The breakers of one client (`reliability.md` c.5): no order is sent while its outcome could not be verified by reads. */
export class Breakers {
  readonly public: CircuitBreaker;
  readonly privateRead: CircuitBreaker;
  readonly #order: CircuitBreaker;
  /** True for doubt; newest last. */
  readonly #posts: boolean[] = [];
  #readsUnauthorized = 0;
  #postsUnauthorized = 0;

  constructor(options: Omit<CircuitBreakerOptions, 'name'>) {
    const named = (name: string) => new CircuitBreaker({ ...options, name });
    this.public = named('public');
    this.privateRead = named('private read');
    this.#order = named('order');
  }

  get health(): ClientHealth['breakers'] {
    return { public: this.public.health, privateRead: this.privateRead.health, order: this.#orderHealth() };
  }

  /** Why no order would be let through now; `undefined`: one would. */
  orderRefusal(): BreakerRefusal | undefined {
    const own = this.#order.refusal();
    if (own !== undefined) return own;
    const reads = this.privateRead.health;
    if (reads.state === 'closed') return undefined;
    return {
      reason: `orders wait while private reads fail: ${reads.reason ?? ''}`,
      retryAfterMs: this.privateRead.refusal()?.retryAfterMs ?? 0,
    };
  }

  /** Lets one order through: call the returned function with how it ended. `undefined`: not let through. */
  enterOrder(): ((end: PostEnd) => void) | undefined {
    if (this.orderRefusal() !== undefined) return undefined;
    const pass = this.#order.enter();
    return pass && ((end) => this.#posted(pass, end));
  }

  /** A private read was answered. `message`: the venue's refusal of the key; `undefined`: any other answer. */
  readAuthorized(message: string | undefined): void {
    if (message === undefined) this.#readsUnauthorized = 0;
    else if (this.#isRepeated(++this.#readsUnauthorized, this.privateRead)) {
      this.privateRead.trip(`the key is refused: ${message}`, AUTH_HOLD_MS);
    }
  }

  #posted(pass: Pass, end: PostEnd): void {
    if (end.kind === 'none') {
      pass.released();
      return;
    }
    if (end.kind === 'unauthorized') {
      pass.released();
      if (this.#isRepeated(++this.#postsUnauthorized, this.#order)) {
        this.#order.trip(`key or signature are refused: ${end.message}`, AUTH_HOLD_MS);
      }
      return;
    }
    this.#posts.push(end.kind === 'doubt');
    if (this.#posts.length > POSTS) this.#posts.shift();
    if (end.kind !== 'answered') {
      pass.failed(end.reason);
      if (end.kind === 'doubt') this.#judgeDoubts(end.reason);
      return;
    }
    this.#postsUnauthorized = 0;
    pass.answered(end.share);
  }

  #judgeDoubts(reason: string): void {
    const doubts = this.#posts.filter(Boolean).length;
    if (doubts < DOUBTS || doubts < DOUBT_SHARE * this.#posts.length) return;
    if (this.#order.health.state === 'closed') {
      this.#order.trip(
        `${doubts} of the last ${this.#posts.length} orders are in doubt, the last for: ${reason}`,
      );
    }
    this.#posts.length = 0;
  }

  /** Refused often enough to stop calls; while the breaker is not closed, one refusal is enough. */
  #isRepeated(refusals: number, breaker: CircuitBreaker): boolean {
    return refusals >= AUTH_REFUSALS || breaker.health.state !== 'closed';
  }

  #orderHealth(): BreakerHealth {
    const own = this.#order.health;
    const reads = this.privateRead.health;
    return own.state === 'open' || reads.state === 'closed'
      ? own
      : { state: 'open', reason: `orders wait while private reads fail: ${reads.reason ?? ''}` };
  }
}
