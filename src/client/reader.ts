import { sleep } from '../ports/clock.js';
import { VenueError } from '../ports/venue-api.js';
import { BudgetExhausted, type Priority } from './budget.js';
import type { Pass } from './circuit-breaker.js';
import type { Auth, Query } from './endpoints/endpoint.js';
import { type Answer, readAnswer } from './envelope.js';
import { failureOf, MOST_RETRIES, ReadFailure, refusalOf } from './read-failure.js';
import { queryText } from './query-text.js';
import { COMMON_HEADERS, holder, type RequestLine } from './request-line.js';
import type { KeyHolder } from './signer.js';
import { DecodeError } from './wire.js';

/** A decoded answer between two moments of the local monotonic clock. */
export interface Timed<R> {
  readonly value: R;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** A read as the requester sees it. */
export interface ReadRequest<A extends Auth, Q extends Query, R> {
  readonly auth: Exclude<A, 'signed'>;
  readonly path: string;
  readonly priority: Priority;
  readonly deadlineMs: number;
  readonly decode: (result: unknown, query: Q) => R;
}

/** @throws VenueError when there is no decoded answer before the endpoint's deadline. */
export type Read<A extends Auth> = <Q extends Query, R>(
  endpoint: ReadRequest<A, Q, R>,
  query: Q,
) => Promise<Timed<R>>;

const RETRY_BASE_MS = 100;
const RETRY_CAP_MS = 1_000;
/** Retries are at most this fraction of the reads, after `RETRY_BURST` at the start. */
const RETRY_SHARE = 0.1;
const RETRY_BURST = 10;

/** Reads with retries: within the budget and the endpoint's deadline, and not where a breaker is open. */
export function reader(line: RequestLine, key: KeyHolder | undefined): Read<Auth> {
  const { baseUrl, profile, transport, budget, breakers, clock, timers, random, log } = line;
  const { hasteAt, noteThrottle } = line;
  let retries = RETRY_BURST;
  return read;

  async function read<Q extends Query, R>(endpoint: ReadRequest<Auth, Q, R>, query: Q): Promise<Timed<R>> {
    const breaker = endpoint.auth === 'public' ? breakers.public : breakers.privateRead;
    const pass = breaker.enter();
    if (pass === undefined) {
      const { reason = '', retryAfterMs = 0 } = breaker.refusal() ?? {};
      throw new VenueError('unreachable', `GET ${endpoint.path} was not asked: ${reason}`, { retryAfterMs });
    }
    const isProbe = breaker.health.state !== 'closed';
    try {
      retries = Math.min(RETRY_BURST, retries + (line.haste?.retryShare ?? RETRY_SHARE));
      const timed = await readTried(endpoint, query, isProbe ? 0 : MOST_RETRIES);
      if (endpoint.auth === 'key') breakers.readAuthorized(undefined);
      pass.answered((timed.receivedAt - timed.sentAt) / endpoint.deadlineMs);
      return timed;
    } catch (error) {
      if (!(error instanceof ReadFailure)) {
        pass.failed(String(error));
        throw error;
      }
      conclude(endpoint.auth, pass, error);
      throw error.cause;
    }
  }

  /** Tells the breakers what a failed read says about the connection to the venue and about the key. */
  function conclude(auth: Auth, pass: Pass, { meaning, message }: ReadFailure): void {
    if (meaning === 'unauthorized') {
      pass.released();
      breakers.readAuthorized(message);
      return;
    }
    if (meaning === 'throttled') {
      pass.released();
      return;
    }
    if (auth === 'key' && meaning !== 'silence') breakers.readAuthorized(undefined);
    if (meaning === 'answer') pass.answered(0);
    else pass.failed(message);
  }

  /** Reads, and repeats after a failure while retries and the deadline allow it. @throws the last failure */
  async function readTried<Q extends Query, R>(
    endpoint: ReadRequest<Auth, Q, R>,
    query: Q,
    mostRetries: number,
  ): Promise<Timed<R>> {
    const haste = hasteAt(endpoint.path);
    let deadline = haste.deadline(clock.monotonic(), endpoint.deadlineMs);
    for (let attempt = 0; ; attempt++) {
      const waitMs = haste.waitMs(clock.monotonic());
      try {
        return await readOnce(endpoint, query, deadline, waitMs);
      } catch (error) {
        if (!(error instanceof ReadFailure)) throw error;
        // The short wait is over: the request was lost or the venue is slow. Ask again at once, and wait longer.
        if (error.cause.kind === 'timeout' && haste.timedOut(waitMs, endpoint.deadlineMs)) {
          deadline = haste.deadline(clock.monotonic(), endpoint.deadlineMs);
          continue;
        }
        const pause = random.next() * Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** attempt);
        const again =
          attempt < Math.min(mostRetries, error.mostRetries) &&
          retries >= 1 &&
          clock.monotonic() + pause < deadline;
        if (!again) throw error;
        retries -= 1;
        log.debug('read retried', {
          path: endpoint.path,
          attempt: attempt + 1,
          because: error.cause.kind,
        });
        await sleep(timers, pause);
      }
    }
  }

  async function readOnce<Q extends Query, R>(
    endpoint: ReadRequest<Auth, Q, R>,
    query: Q,
    deadline: number,
    waitMs: number,
  ): Promise<Timed<R>> {
    const keyHeaders = endpoint.auth === 'key' ? holder(key, endpoint.path).keyHeaders() : {};
    try {
      if (!budget.tryTake(endpoint.priority)) await budget.take(endpoint.priority, deadline);
    } catch (cause) {
      if (!(cause instanceof BudgetExhausted)) throw cause;
      throw new ReadFailure('throttled', new VenueError('throttled', cause.message, { cause }));
    }
    const sentAt = clock.monotonic();
    let answer: Answer;
    try {
      const response = await transport.exchange({
        method: 'GET',
        url: `${baseUrl}${endpoint.path}${queryText(query)}`,
        headers: { ...COMMON_HEADERS, ...keyHeaders },
        deadlineMs: Math.max(1, Math.min(waitMs, deadline - sentAt)),
        lane: 'poll',
      });
      answer = readAnswer(response);
    } catch (error) {
      throw failureOf(error);
    }
    const receivedAt = clock.monotonic();
    hasteAt(endpoint.path).answered(receivedAt - sentAt);
    noteThrottle(answer);
    if (answer.kind !== 'result') throw refusalOf(profile, endpoint.path, answer);
    try {
      return { value: endpoint.decode(answer.result, query), sentAt, receivedAt };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new ReadFailure('answer', new VenueError('malformed', `GET ${endpoint.path}: ${error.message}`));
    }
  }
}
