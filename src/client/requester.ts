import { InvariantError } from '../model/errors.js';
import type { Random } from '../model/random.js';
import { type Clock, sleep, type Timers } from '../ports/clock.js';
import { HttpFailure, type HttpTransport } from '../ports/http.js';
import type { Log } from '../ports/log.js';
import { VenueError } from '../ports/venue-api.js';
import { BudgetExhausted, type Priority, type RequestBudget } from './budget.js';
import type { Auth, Query } from './endpoints/endpoint.js';
import { type Answer, isThrottle, readAnswer } from './envelope.js';
import { isDefiniteRefusal, type VenueProfile } from './profile.js';
import type { KeyHolder, Signer } from './signer.js';
import { DecodeError } from './wire.js';

export interface RequesterOptions {
  readonly baseUrl: string;
  readonly profile: VenueProfile;
  readonly transport: HttpTransport;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
}

/** A decoded answer between two moments of the local monotonic clock. */
export interface Timed<R> {
  readonly value: R;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** What became of the one request of a write. */
export type PostAnswer =
  | Answer
  /** Certain: nothing left the process. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** It left, or may have, and there is no answer. */
  | { readonly kind: 'lost'; readonly reason: string };

/** A read as the requester sees it. */
export interface ReadRequest<A extends Auth, Q extends Query, R> {
  readonly auth: Exclude<A, 'signed'>;
  readonly path: string;
  readonly priority: Priority;
  readonly deadlineMs: number;
  readonly decode: (result: unknown, query: Q) => R;
}

/** A write as the requester sees it. */
export interface PostRequest<A extends Auth> {
  readonly auth: Exclude<A, 'public'>;
  readonly path: string;
  readonly priority: Priority;
  readonly deadlineMs: number;
}

/**
 * The one place where requests are made: budget, deadline, headers, retries of reads; never a retry of a write. `A` is
 * what it has the credentials for: asking for more does not compile.
 */
export interface Requester<in A extends Auth> {
  /** @throws VenueError when there is no decoded answer before the endpoint's deadline. */
  readonly read: <Q extends Query, R>(endpoint: ReadRequest<A, Q, R>, query: Q) => Promise<Timed<R>>;
  /** Calls `makeBody` when the request may go, so that its timestamp is fresh, and sends the result once. Never rejects. */
  readonly post: (endpoint: PostRequest<A>, makeBody: () => string) => Promise<PostAnswer>;
}

const MOST_RETRIES = 2;
const RETRY_BASE_MS = 100;
const RETRY_CAP_MS = 1_000;
/** Retries are at most this share of the reads, after a small start. */
const RETRY_SHARE = 0.1;
const RETRY_BURST = 10;
/** How long a write may wait for the request budget: a late order is another order. */
const WRITE_WAIT_MS = 2_000;

const COMMON_HEADERS = { accept: 'application/json', 'user-agent': 'tickwright' } as const;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' } as const;

export function createPublicRequester(options: RequesterOptions): Requester<'public'> {
  return requesterWith(options, undefined, undefined);
}

export function createKeyRequester(options: RequesterOptions, key: KeyHolder): Requester<'public' | 'key'> {
  return requesterWith(options, key, undefined);
}

export function createSignedRequester(options: RequesterOptions, signer: Signer): Requester<Auth> {
  return requesterWith(options, signer, signer);
}

function requesterWith(
  options: RequesterOptions,
  key: KeyHolder | undefined,
  signer: Signer | undefined,
): Requester<Auth> {
  const { baseUrl, profile, transport, budget, clock, timers, random, log } = options;
  let retries = RETRY_BURST;
  return { read, post };

  async function read<Q extends Query, R>(endpoint: ReadRequest<Auth, Q, R>, query: Q): Promise<Timed<R>> {
    const deadline = clock.monotonic() + endpoint.deadlineMs;
    retries = Math.min(RETRY_BURST, retries + RETRY_SHARE);
    for (let attempt = 0; ; attempt++) {
      try {
        return await readOnce(endpoint, query, deadline);
      } catch (error) {
        if (!(error instanceof ReadFailure)) throw error;
        const pause = random.next() * Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** attempt);
        const again =
          attempt < Math.min(MOST_RETRIES, error.mostRetries) &&
          retries >= 1 &&
          clock.monotonic() + pause < deadline;
        if (!again) throw error.cause;
        retries -= 1;
        log.debug('read retried', { path: endpoint.path, attempt: attempt + 1, because: error.cause.kind });
        await sleep(timers, pause);
      }
    }
  }

  async function readOnce<Q extends Query, R>(
    endpoint: ReadRequest<Auth, Q, R>,
    query: Q,
    deadline: number,
  ): Promise<Timed<R>> {
    const keyHeaders = endpoint.auth === 'key' ? holder(key, endpoint.path).keyHeaders() : {};
    try {
      await budget.take(endpoint.priority, deadline);
    } catch (cause) {
      if (cause instanceof BudgetExhausted) throw new VenueError('throttled', cause.message, { cause });
      throw cause;
    }
    const sentAt = clock.monotonic();
    let answer: Answer;
    try {
      const response = await transport.exchange({
        method: 'GET',
        url: `${baseUrl}${endpoint.path}${queryText(query)}`,
        headers: { ...COMMON_HEADERS, ...keyHeaders },
        deadlineMs: Math.max(1, deadline - sentAt),
        lane: 'poll',
      });
      answer = readAnswer(response);
    } catch (error) {
      throw failureOf(error);
    }
    const receivedAt = clock.monotonic();
    noteThrottle(answer);
    if (answer.kind !== 'result') throw refusalOf(endpoint.path, answer);
    try {
      return { value: endpoint.decode(answer.result, query), sentAt, receivedAt };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new VenueError('malformed', `GET ${endpoint.path}: ${error.message}`);
    }
  }

  async function post(endpoint: PostRequest<Auth>, makeBody: () => string): Promise<PostAnswer> {
    let body: string;
    let headers: Readonly<Record<string, string>>;
    try {
      await budget.take(endpoint.priority, clock.monotonic() + WRITE_WAIT_MS);
      body = makeBody();
      const proof =
        endpoint.auth === 'signed'
          ? holder(signer, endpoint.path).signedHeaders(body)
          : holder(key, endpoint.path).keyHeaders();
      headers = { ...COMMON_HEADERS, ...FORM, ...proof };
    } catch (error) {
      const reason = (error as Error).message;
      if (error instanceof InvariantError) log.error('write not made', { path: endpoint.path, reason });
      return { kind: 'not-sent', reason };
    }
    const startedAt = clock.monotonic();
    let answer: PostAnswer;
    try {
      const { deadlineMs } = endpoint;
      // Cancels too: they are as urgent, and a kept connection may be closed by the other side as they leave.
      const lane = 'order';
      answer = readAnswer(
        await transport.exchange({
          method: 'POST',
          url: `${baseUrl}${endpoint.path}`,
          headers,
          body,
          deadlineMs,
          lane,
        }),
      );
      noteThrottle(answer);
    } catch (error) {
      answer = lossOf(error);
    }
    const ms = Math.round(clock.monotonic() - startedAt);
    log.debug('write answered', { path: endpoint.path, answer: answer.kind, ms });
    return answer;
  }

  function noteThrottle(answer: Answer): void {
    if (answer.kind === 'result' || !isThrottle(answer)) {
      budget.answered();
      return;
    }
    budget.throttled(answer.kind === 'error' ? answer.retryAfterMs : undefined);
    log.warn('throttled by the venue', { perSecond: budget.perSecond });
  }

  function refusalOf(path: string, answer: Exclude<Answer, { kind: 'result' }>): Error {
    if (answer.kind === 'unreadable') {
      const gateway = answer.status >= 500;
      const error = new VenueError(gateway ? 'unreachable' : 'malformed', `GET ${path}: ${answer.what}`);
      return gateway ? new ReadFailure(error, MOST_RETRIES) : error;
    }
    if (isThrottle(answer)) {
      const { retryAfterMs } = answer;
      return new VenueError('throttled', answer.message, retryAfterMs === undefined ? {} : { retryAfterMs });
    }
    const error = new VenueError('refused', answer.message === '' ? `code ${answer.code}` : answer.message);
    // An overload looks like a refusal: one more try, unless the message proves that it is none.
    return isDefiniteRefusal(profile, answer.message) ? error : new ReadFailure(error, 1);
  }
}

/** The types leave this to programs that go around them. */
function holder<K extends KeyHolder>(held: K | undefined, path: string): K {
  if (held === undefined) throw new InvariantError(`${path} must be asked with credentials, received none`);
  return held;
}

/** A read that may be tried again, with what to say when it is not. */
class ReadFailure extends Error {
  override readonly cause: VenueError;
  readonly mostRetries: number;
  constructor(cause: VenueError, mostRetries: number) {
    super(cause.message);
    this.cause = cause;
    this.mostRetries = mostRetries;
  }
}

function failureOf(error: unknown): Error {
  if (!(error instanceof HttpFailure)) return error as Error;
  const kind =
    error.reason === 'timeout' ? 'timeout' : error.reason === 'too-large' ? 'malformed' : 'unreachable';
  const failure = new VenueError(kind, error.message, { cause: error });
  const mayRetry = error.reason === 'reset' || error.reason === 'refused' || error.reason === 'other';
  return mayRetry ? new ReadFailure(failure, MOST_RETRIES) : failure;
}

/** A failure of a transport that is not ours to read proves nothing. */
function lossOf(error: unknown): PostAnswer {
  const reason = (error as Error).message;
  return error instanceof HttpFailure && !error.sent
    ? { kind: 'not-sent', reason }
    : { kind: 'lost', reason };
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
