import type { HttpResponse } from '../ports/http.js';
import { untrusted } from './wire.js';

/** What an HTTP answer says (specification: Response envelope). A 200 may carry code 503, so both are judged. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** An error envelope; `message` is untrusted text made printable. */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly code: number;
      readonly message: string;
      readonly retryAfterMs: number | undefined;
    }
  | {
      readonly kind: 'unreadable';
      readonly status: number;
      readonly what: string;
      /** What the headers tell about the cause, untrusted text made printable; `undefined`: nothing. */
      readonly why: string | undefined;
      readonly retryAfterMs: number | undefined;
    };

export function readAnswer(response: HttpResponse): Answer {
  const { status } = response;
  const unreadable = (what: string): Answer => ({
    kind: 'unreadable',
    status,
    what: `HTTP ${status} ${what}`,
    why: whyOf(response),
    retryAfterMs: waitOf('', response.headers['retry-after']),
  });
  let parsed: unknown;
  try {
    parsed = JSON.parse(response.body);
  } catch {
    return unreadable('without a JSON envelope');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return unreadable('with JSON that is no envelope');
  }
  const { code, msg, result } = parsed as { code?: unknown; msg?: unknown; result?: unknown };
  if (typeof code !== 'number' || !Number.isInteger(code)) {
    return unreadable('with an envelope without a code');
  }
  if (code === 200 && status === 200) return { kind: 'result', result };
  if (code === 200) return unreadable('with code 200');
  const message = typeof msg === 'string' ? msg : '';
  const retryAfterMs = waitOf(message, response.headers['retry-after']);
  return { kind: 'error', status, code, message: untrusted(message), retryAfterMs };
}

/** A redirect, which is never followed, or a compressed answer, which was not asked for, explains an unreadable body. */
function whyOf({ status, headers }: HttpResponse): string | undefined {
  const { location, 'content-encoding': coding } = headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    return `it redirects to ${untrusted(location.replace(/[?#][^]*$/, ''))}`;
  }
  return coding === undefined || coding === 'identity' ? undefined : `it is compressed: ${untrusted(coding)}`;
}

/** True for the answer of a venue that wants fewer requests. */
export function isThrottle(answer: { readonly status: number; readonly code?: number }): boolean {
  return answer.status === 429 || answer.status === 418 || answer.code === 429;
}

/** True for a refusal because the timestamp is outside the receive window (`dialect.md` §1). */
export function isStampRefusal(answer: { readonly status: number; readonly code: number }): boolean {
  return answer.status === 408 || answer.code === 414;
}

const TRY_AGAIN = /try again in (\d+(?:\.\d+)?) ?s/i;
const LONGEST_WAIT_MS = 900_000;

/** The wait that the venue asks for, from the message (`dialect.md` §2) or Retry-After, both in seconds. */
function waitOf(message: string, retryAfter: string | undefined): number | undefined {
  const seconds = TRY_AGAIN.exec(message)?.[1] ?? (/^\d+$/.test(retryAfter ?? '') ? retryAfter : undefined);
  return seconds === undefined ? undefined : Math.min(LONGEST_WAIT_MS, Math.ceil(Number(seconds) * 1_000));
}
