import { InvariantError } from '../model/errors.js';
import { HttpFailure } from '../ports/http.js';
import type { Priority } from './budget.js';
import type { Auth } from './endpoints/endpoint.js';
import { type Answer, readAnswer } from './envelope.js';
import { PATIENT } from './haste.js';
import { COMMON_HEADERS, holder, type RequestLine } from './request-line.js';
import type { KeyHolder, SignedHeaders, Signer } from './signer.js';

/** The outcome of the one request of a write. */
export type PostAnswer =
  | Answer
  /** Certain: nothing left the process. `tried`: true if no connection could be made, false if we kept the request back. */
  | { readonly kind: 'not-sent'; readonly reason: string; readonly tried: boolean }
  /** The request left, or may have, and there is no answer. */
  | { readonly kind: 'lost'; readonly reason: string };

/** A write as the requester sees it. */
export interface PostRequest<A extends Auth> {
  readonly auth: Exclude<A, 'public'>;
  readonly path: string;
  readonly priority: Priority;
  readonly deadlineMs: number;
}

/**
 * Waits for the budget, then calls `makeBody`, so that the timestamp is fresh, then `lastWord` about the finished body,
 * and sends it once. `lastWord` is called again where a connection had to be made first; what it returns is why the
 * request must not leave. Never rejects.
 */
export type Post<A extends Auth> = (
  endpoint: PostRequest<A>,
  makeBody: () => string,
  lastWord?: (body: string) => string | undefined,
) => Promise<PostAnswer>;

/** How long a write may wait for the request budget, ms: later the market may have moved away from the order. */
const WRITE_WAIT_MS = 2_000;

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

/** Writes once: never a retry. */
export function poster(
  line: RequestLine,
  key: KeyHolder | undefined,
  signer: Signer | undefined,
): Post<Auth> {
  const { baseUrl, transport, budget, clock, log, hasteAt, noteThrottle } = line;
  return post;

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
}

/** Only an `HttpFailure` can prove that nothing was sent. `veto`: why we kept the request back ourselves. */
function lossOf(error: unknown, veto: string | undefined): PostAnswer {
  const reason = (error as Error).message;
  return error instanceof HttpFailure && !error.sent
    ? { kind: 'not-sent', reason: veto ?? reason, tried: veto === undefined }
    : { kind: 'lost', reason };
}
