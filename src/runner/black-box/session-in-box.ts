/** Composes a session for both uses of a black box: to record it, and to execute the recording again. */
import type { VenueClient } from '../../client/client.js';
import type { Chronicle } from '../../execution/chronicle.js';
import { type Random, seededRandom } from '../../model/random.js';
import type { Clock, Timers } from '../../ports/clock.js';
import type { HttpTransport } from '../../ports/http.js';
import type { Log } from '../../ports/log.js';
import { type LivePlan, LiveSession } from '../live-session.js';

/** What a recorder and a replayer have in common. */
export interface Box {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly transport: HttpTransport;
}

export interface BoxedPlan extends LivePlan {
  /** The venue's address. */
  readonly url: string;
  /** Seeds the random pauses of the client's retries. */
  readonly clientSeed: string;
}

export interface BoxedParts {
  /** On the journal of the box. */
  readonly chronicle: Chronicle;
  readonly log: Log;
  /** Makes the session's own client: what a shared client has learned about the venue would be in no recording. */
  readonly clientOn: (ports: Box & { readonly random: Random; readonly log: Log }) => VenueClient;
}

export function sessionIn(
  { clock, timers, transport }: Box,
  { chronicle, log, clientOn }: BoxedParts,
  plan: BoxedPlan,
): LiveSession {
  const api = clientOn({ clock, timers, transport, random: seededRandom(plan.clientSeed), log });
  return new LiveSession({ api, chronicle, clock, timers, log }, plan);
}
