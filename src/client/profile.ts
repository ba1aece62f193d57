import type { OrderListState } from '../ports/venue-api.js';

/**
 * A dialect profile: what a venue does where the specification is silent, as data (`dialect.md`). A venue that
 * differs needs another profile, not another client.
 */
export interface VenueProfile {
  readonly name: string;
  /** The largest `limit` of a list that the venue is known to honour. */
  readonly maxLimit: number;
  /** Names of the fields of POST /auth/order. */
  readonly orderFields: OrderFieldNames;
  /** Keys of a result under which the record of a new order may stand; the result itself is tried last. */
  readonly orderNesting: readonly string[];
  /** The same for the records of a bulk order. */
  readonly bulkNesting: readonly string[];
  /**
   * Beginnings of error messages that prove that nothing was done. Every other error answer to an order is doubt: an
   * overload and an invalid request look alike on this interface.
   */
  readonly definiteRefusals: readonly string[];
  /** Beginnings of messages that refuse the key or the signature; HTTP 401 and 403 mean the same whatever the message. */
  readonly authRefusals: readonly string[];
  /** Sent as recv_window with a timestamp, venue ms at normal speed: an older request must not be executed. */
  readonly recvWindowMs: number;
  /** It is proven that the venue refuses older requests, so that none of ours can be executed long after it left. */
  readonly fencesLate: boolean;
  /** Order lists whose union holds every order of the account, ended ones included. */
  readonly orderLists: readonly OrderListState[];
  /** `contiguous`: ids of public trades are consecutive integers, so that missing trades can be counted. */
  readonly tradeIds: 'contiguous' | 'opaque';
  /** `follow`: the venue's clock has an offset and a rate of its own; `system`: it runs as ours does. */
  readonly clock: 'follow' | 'system';
  readonly budget: { readonly perSecond: number; readonly burst: number };
  /** The order field that the venue echoes in the record, so that it can carry our tag; `undefined`: there is none. */
  readonly echo: 'oco' | undefined;
  /** Meaning of `icebergs` on an order: the number of slices, or the quantity that is shown. */
  readonly icebergs: 'slices' | 'displayQuantity';
  readonly bulk: BulkDialect;
  /** Which of these carry x-signature besides the key: the specification does not say whether they must. */
  readonly signed: { readonly fund: boolean; readonly draw: boolean; readonly leverage: boolean };
  /** The value by which POST /leverage goes back to cross margin; `undefined`: not known. */
  readonly crossLeverage: number | undefined;
  /** Where balances are read: GET /personal of the specification, or an extension of the venue. */
  readonly balancesFrom: 'personal' | 'balances' | 'account';
  readonly limits: VenueLimits;
  /** How long an executed trade or order may stay invisible to reads, venue ms. */
  readonly visibilityLagMs: number;
}

/** POST /auth/order/bulk and /auth/cancel/bulk. */
export interface BulkDialect {
  /** One refused member refuses all, so that an error answer is about every member. */
  readonly atomic: boolean;
  readonly maxOrders: number;
  /** The most ids of one bulk cancel. */
  readonly maxIds: number;
  /** Name of the list of orders in the body, and of the list of ids. */
  readonly ordersField: string;
  readonly idsField: string;
  /** Where timestamp and recv_window stand: once in the body, or inside each order. */
  readonly stamp: 'request' | 'order';
}

/** What an account may do at this venue; a configuration may only lower it. */
export interface VenueLimits {
  readonly restingPerPair: number;
  readonly ordersPerMinute: number;
}

export interface OrderFieldNames {
  readonly pair: string;
  readonly quantity: string;
  readonly side: string;
  readonly price: string;
  readonly timeInForce: string;
  readonly postOnly: string;
  readonly reduceOnly: string;
  readonly hidden: string;
  readonly icebergs: string;
  readonly triggerPrice: string;
  readonly triggerEvent: string;
  readonly closeOnTrigger: string;
  readonly leverage: string;
  readonly oco: string;
  readonly timestamp: string;
  readonly recvWindow: string;
}

const ORDER_FIELDS: OrderFieldNames = {
  pair: 'pair',
  quantity: 'qty',
  side: 'side',
  price: 'price',
  timeInForce: 'time_in_force',
  postOnly: 'post_only',
  reduceOnly: 'reduce_only',
  hidden: 'hidden',
  icebergs: 'icebergs',
  triggerPrice: 'trigger_price',
  triggerEvent: 'trigger_event',
  closeOnTrigger: 'close_on_trigger',
  leverage: 'leverage',
  oco: 'oco',
  timestamp: 'timestamp',
  recvWindow: 'recv_window',
};

const BULK: BulkDialect = {
  atomic: true,
  maxOrders: 50,
  maxIds: 100,
  ordersField: 'orders',
  idsField: 'ids',
  stamp: 'request',
};

/** Our own venue. */
export const tickwright: VenueProfile = {
  name: 'tickwright',
  maxLimit: 1_000,
  orderFields: ORDER_FIELDS,
  orderNesting: ['order'],
  bulkNesting: ['orders'],
  definiteRefusals: [
    'missing key',
    'unknown key',
    'bad signature',
    'unknown path',
    'The timestamp is too old.',
    'Too many requests',
    'unknown pair',
    'market not active',
    'malformed',
    'price off tick',
    'price outside filter',
    'quantity off step',
    'quantity outside filter',
    'iceberg slice outside filter',
    'interest exceeded',
    'insufficient balance',
    'The order was not found',
    'order already done',
    'nothing to reduce',
    'oco group ended',
    'bulk: more than one market',
    'bulk: not 1 to 50 orders',
    'bulk: reduce-only inside',
    'not isolated',
    'leverage above the maximum',
    'withdrawal below minimum',
    'not withdrawable',
  ],
  authRefusals: ['missing key', 'unknown key', 'bad signature'],
  recvWindowMs: 5_000,
  fencesLate: true,
  orderLists: ['active', 'all'],
  tradeIds: 'contiguous',
  clock: 'follow',
  budget: { perSecond: 200, burst: 50 },
  echo: 'oco',
  icebergs: 'slices',
  bulk: BULK,
  signed: { fund: true, draw: true, leverage: true },
  crossLeverage: 0,
  balancesFrom: 'personal',
  limits: { restingPerPair: 60, ordersPerMinute: 1_200 },
  visibilityLagMs: 0,
};

/** For a venue that nobody has probed: relies on nothing that is not proven. */
export const cautious: VenueProfile = {
  name: 'cautious',
  maxLimit: 100,
  orderFields: ORDER_FIELDS,
  orderNesting: ['order'],
  bulkNesting: ['orders'],
  definiteRefusals: [],
  authRefusals: [],
  recvWindowMs: 5_000,
  fencesLate: false,
  orderLists: ['active', 'all', 'completed', 'canceled', 'filled', 'partial'],
  tradeIds: 'opaque',
  clock: 'system',
  budget: { perSecond: 2, burst: 4 },
  echo: undefined,
  icebergs: 'slices',
  bulk: { ...BULK, atomic: false },
  signed: { fund: true, draw: true, leverage: true },
  crossLeverage: undefined,
  balancesFrom: 'personal',
  limits: { restingPerPair: 10, ordersPerMinute: 12 },
  visibilityLagMs: 5_000,
};

export const VENUE_PROFILES: ReadonlyMap<string, VenueProfile> = new Map(
  [tickwright, cautious].map((profile) => [profile.name, profile]),
);

/** True when the message begins with a listed text that is not continued by a word character. */
export function isDefiniteRefusal(profile: Pick<VenueProfile, 'definiteRefusals'>, message: string): boolean {
  return beginsWithOne(profile.definiteRefusals, message);
}

/** True when the venue refuses the key or the signature. */
export function isAuthRefusal(
  profile: VenueProfile,
  { status, message }: { readonly status: number; readonly message: string },
): boolean {
  return status === 401 || status === 403 || beginsWithOne(profile.authRefusals, message);
}

function beginsWithOne(beginnings: readonly string[], message: string): boolean {
  return beginnings.some(
    (beginning) => message.startsWith(beginning) && !/^\w/.test(message.slice(beginning.length)),
  );
}
