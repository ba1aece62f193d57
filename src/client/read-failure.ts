import { HttpFailure } from '../ports/http.js';
import { VenueError } from '../ports/venue-api.js';
import { type Answer, isThrottle } from './envelope.js';
import { isAuthRefusal, isDefiniteRefusal, type VenueProfile } from './profile.js';

export const MOST_RETRIES = 2;

/**
 * Why a read failed. `silence`: no answer · `failure`: an answer that no healthy venue gives · `answer`: the venue is
 * fine, what it says is no result · `unauthorized`: it does not take the key · `throttled`: it wants fewer requests, or
 * our own budget does.
 */
export type Meaning = 'silence' | 'failure' | 'answer' | 'unauthorized' | 'throttled';

/** One attempt at a read, with what to say when it is not made again. */
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

/** There is no answer. What is not of the transport stays as it is. */
export function failureOf(error: unknown): Error {
  if (!(error instanceof HttpFailure)) return error as Error;
  const kind =
    error.reason === 'timeout' ? 'timeout' : error.reason === 'too-large' ? 'malformed' : 'unreachable';
  const failure = new VenueError(kind, error.message, { cause: error });
  const mayRetry = error.reason === 'reset' || error.reason === 'refused' || error.reason === 'other';
  return new ReadFailure('silence', failure, mayRetry ? MOST_RETRIES : 0);
}

/** The answer is not the result that was asked for. */
export function refusalOf(
  profile: VenueProfile,
  path: string,
  answer: Exclude<Answer, { kind: 'result' }>,
): ReadFailure {
  if (answer.kind === 'unreadable') {
    const gateway = answer.status >= 500;
    const why = answer.why === undefined ? '' : `: ${answer.why}`;
    const error = new VenueError(gateway ? 'unreachable' : 'malformed', `GET ${path}: ${answer.what}${why}`);
    return new ReadFailure('failure', error, gateway ? MOST_RETRIES : 0);
  }
  const { message, code, retryAfterMs } = answer;
  if (isThrottle(answer)) {
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return new ReadFailure('throttled', new VenueError('throttled', message, wait));
  }
  const isUnauthorized = isAuthRefusal(profile, answer);
  const error = new VenueError('refused', message === '' ? `code ${code}` : message, { isUnauthorized });
  if (isUnauthorized) return new ReadFailure('unauthorized', error);
  // An overload looks like a refusal: one more try, unless the message proves that it is none.
  return isDefiniteRefusal(profile, message)
    ? new ReadFailure('answer', error)
    : new ReadFailure('failure', error, 1);
}
