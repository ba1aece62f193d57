import type { Observable } from 'rxjs';
import type { EngineEvent } from '../model/event.js';
import type { Lots } from '../model/grid.js';
import type { FeedEvent } from '../ports/feed.js';
import type { OrderGateway } from '../ports/order-gateway.js';

export type PermitEvent = Extract<EngineEvent, { kind: 'permit' }>;

/** What an end does with own orders. */
export type EndOfOrders = 'cancel' | 'leave';

/** An open order in words: its id at the venue, or what is known about it. */
export type OpenOrderText = string;

/** Where the orders of a session go, and who says what may leave. */
export interface SessionGateway extends OrderGateway {
  /** What may leave, at the beginning and whenever it changes; on paper nothing ever forbids anything. */
  readonly permits$: Observable<PermitEvent>;
  /**
   * Resolves when it is known what is held.
   *
   * @throws TickwrightError when that takes an operator
   */
  ready(): Promise<void>;
  /** What is held by our own books, signed; `undefined` where the venue's word is all there is. */
  position(): Lots | undefined;
  /** Sees each event of the feed before the strategy does. */
  before(event: FeedEvent): void;
  /** Orders that are, or may be, at the venue. */
  openOrders(): readonly OpenOrderText[];
  /**
   * Cancels what is open and proves it; what is left after `deadlineMs` is returned. Nothing goes on after it; the same
   * end, however often it is asked for.
   */
  finish(deadlineMs: number, orders?: EndOfOrders): Promise<readonly OpenOrderText[]>;
}
