import type { Observable } from 'rxjs';
import type { EngineEvent } from '../model/event.js';
import type { Lots } from '../model/grid.js';
import type { FeedEvent } from '../ports/feed.js';
import type { OrderGateway } from '../ports/order-gateway.js';
import type { RestingStop } from './resting-stop.js';

export type PermitEvent = Extract<EngineEvent, { kind: 'permit' }>;

/**
 * What the end of a session does with own orders. `keep-stops`: it gives way to another session, so the stops that guard
 * its position stay, as after a crash, and all else is canceled.
 */
export const ENDS_OF_ORDERS = ['cancel', 'leave', 'keep-stops'] as const;

export type EndOfOrders = (typeof ENDS_OF_ORDERS)[number];

/** An open order in words: its id at the venue, or what is known about it. */
export type OpenOrderText = string;

/** The order gateway of a session, which also tells what may leave. */
export interface SessionGateway extends OrderGateway {
  /** Permits: the first one, and every change. On paper every order is always permitted. */
  readonly permits$: Observable<PermitEvent>;
  /**
   * Resolves when the position is known.
   *
   * @throws TickwrightError when that takes a person, or the start was abandoned
   */
  ready(): Promise<void>;
  /** The position by our own books, lots, signed; `undefined` where only the venue knows it. */
  position(): Lots | undefined;
  /** Called with each event of the feed before the strategy sees it. */
  before(event: FeedEvent): void;
  /** Orders that are, or may be, at the venue. */
  openOrders(): readonly OpenOrderText[];
  /** Stops that guard the position for an earlier session: this one has none of its own in their place. */
  leftStops(): readonly RestingStop[];
  /** Stops that `finish` has kept: they are at the venue on purpose, and so not among the orders that it resolves to. */
  keptStops(): readonly RestingStop[];
  /** Ids of stops that `finish` canceled although the position that they guarded is left. */
  canceledStops(): readonly string[];
  /**
   * Cancels open orders, or leaves them, and ends the gateway. Resolves to the orders that are left after `deadlineMs`.
   * Further calls return the same promise.
   */
  finish(deadlineMs: number, orders?: EndOfOrders): Promise<readonly OpenOrderText[]>;
}
