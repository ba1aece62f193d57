import type { Observable } from 'rxjs';
import type { EngineEvent } from '../model/event.js';

/** Market data of one pair in engine order: trades by (time, id), gaps at their place, marks after what they cover. */
export interface Feed {
  readonly events$: Observable<FeedEvent>;
}

/** Whether the market data of a pair may be traded on. */
export interface DataGuard {
  /** Venue ms as of which the market is known. */
  readonly dataAsOf: number;
  /** Why no order may add risk on these data; `undefined`: orders may. */
  readonly reason: string | undefined;
}

export type FeedEvent = Extract<
  EngineEvent,
  { kind: 'trade' | 'mark' | 'gap' | 'position' | 'ticker' | 'live' }
>;
