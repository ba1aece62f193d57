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
  /** What may leave from now on, in its order among the reports. Without it everything may. */
  readonly permits$?: Observable<Extract<EngineEvent, { kind: 'permit' }>>;
  /** A simulated venue sees each trade before the strategy does; its reports enter the queue at once. */
  readonly beforeTrade?: (event: Extract<EngineEvent, { kind: 'trade' }>) => void;
}

/**
 * The streams of a session merged into one queue. Cold: runs while it is subscribed to, and emits each event after it
 * was handled. Errors when the strategy throws.
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
  // Reports first: what a simulated venue says about a trade must find its subscriber there.
  return merge(reports, permits$, market).pipe(tap((event) => core.input(event)));
}
