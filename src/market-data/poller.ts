import { Observable } from 'rxjs';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { VenueError } from '../ports/venue-api.js';

export interface PollOptions<T> {
  /** Name of the poll in the log. */
  readonly name: string;
  /** Start to start, ms: never more often than this, whatever happens. */
  readonly everyMs: number;
  /** At least this long between an answer and the next request, ms. */
  readonly minGapMs: number;
  /** Delay of the first request, ms: spreads the phases of several pollers. Default 0. */
  readonly firstAfterMs?: number;
  /** The longest pause after failures, ms; never shorter than the interval. Default 30 s. */
  readonly maxBackoffMs?: number;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** One poll. The signal aborts when the subscriber has gone: a poll of many requests may stop between two of them. */
  read(signal: AbortSignal): Promise<T>;
}

interface Timing {
  /** Monotonic ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whole intervals that passed without a request, because the poll before was slow or had failed. */
  readonly skipped: number;
}

export type PollAnswer<T> =
  | ({ readonly kind: 'answered'; readonly value: T } & Timing)
  | ({ readonly kind: 'failed'; readonly error: unknown; readonly failures: number } & Timing);

const DEFAULT_MAX_BACKOFF_MS = 30_000;

/**
 * Polls one request at a time: the next one starts at max(last start + interval, last end + gap), so that slow answers
 * neither overlap nor pile up. A failure is a value: the stream never errors and never ends; failures in a row double the
 * interval. Unsubscribing stops the poll; the answer to a request under way is dropped.
 */
export function poll<T>(options: PollOptions<T>): Observable<PollAnswer<T>> {
  const { name, everyMs, minGapMs, firstAfterMs = 0, timers, clock, log } = options;
  const maxBackoffMs = Math.max(everyMs, options.maxBackoffMs ?? DEFAULT_MAX_BACKOFF_MS);

  // By hand: operators would delay an order by as much as signing it takes.
  return new Observable((subscriber) => {
    const stop = new AbortController();
    let last: PollAnswer<T> | undefined;
    let cancelPause: CancelTimer | undefined;
    const round = async () => {
      const startedAt = clock.monotonic();
      const skipped =
        last === undefined ? 0 : Math.max(0, Math.floor((startedAt - last.startedAt) / everyMs) - 1);
      const failures = last?.kind === 'failed' ? last.failures : 0;
      let answer: PollAnswer<T>;
      try {
        const value = await options.read(stop.signal);
        if (failures > 0) log.info('poll answers again', { poll: name, failures });
        answer = { kind: 'answered', value, startedAt, endedAt: clock.monotonic(), skipped };
      } catch (error) {
        if (failures === 0 && !stop.signal.aborted)
          log.warn('poll fails', { poll: name, error: String(error) });
        const endedAt = clock.monotonic();
        answer = { kind: 'failed', error, failures: failures + 1, startedAt, endedAt, skipped };
      }
      if (stop.signal.aborted) return;
      last = answer;
      subscriber.next(answer);
      if (!stop.signal.aborted) pause(dueIn(answer));
    };
    const pause = (ms: number) => {
      cancelPause = timers.after(ms, () => void round());
    };
    if (firstAfterMs > 0) pause(firstAfterMs);
    else void round();
    return () => {
      stop.abort();
      cancelPause?.();
    };
  });

  function dueIn(last: PollAnswer<T>): number {
    let due = Math.max(last.startedAt + everyMs, last.endedAt + minGapMs);
    if (last.kind === 'failed') {
      const backoff = Math.min(everyMs * 2 ** Math.min(last.failures - 1, 30), maxBackoffMs);
      const asked = last.error instanceof VenueError ? (last.error.retryAfterMs ?? 0) : 0;
      due = Math.max(due, last.startedAt + backoff, last.endedAt + asked);
    }
    return Math.max(0, due - clock.monotonic());
  }
}
