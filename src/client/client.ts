import { InvariantError } from '../model/errors.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import type { Random } from '../model/random.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { HttpTransport } from '../ports/http.js';
import type { Log } from '../ports/log.js';
import type { CancelOutcome, ListQuery, PlaceOutcome, VenueApi } from '../ports/venue-api.js';
import { RequestBudget } from './budget.js';
import {
  ORDER_LISTS,
  POSTS,
  type Query,
  type QueryOf,
  type Read,
  READS,
  type ReadName,
  type ResultOf,
} from './endpoints.js';
import { formBody, orderBody } from './order-body.js';
import { cancelOutcome, placeOutcome } from './outcome.js';
import type { VenueProfile } from './profile.js';
import { createRequester } from './requester.js';
import { type Credentials, createSigner } from './signer.js';
import { createVenueClock } from './venue-clock.js';

export interface VenueClientOptions {
  /** As checked by the transport; paths are appended. */
  readonly baseUrl: string;
  readonly profile: VenueProfile;
  /** Without them only public reads work. */
  readonly credentials?: Credentials;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
}

export interface VenueClient extends VenueApi {
  /** Any read of the endpoint table in the wire's own words, decoded. Writes have no such door. */
  raw<N extends ReadName>(name: N, query: QueryOf<N>): Promise<ResultOf<N>>;
  /** Requests a second that are allowed now. */
  readonly requestsPerSecond: number;
}

/** Ids of one bulk cancel (`dialect.md` §2). */
const MOST_IDS = 100;
/** The part of the receive window that not knowing the venue's clock may use up. */
const CLOCK_SHARE = 0.25;

/** The signed client: the venue's API over HTTP. It owns no connection; who made the transport closes it. */
export function createVenueClient(options: VenueClientOptions): VenueClient {
  const { profile, credentials, clock, timers, log } = options;
  const budget = new RequestBudget({ ...profile.budget, clock, timers });
  const requester = createRequester({
    ...options,
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    signer: credentials === undefined ? undefined : createSigner(credentials),
    budget,
  });
  const venueClock = createVenueClock({
    mode: profile.clock,
    clock,
    timers,
    async ask() {
      const { value, sentAt, receivedAt } = await requester.read(READS.time, {});
      return { venueTime: value, sentAt, receivedAt };
    },
  });
  const seenSkipped = new Set<string>();

  return {
    time: () => read(READS.time, {}),

    async markets() {
      const { markets, skipped } = await read(READS.pairs, {});
      for (const { pair, reason } of skipped) {
        if (seenSkipped.has(pair)) continue;
        seenSkipped.add(pair);
        log.warn('market left out', { pair, reason });
      }
      return markets;
    },

    assets: () => read(READS.assets, {}),
    trades: ({ pair, ...query }) => read(READS.trades, { ...listParameters(query), pair }),

    async ticker(pair) {
      const ticker = await read(READS.ticker, { pair });
      return { ...ticker, time: ticker.time ?? Math.floor(venueClock.now()) };
    },

    depth: (pair, limit) => read(READS.depth, { pair, limit }),
    position: (pair) => read(READS.position, { pair }),
    orders: (state, query) => read(ORDER_LISTS[state], listParameters(query ?? {})),
    order: (id) => read(READS.order, { id }),
    fills: (query) => read(READS.fills, listParameters(query ?? {})),
    balances: () => read(READS.personal, {}),
    place,
    cancel,
    cancelMany,
    clock: venueClock,

    raw<N extends ReadName>(name: N, query: QueryOf<N>): Promise<ResultOf<N>> {
      // The table pairs each name with its query and result; the compiler cannot follow that through one index.
      return read(READS[name] as unknown as Read<Query, ResultOf<N>>, query as Query);
    },

    get requestsPerSecond() {
      return budget.perSecond;
    },
  };

  async function read<Q extends Query, R>(endpoint: Read<Q, R>, query: Q): Promise<R> {
    return (await requester.read(endpoint, query)).value;
  }

  function listParameters({ pair, from, to, limit }: ListQuery) {
    return {
      pair,
      start: from,
      end: to,
      limit: limit === undefined ? undefined : Math.min(limit, profile.maxLimit),
    };
  }

  async function place(market: Market, terms: OrderTerms, tag: string | undefined): Promise<PlaceOutcome> {
    const unknownClock = await clockTrouble();
    if (unknownClock !== undefined) return { kind: 'not-sent', reason: unknownClock };
    const answer = await requester.post(POSTS.order, () => orderBody(profile, market, terms, tag, stamp()));
    const outcome = placeOutcome(profile, market, terms, answer);
    if (outcome.kind === 'in-doubt')
      log.warn('order in doubt', { pair: market.pair, reason: outcome.reason });
    return outcome;
  }

  async function cancel(orderId: string): Promise<CancelOutcome> {
    if (orderId === '') throw new InvariantError('a cancel must name an order, received an empty id');
    const answer = await requester.post(POSTS.cancel, () => formBody([['id', orderId]]));
    return cancelOutcome(profile, orderId, answer);
  }

  async function cancelMany(orderIds: readonly [string, ...string[]]): Promise<CancelOutcome['kind']> {
    // A bulk cancel without ids cancels every order of the account.
    if (orderIds.length === 0 || orderIds.includes('')) {
      throw new InvariantError('a bulk cancel must name its orders, received none or an empty id');
    }
    let worst: CancelOutcome['kind'] = 'answered';
    for (let from = 0; from < orderIds.length; from += MOST_IDS) {
      const part = orderIds.slice(from, from + MOST_IDS);
      const answer = await requester.post(POSTS.cancelBulk, () =>
        formBody(part.map((id, i) => [`ids[${i}]`, id])),
      );
      if (answer.kind === 'result') continue;
      const { kind } = cancelOutcome(profile, '', answer);
      if (worst !== 'unanswered') worst = kind;
    }
    return worst;
  }

  /** Signed with the earliest moment it can be: a timestamp from the future is refused, an old one has its window. */
  function stamp() {
    const timestamp = Math.floor(venueClock.now() - Math.min(venueClock.errorMs(), windowMs()));
    return { timestamp, recvWindowMs: windowMs() };
  }

  /** A clock that runs ten times as fast uses the window up ten times as fast. */
  function windowMs(): number {
    return Math.ceil(profile.recvWindowMs * Math.max(1, venueClock.rate()));
  }

  /** Why no request that carries a timestamp may go; asks for the time first when it is not known well enough. */
  async function clockTrouble(): Promise<string | undefined> {
    const wanted = () => venueClock.errorMs() <= windowMs() * CLOCK_SHARE;
    if (wanted()) return undefined;
    try {
      await venueClock.sync();
    } catch (error) {
      return `the venue's clock is not known: ${(error as Error).message}`;
    }
    if (wanted()) return undefined;
    return `the venue's clock must be known within ${windowMs() * CLOCK_SHARE} ms, received ± ${Math.ceil(venueClock.errorMs())} ms`;
  }
}
