import { EMPTY, map, merge, type Observable, tap } from 'rxjs';
import type { EngineEvent } from '../model/event.js';
import type { ExecutionReport } from '../model/report.js';
import type { Feed } from '../ports/feed.js';
import type { SessionCore } from './session-core.js';

export interface SessionParts {
  readonly core: SessionCore;
  readonly feed: Feed;
  /** News of own orders, from execution or from a simulated venue. */
  readonly reports$: Observable<ExecutionReport>;
  /** Permits: what may leave from then on, in order with the reports. Without it every order may. */
  readonly permits$?: Observable<Extract<EngineEvent, { kind: 'permit' }>>;
  /** A simulated venue sees each trade before the strategy does; its reports enter the queue at once. */
  readonly beforeTrade?: (event: Extract<EngineEvent, { kind: 'trade' }>) => void;
}

/**
 * Merges the streams of a session into one queue. Cold: the session runs while it is subscribed to. Emits each event after
 * it was handled, and errors when the strategy throws.
 */
export function runSession({
  core,
  feed,
  reports$,
  permits$ = EMPTY,
  beforeTrade,
}: SessionParts): Observable<EngineEvent> {
  const reports = reports$.pipe(map((report): EngineEvent => ({ kind: 'report', report })));
  const market =
    beforeTrade === undefined
      ? feed.events$
      : feed.events$.pipe(
          tap((event) => {
            if (event.kind === 'trade') beforeTrade(event);
          }),
        );
  // Subscribe to reports first: a simulated venue reports within `beforeTrade`, when nobody else would listen yet.
  return merge(reports, permits$, market).pipe(tap((event) => core.input(event)));
}
