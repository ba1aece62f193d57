import type { FaultPlanTerms } from '../../model/fault-rule.js';
import type { VenueCore } from '../core/venue-core.js';
import { AnswerHistory } from '../faults/answer-history.js';
import { type Fate, fateOf } from '../faults/fate.js';
import { FaultPlan } from '../faults/fault-plan.js';
import { type FaultRequest, isRead } from '../faults/fault-request.js';
import { alteredAnswer, type FaultyRead, faultyRead, keptRead, needsHistory } from '../faults/faulty-read.js';
import type { ApiKey } from './authentication.js';
import { httpDate } from './http-date.js';
import type { VenueApp } from './venue-app.js';
import { headerOf, NO_BODY, type WireAnswer, type WireRequest } from './wire.js';

export interface FaultyVenueOptions {
  readonly terms: FaultPlanTerms;
  readonly venue: VenueApp;
  readonly core: VenueCore;
  readonly accounts: readonly ApiKey[];
  /** Least number of the plan's decisions that are remembered; default 10 000. */
  readonly remembered?: number | undefined;
}

interface Watched {
  readonly read: WireRequest;
  readonly isOfOrders: boolean;
  /** Whether its answer can no longer change. */
  isFinal: boolean;
}

/**
 * The most reads whose past answers are kept; beyond, the read that was not requested for the longest time is
 * forgotten.
 */
const MOST_WATCHED = 100;

/**
 * A venue behind a fault plan, as plain data: decides the fate of a request, and executes it accordingly. Its host
 * decides when that happens and by which bytes: real sockets, or a simulated network.
 */
export class FaultyVenue {
  readonly plan: FaultPlan;
  readonly #venue: VenueApp;
  readonly #core: VenueCore;
  readonly #accounts: ReadonlyMap<string, string>;
  readonly #history: AnswerHistory;
  readonly #watched = new Map<string, Watched>();
  /** A watched read that is about to be executed without a fate; its answer goes into the history. */
  #expected: { readonly request: WireRequest; readonly key: string } | undefined;

  constructor({ terms, venue, core, accounts, remembered }: FaultyVenueOptions) {
    this.plan = new FaultPlan(terms, { startTime: venue.host.clock.now(), remembered });
    this.#venue = venue;
    this.#core = core;
    this.#accounts = new Map(accounts.map(({ key, account }) => [key, account]));
    this.#history = new AnswerHistory(longestAge(terms));
  }

  /**
   * Decides the fate of an arrived request; `undefined`: nothing goes wrong. To be called once per request. A request
   * without a fate must be executed before any other call: its answer is the history's record of this moment, which
   * would otherwise be missing.
   */
  meet(request: WireRequest): Fate | undefined {
    const seen = this.#seen(request);
    const isWatched = this.plan.watches('stale-read', seen) && needsHistory(request);
    const fate = fateOf(this.plan.decide(seen));
    if (isWatched) this.#watch(request, fate === undefined);
    return fate;
  }

  /** Executes a request once, and returns its answer as the fate changes it. */
  execute(request: WireRequest, fate?: Fate): WireAnswer {
    const now = this.#venue.handle(request);
    const expected = this.#expected;
    this.#expected = undefined;
    if (expected?.request === request) this.#keepOwn(expected.key, request, now);
    const seen = this.#seen(request);
    if (!isRead(seen)) this.remember();
    if (fate === undefined) return now;
    const answer = isRead(seen) ? this.#read(request, now, fate) : alteredAnswer(now, fate.content);
    return this.skewed(answer, fate.skewMs, request.path === '/time');
  }

  /**
   * An answer under a clock that is off by `skewMs`. `isTime`: it is the answer of GET /time, whose result shifts as
   * well.
   */
  skewed(answer: WireAnswer, skewMs: number, isTime = false): WireAnswer {
    if (skewMs === 0) return answer;
    const headers = { ...answer.headers, date: httpDate(this.#venue.host.clock.now() + skewMs) };
    if (!isTime || answer.status !== 200) return { ...answer, headers };
    const envelope = JSON.parse(answer.body) as { readonly result: number };
    return { ...answer, headers, body: JSON.stringify({ ...envelope, result: envelope.result + skewMs }) };
  }

  /**
   * Records the current answers of all watched reads, so that later requests can get them as stale ones. To be called
   * often. `market-moved`: no order of a client's account changed since the last call, so reads of orders need not be
   * recorded.
   */
  remember(since: 'anything' | 'market-moved' = 'anything'): void {
    for (const [key, watched] of this.#watched) {
      if (watched.isFinal || (since !== 'anything' && watched.isOfOrders)) continue;
      this.#keep(key, watched.read);
      watched.isFinal = this.#isFinal(watched.read);
    }
  }

  #read(request: WireRequest, now: WireAnswer, fate: Fate): WireAnswer {
    const account = this.#core.account(this.#accountOf(request) ?? '');
    const door = {
      read: (path: string, query: string) => this.#venue.probe({ ...request, path, query }),
      acceptedAt: (id: string) =>
        account === undefined ? undefined : this.#core.order(account, id)?.acceptedAt,
    };
    return faultyRead(this.#readOf(request), now, fate.content, { door, history: this.#history });
  }

  /** Watches a read. `isNext`: the request itself is executed next, so its answer can be recorded. */
  #watch(request: WireRequest, isNext: boolean): void {
    const { key, query, isItself } = keptRead(this.#readOf(request));
    const read = { ...request, method: 'GET', query, body: NO_BODY };
    // Moves the read to the end, so that the first one is always the one that was not requested for the longest time.
    this.#watched.delete(key);
    this.#watched.set(key, { read, isOfOrders: isOfOrders(request), isFinal: false });
    if (isNext && isItself && request.method === 'GET') this.#expected = { request, key };
    else this.#keep(key, read);
    for (const [oldest] of this.#watched) {
      if (this.#watched.size <= MOST_WATCHED) break;
      this.#watched.delete(oldest);
      this.#history.forget(oldest);
    }
  }

  #keep(key: string, read: WireRequest): void {
    this.#history.keep(key, this.#venue.host.clock.now(), this.#venue.keepsake(read));
  }

  /** Whether the recorded answer is final: it shows an order that is over. */
  #isFinal(request: WireRequest): boolean {
    if (request.path !== '/order') return false;
    const account = this.#core.account(this.#accountOf(request) ?? '');
    const id = new URLSearchParams(request.query).get('id') ?? '';
    const status = account === undefined ? undefined : this.#core.order(account, id)?.status;
    return status === 'completed' || status === 'canceled';
  }

  /**
   * Records a read's own answer. A refusal may concern the request rather than what it reads, so a fresh read is
   * recorded then.
   */
  #keepOwn(key: string, request: WireRequest, answer: WireAnswer): void {
    if (answer.status === 200) this.#history.keep(key, this.#venue.host.clock.now(), answer);
    else this.#keep(key, this.#watched.get(key)?.read ?? request);
  }

  #seen(request: WireRequest): FaultRequest {
    const { method, path } = request;
    return { method, path, account: this.#accountOf(request), time: this.#venue.host.clock.now() };
  }

  #readOf(request: WireRequest): FaultyRead {
    const { path, query } = request;
    return { path, query, time: this.#venue.host.clock.now(), caller: headerOf(request, 'x-api-key') ?? '' };
  }

  #accountOf(request: WireRequest): string | undefined {
    return this.#accounts.get(headerOf(request, 'x-api-key') ?? '');
  }
}

/** Whether a read's answer changes only with the account's own orders. */
function isOfOrders({ path }: WireRequest): boolean {
  return path === '/fills' || path === '/order' || path.endsWith('orders');
}

/** How far back the plan's stale reads may look, ms. */
function longestAge({ rules }: FaultPlanTerms): number {
  return rules.reduce((longest, { effect, when }) => {
    if (effect.kind !== 'stale-read') return longest;
    const { fromMs = 0, untilMs = Number.POSITIVE_INFINITY } = when.window ?? {};
    return Math.max(longest, effect.ageMs?.[1] ?? untilMs - fromMs);
  }, 0);
}
