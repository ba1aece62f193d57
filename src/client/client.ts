import type { Random } from '../model/random.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { HttpTransport } from '../ports/http.js';
import type { Log } from '../ports/log.js';
import type { ClientHealth, KeyCalls, PublicCalls, VenueClock, WriteCalls } from '../ports/venue-api.js';
import { Breakers } from './breakers.js';
import { RequestBudget } from './budget.js';
import { keyCalls } from './calls/key-calls.js';
import { publicCalls } from './calls/public-calls.js';
import { type RawDoor, rawDoor } from './calls/raw-door.js';
import { writeCalls } from './calls/write-calls.js';
import { ENDPOINTS, type PublicReadName, type QueryOf, type ReadName, type ResultOf } from './endpoints.js';
import type { Auth } from './endpoints/endpoint.js';
import type { HasteOptions } from './haste.js';
import type { VenueProfile } from './profile.js';
import {
  createKeyRequester,
  createPublicRequester,
  createSignedRequester,
  type Requester,
} from './requester.js';
import type { RequesterOptions } from './request-line.js';
import { createKeyHolder, createSigner, type Credentials } from './signer.js';
import { createVenueClock, type VenueClockEstimate } from './venue-clock.js';
import { Stamper } from './stamper.js';

export interface PublicClientOptions {
  /** As checked by the transport; paths are appended. */
  readonly baseUrl: string;
  readonly profile: VenueProfile;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
  /** Default: none. */
  readonly haste?: HasteOptions | undefined;
}

export interface KeyClientOptions extends PublicClientOptions {
  readonly apiKey: string;
}

export interface VenueClientOptions extends PublicClientOptions {
  readonly credentials: Credentials;
}

interface Doors<N extends ReadName, A extends Auth> {
  readonly clock: VenueClock;
  /** Any read of the endpoint table, with the parameter names of the wire; the result is decoded. */
  readonly raw: <Name extends N>(name: Name, query: QueryOf<Name>) => Promise<ResultOf<Name>>;
  /** Any other request, undecoded. A write is sent at most once and its outcome is data. It bypasses gate and journal. */
  readonly request: RawDoor<A>;
  /** Requests per second that the budget allows now. */
  readonly requestsPerSecond: number;
  readonly health: ClientHealth;
}

interface OrderDoors {
  /** `true`: orders may follow at any time, so connections are kept open ahead and no order waits for a handshake. */
  expectOrders(expected: boolean): void;
}

/** What needs no credentials. */
export type PublicClient = PublicCalls & Doors<PublicReadName, 'public'>;
/** What the API key alone can do: it reads, and can place nothing. */
export type KeyClient = PublicCalls & KeyCalls & Doors<ReadName, 'public' | 'key'>;
/** Everything but withdrawals. */
export type VenueClient = PublicCalls & KeyCalls & WriteCalls & OrderDoors & Doors<ReadName, Auth>;

/** The venue's API over HTTP. A client owns no connections: whoever made the transport closes it. */
export function createPublicClient(options: PublicClientOptions): PublicClient {
  const parts = requesterParts(options);
  const requester = createPublicRequester(parts);
  const clock = clockOf(options, requester);
  return withDoors(
    publicCalls(requester, options, clock),
    doorsOf<PublicReadName, 'public'>(requester, clock, parts),
  );
}

export function createKeyClient(options: KeyClientOptions): KeyClient {
  const parts = requesterParts(options);
  const requester = createKeyRequester(parts, createKeyHolder(options.apiKey));
  const clock = clockOf(options, requester);
  return withDoors(
    { ...publicCalls(requester, options, clock), ...keyCalls(requester, options.profile) },
    doorsOf<ReadName, 'public' | 'key'>(requester, clock, parts),
  );
}

/** The signed client. */
export function createVenueClient(options: VenueClientOptions): VenueClient {
  const parts = requesterParts(options);
  const requester = createSignedRequester(parts, createSigner(options.credentials));
  const clock = clockOf(options, requester);
  const { profile } = options;
  return withDoors(
    {
      ...publicCalls(requester, options, clock),
      ...keyCalls(requester, profile),
      ...writeCalls(requester, { ...parts, stamper: new Stamper(profile, clock) }),
      expectOrders: (expected: boolean) => options.transport.expectOrders?.(expected),
    },
    doorsOf<ReadName, Auth>(requester, clock, parts),
  );
}

/** Shared with `withdraw.ts`. */
export function requesterParts(options: PublicClientOptions): RequesterOptions {
  const { profile, clock, timers, random, log, haste } = options;
  return {
    ...options,
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    budget: new RequestBudget({ ...profile.budget, clock, timers }),
    breakers: new Breakers({ clock, random, log, pauses: haste?.pauses }),
  };
}

export function clockOf(
  { profile, clock, timers, log }: PublicClientOptions,
  requester: Requester<'public'>,
): VenueClockEstimate {
  return createVenueClock({
    mode: profile.clock,
    clock,
    timers,
    async ask() {
      const { value, sentAt, receivedAt } = await requester.read(ENDPOINTS.public.time, {});
      return { venueTime: value, sentAt, receivedAt };
    },
    onSet: (byMs) => log.warn("the venue's clock was set, or ours stood still", { byMs: Math.round(byMs) }),
  });
}

function doorsOf<N extends ReadName, A extends Auth>(
  requester: Requester<A>,
  clock: VenueClock,
  { budget, breakers }: Pick<RequesterOptions, 'budget' | 'breakers'>,
): Doors<N, A> {
  const reads = { ...ENDPOINTS.public, ...ENDPOINTS.key };
  return {
    clock,
    async raw<Name extends N>(name: Name, query: QueryOf<Name>): Promise<ResultOf<Name>> {
      // The table pairs each name with its query and result, which the compiler cannot follow through an index.
      const endpoint = reads[name] as unknown as Parameters<Requester<A>['read']>[0];
      return (await requester.read(endpoint, query)).value as ResultOf<Name>;
    },
    request: rawDoor(requester),
    get requestsPerSecond() {
      return budget.perSecond;
    },
    get health() {
      return { breakers: breakers.health, requestsPerSecond: budget.perSecond };
    },
  };
}

/** Joins two objects and keeps getters, which a spread would read once. */
function withDoors<C extends object, D extends object>(calls: C, doors: D): C & D {
  return Object.defineProperties({ ...calls }, Object.getOwnPropertyDescriptors(doors)) as C & D;
}
