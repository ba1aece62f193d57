import type { Observable } from 'rxjs';
import type { EngineEvent } from '../model/event.js';

/** Market data of one pair in engine order: trades by (time, id), gaps at their place, marks after what they cover. */
export interface Feed {
  readonly events$: Observable<FeedEvent>;
}

export type FeedEvent = Extract<
  EngineEvent,
  { kind: 'trade' | 'mark' | 'gap' | 'position' | 'ticker' | 'live' }
>;
