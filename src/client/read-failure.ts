import { HttpFailure } from '../ports/http.js';
import { VenueError } from '../ports/venue-api.js';
import { type Answer, isThrottle } from './envelope.js';
import { isAuthRefusal, isDefiniteRefusal, type VenueProfile } from './profile.js';

export const MOST_RETRIES = 2;

/**
 * Why a read failed. `silence`: no answer · `failure`: an answer that no healthy venue
 * gives · `answer`: a healthy answer that is not a result · `unauthorized`: the venue
 * refuses the key · `throttled`: the venue or our own budget allows no more requests.
 */
export type Meaning = 'silence' | 'failure' | 'answer' | 'unauthorized' | 'throttled';

/** A failed attempt at a read, with the error for the caller if the read is not repeated. */
export class ReadFailure extends Error {
  override readonly cause: VenueError;
  readonly meaning: Meaning;
  readonly mostRetries: number;
  constructor(meaning: Meaning, cause: VenueError, mostRetries = 0) {
    super(cause.message);
    this.cause = cause;
    this.meaning = meaning;
    this.mostRetries = mostRetries;
  }
}

/** The failure of a read without an answer. An error that is not of the transport stays as it is. */
export function failureOf(error: unknown): Error {
  if (!(error instanceof HttpFailure)) return error as Error;
  const kind =
    error.reason === 'timeout' ? 'timeout' : error.reason === 'too-large' ? 'malformed' : 'unreachable';
  const failure = new VenueError(kind, error.message, { cause: error });
  const mayRetry = error.reason === 'reset' || error.reason === 'refused' || error.reason === 'other';
  return new ReadFailure('silence', failure, mayRetry ? MOST_RETRIES : 0);
}

/** The failure of a read whose answer is not a result. */
export function refusalOf(
  profile: VenueProfile,
  path: string,
  answer: Exclude<Answer, { kind: 'result' }>,
): ReadFailure {
  if (isThrottle(answer)) {
    const { retryAfterMs } = answer;
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    const message = answer.kind === 'error' ? answer.message : unreadableText(path, answer);
    return new ReadFailure('throttled', new VenueError('throttled', message, wait));
  }
  if (answer.kind === 'unreadable') {
    const gateway = answer.status >= 500;
    const kind = gateway ? 'unreachable' : 'malformed';
    const error = new VenueError(kind, unreadableText(path, answer));
    return new ReadFailure('failure', error, gateway ? MOST_RETRIES : 0);
  }
  const { message, code } = answer;
  const isUnauthorized = isAuthRefusal(profile, answer);
  const error = new VenueError('refused', message === '' ? `code ${code}` : message, { isUnauthorized });
  if (isUnauthorized) return new ReadFailure('unauthorized', error);
  // An overload looks like a refusal, so the read is tried once more, unless the message proves a real refusal.
  return isDefiniteRefusal(profile, message)
    ? new ReadFailure('answer', error)
    : new ReadFailure('failure', error, 1);
}

function unreadableText(path: string, { what, why }: Extract<Answer, { kind: 'unreadable' }>): string {
  return `GET ${path}: ${what}${why === undefined ? '' : `: ${why}`}`;
}
