import type { Observable } from 'rxjs';
import type { EngineEvent } from '../model/event.js';

/** Market data of one pair in engine order: trades by (time, id), gaps at their place, marks after what they cover. */
export interface Feed {
  readonly events$: Observable<FeedEvent>;
}

/** What stops risk on a pair, as far as its market data goes. */
export interface DataGuard {
  /** The market is known as it was at this venue ms. */
  readonly dataAsOf: number;
  /** Why nothing may add risk on what is known; `undefined` when it may. */
  readonly reason: string | undefined;
}

export type FeedEvent = Extract<
  EngineEvent,
  { kind: 'trade' | 'mark' | 'gap' | 'position' | 'ticker' | 'live' }
>;
