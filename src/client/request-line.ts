/** What the reads and the writes of one client have in common. */
import { InvariantError } from '../model/errors.js';
import type { Random } from '../model/random.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { HttpTransport } from '../ports/http.js';
import type { Log } from '../ports/log.js';
import type { Breakers } from './breakers.js';
import type { RequestBudget } from './budget.js';
import { type Answer, isThrottle } from './envelope.js';
import { Haste, type HasteOptions } from './haste.js';
import type { VenueProfile } from './profile.js';
import type { KeyHolder } from './signer.js';

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

export interface RequestLine extends RequesterOptions {
  /** How long calls of this path are waited for: that one kind of call is slow says nothing about another. */
  readonly hasteAt: (path: string) => Haste;
  /** Tells the budget what an answer says about the rate of requests. */
  readonly noteThrottle: (answer: Answer) => void;
}

export const COMMON_HEADERS = { accept: 'application/json', 'user-agent': 'tickwright' } as const;

export function requestLine(options: RequesterOptions): RequestLine {
  const { budget, log } = options;
  const hastes = new Map<string, Haste>();
  return { ...options, hasteAt, noteThrottle };

  function hasteAt(path: string): Haste {
    const known = hastes.get(path);
    if (known !== undefined) return known;
    const haste = new Haste(options.haste);
    hastes.set(path, haste);
    return haste;
  }

  function noteThrottle(answer: Answer): void {
    if (answer.kind === 'result' || !isThrottle(answer)) {
      budget.answered();
      return;
    }
    budget.throttled(answer.retryAfterMs);
    log.warn('throttled by the venue', { perSecond: budget.perSecond });
  }
}

/** The credentials of a call. They are missing only in programs that bypass the types. */
export function holder<K extends KeyHolder>(held: K | undefined, path: string): K {
  if (held === undefined) throw new InvariantError(`${path} must be asked with credentials, received none`);
  return held;
}
