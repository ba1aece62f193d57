/**
 * A dialect profile: what a venue does where the specification is silent, as data (`dialect.md`). A venue that
 * differs needs another profile, not another client.
 */
export interface VenueProfile {
  readonly name: string;
  /** Largest `limit` of a list that is proven to be honoured. */
  readonly maxLimit: number;
  /** Names of the fields of POST /auth/order. */
  readonly orderFields: OrderFieldNames;
  /** Keys of a result under which the record of a new order may stand; the result itself is tried last. */
  readonly orderNesting: readonly string[];
  /**
   * Beginnings of messages that prove that nothing was done. Every other error answer to an order proves nothing:
   * an overload and an invalid request look alike on this interface.
   */
  readonly definiteRefusals: readonly string[];
  /** Sent as recv_window with a timestamp, venue ms at normal speed: an older request must not be executed. */
  readonly recvWindowMs: number;
  /** `contiguous`: ids of public trades are whole numbers without holes, so that a gap can be counted. */
  readonly tradeIds: 'contiguous' | 'opaque';
  /** `follow`: the venue's clock has an offset and a rate of its own; `system`: it runs as ours does. */
  readonly clock: 'follow' | 'system';
  readonly budget: { readonly perSecond: number; readonly burst: number };
  /** The order field that the venue shows again in the record, so that it can carry our tag; or none. */
  readonly echo: 'oco' | undefined;
  /** How long an executed trade or order may stay invisible to reads, venue ms. */
  readonly visibilityLagMs: number;
}

export interface OrderFieldNames {
  readonly pair: string;
  readonly quantity: string;
  readonly side: string;
  readonly price: string;
  readonly timeInForce: string;
  readonly postOnly: string;
  readonly reduceOnly: string;
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
  timestamp: 'timestamp',
  recvWindow: 'recv_window',
};

/** Our own venue. */
export const tickwright: VenueProfile = {
  name: 'tickwright',
  maxLimit: 1_000,
  orderFields: ORDER_FIELDS,
  orderNesting: ['order'],
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
    'interest exceeded',
    'insufficient balance',
    'The order was not found',
    'order already done',
  ],
  recvWindowMs: 5_000,
  tradeIds: 'contiguous',
  clock: 'follow',
  budget: { perSecond: 200, burst: 50 },
  echo: 'oco',
  visibilityLagMs: 0,
};

/** A venue nobody has probed: what is not proven is not relied on. */
export const cautious: VenueProfile = {
  name: 'cautious',
  maxLimit: 100,
  orderFields: ORDER_FIELDS,
  orderNesting: ['order'],
  definiteRefusals: [],
  recvWindowMs: 5_000,
  tradeIds: 'opaque',
  clock: 'system',
  budget: { perSecond: 2, burst: 4 },
  echo: undefined,
  visibilityLagMs: 5_000,
};

export const VENUE_PROFILES: ReadonlyMap<string, VenueProfile> = new Map(
  [tickwright, cautious].map((profile) => [profile.name, profile]),
);

/** True when the message is a definite refusal: a listed beginning, whole, or followed by what is not a word. */
export function isDefiniteRefusal(profile: VenueProfile, message: string): boolean {
  return profile.definiteRefusals.some(
    (prefix) => message.startsWith(prefix) && !/^\w/.test(message.slice(prefix.length)),
  );
}
