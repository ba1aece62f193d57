import { InvariantError } from '../model/errors.js';
import type { Random } from '../model/random.js';
import { type Clock, sleep, type Timers } from '../ports/clock.js';
import { HttpFailure, type HttpTransport } from '../ports/http.js';
import type { Log } from '../ports/log.js';
import { VenueError } from '../ports/venue-api.js';
import type { Breakers } from './breakers.js';
import { BudgetExhausted, type Priority, type RequestBudget } from './budget.js';
import type { Pass } from './circuit-breaker.js';
import type { Auth, Query } from './endpoints/endpoint.js';
import { type Answer, isThrottle, readAnswer } from './envelope.js';
import { Haste, type HasteOptions, PATIENT } from './haste.js';
import type { VenueProfile } from './profile.js';
import { failureOf, MOST_RETRIES, ReadFailure, refusalOf } from './read-failure.js';
import { queryText } from './query-text.js';
import type { KeyHolder, SignedHeaders, Signer } from './signer.js';
import { DecodeError } from './wire.js';

export interface RequesterOptions {
  readonly baseUrl: string;
  readonly profile: VenueProfile;
  readonly transport: HttpTransport;
  readonly budget: RequestBudget;
  readonly breakers: Breakers;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
  readonly haste?: HasteOptions | undefined;
}

/** A decoded answer between two moments of the local monotonic clock. */
export interface Timed<R> {
  readonly value: R;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** The outcome of the one request of a write. */
export type PostAnswer =
  | Answer
  /** Certain: nothing left the process. `tried`: true if no connection could be made, false if we kept the request back. */
  | { readonly kind: 'not-sent'; readonly reason: string; readonly tried: boolean }
  /** The request left, or may have, and there is no answer. */
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
 * The one place where requests are made: budget, deadline, headers, and retries of reads; never a retry of a write. `A`
 * names the credentials that it has: a call that needs more does not compile.
 */
export interface Requester<in A extends Auth> {
  /** @throws VenueError when there is no decoded answer before the endpoint's deadline. */
  readonly read: <Q extends Query, R>(endpoint: ReadRequest<A, Q, R>, query: Q) => Promise<Timed<R>>;
  /**
   * Waits for the budget, then calls `makeBody`, so that the timestamp is fresh, then `lastWord` about the finished body,
   * and sends it once. `lastWord` is called again where a connection had to be made first; what it returns is why the
   * request must not leave. Never rejects.
   */
  readonly post: (
    endpoint: PostRequest<A>,
    makeBody: () => string,
    lastWord?: (body: string) => string | undefined,
  ) => Promise<PostAnswer>;
}

const RETRY_BASE_MS = 100;
const RETRY_CAP_MS = 1_000;
/** Retries are at most this fraction of the reads, after `RETRY_BURST` at the start. */
const RETRY_SHARE = 0.1;
const RETRY_BURST = 10;
/** How long a write may wait for the request budget, ms: later the market may have moved away from the order. */
const WRITE_WAIT_MS = 2_000;

const COMMON_HEADERS = { accept: 'application/json', 'user-agent': 'tickwright' } as const;
const FORM_HEADERS = { ...COMMON_HEADERS, 'content-type': 'application/x-www-form-urlencoded' } as const;

/**
 * `{ ...FORM_HEADERS, ...signed }` as a literal: an order waits for it, and a copy takes as long as the signature's hash.
 */
function signedForm(signed: SignedHeaders) {
  return {
    accept: FORM_HEADERS.accept,
    'user-agent': FORM_HEADERS['user-agent'],
    'content-type': FORM_HEADERS['content-type'],
    'x-api-key': signed['x-api-key'],
    'x-signature': signed['x-signature'],
  };
}

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
  const { baseUrl, profile, transport, budget, breakers, clock, timers, random, log } = options;
  let retries = RETRY_BURST;
  /** By path: that one kind of call is slow says nothing about another. */
  const hastes = new Map<string, Haste>();
  return { read, post };

  function hasteAt(path: string): Haste {
    const known = hastes.get(path);
    if (known !== undefined) return known;
    const haste = new Haste(options.haste);
    hastes.set(path, haste);
    return haste;
  }

  async function read<Q extends Query, R>(endpoint: ReadRequest<Auth, Q, R>, query: Q): Promise<Timed<R>> {
    const breaker = endpoint.auth === 'public' ? breakers.public : breakers.privateRead;
    const pass = breaker.enter();
    if (pass === undefined) {
      const { reason = '', retryAfterMs = 0 } = breaker.refusal() ?? {};
      throw new VenueError('unreachable', `GET ${endpoint.path} was not asked: ${reason}`, { retryAfterMs });
    }
    const isProbe = breaker.health.state !== 'closed';
    try {
      retries = Math.min(RETRY_BURST, retries + (options.haste?.retryShare ?? RETRY_SHARE));
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

  async function post(
    endpoint: PostRequest<Auth>,
    makeBody: () => string,
    lastWord?: (body: string) => string | undefined,
  ): Promise<PostAnswer> {
    let body: string;
    let headers: Readonly<Record<string, string>>;
    try {
      // With room in the budget the order must not wait for a promise, which would cost it a turn.
      if (!budget.tryTake(endpoint.priority)) {
        await budget.take(endpoint.priority, clock.monotonic() + WRITE_WAIT_MS);
      }
      body = makeBody();
      headers =
        endpoint.auth === 'signed'
          ? signedForm(holder(signer, endpoint.path).signedHeaders(body))
          : { ...FORM_HEADERS, ...holder(key, endpoint.path).keyHeaders() };
    } catch (error) {
      const reason = (error as Error).message;
      if (error instanceof InvariantError) log.error('write not made', { path: endpoint.path, reason });
      return { kind: 'not-sent', reason, tried: false };
    }
    const veto = lastWord === undefined ? undefined : vetoOf(lastWord, endpoint.path, body);
    if (veto !== undefined) return { kind: 'not-sent', reason: veto, tried: false };
    let laterVeto: string | undefined;
    const mayLeave =
      lastWord &&
      ((tell: (may: boolean) => void) => {
        laterVeto = vetoOf(lastWord, endpoint.path, body);
        tell(laterVeto === undefined);
      });
    const startedAt = clock.monotonic();
    // A cancel may be given up early, since its caller reads the order anyway. A place is waited for until its deadline.
    const haste = endpoint.priority === 'cancel' ? hasteAt(endpoint.path) : undefined;
    const waitMs = haste?.waitMs(startedAt) ?? PATIENT;
    let answer: PostAnswer;
    try {
      const latest = haste?.deadline(startedAt, endpoint.deadlineMs) ?? Number.POSITIVE_INFINITY;
      const deadlineMs = Math.min(waitMs, endpoint.deadlineMs, latest - startedAt);
      // Cancels, too: they are as urgent, and the server may close a kept-alive connection just as they leave.
      const lane = 'order';
      answer = readAnswer(
        await transport.exchange({
          method: 'POST',
          url: `${baseUrl}${endpoint.path}`,
          headers,
          body,
          deadlineMs,
          lane,
          mayLeave,
        }),
      );
      noteThrottle(answer);
      haste?.answered(clock.monotonic() - startedAt);
    } catch (error) {
      answer = lossOf(error, laterVeto);
      if (error instanceof HttpFailure && error.reason === 'timeout')
        haste?.timedOut(waitMs, endpoint.deadlineMs);
    }
    const ms = Math.round(clock.monotonic() - startedAt);
    log.debug('write answered', { path: endpoint.path, answer: answer.kind, ms });
    return answer;
  }

  /** Why the request must not leave; `undefined`: it may. A `lastWord` that throws forbids it. */
  function vetoOf(
    lastWord: (body: string) => string | undefined,
    path: string,
    body: string,
  ): string | undefined {
    try {
      return lastWord(body);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error('last word failed', { path, reason });
      return `the last word failed: ${reason}`;
    }
  }

  function noteThrottle(answer: Answer): void {
    if (answer.kind === 'result' || !isThrottle(answer)) {
      budget.answered();
      return;
    }
    budget.throttled(answer.kind === 'error' ? answer.retryAfterMs : undefined);
    log.warn('throttled by the venue', { perSecond: budget.perSecond });
  }
}

/** The credentials of a call. They are missing only in programs that bypass the types. */
function holder<K extends KeyHolder>(held: K | undefined, path: string): K {
  if (held === undefined) throw new InvariantError(`${path} must be asked with credentials, received none`);
  return held;
}

/** Only an `HttpFailure` can prove that nothing was sent. `veto`: why we kept the request back ourselves. */
function lossOf(error: unknown, veto: string | undefined): PostAnswer {
  const reason = (error as Error).message;
  return error instanceof HttpFailure && !error.sent
    ? { kind: 'not-sent', reason: veto ?? reason, tried: veto === undefined }
    : { kind: 'lost', reason };
}
