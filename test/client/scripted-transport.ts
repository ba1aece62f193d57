/** A venue behind the transport port, in virtual time: what it answers, and how long it takes, is a function. */
import { createVenueClient, type VenueClient, type VenueClientOptions } from '../../src/client/client.js';
import { tickwright, type VenueProfile } from '../../src/client/profile.js';
import { seededRandom } from '../../src/model/random.js';
import { sleep } from '../../src/ports/clock.js';
import { HttpFailure, type HttpRequest, type HttpTransport } from '../../src/ports/http.js';
import type { Log } from '../../src/ports/log.js';
import { envelope } from './fixtures.js';
import { VirtualTime } from '../support/virtual-time.js';

export interface ScriptedAnswer {
  readonly status?: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long it takes, ms. */
  readonly ms?: number;
}

/** What a request comes to; a failure is thrown. GET /time is answered by the desk. */
export type Script = (request: HttpRequest, path: string) => ScriptedAnswer | HttpFailure;

export interface ScriptedVenue {
  readonly time: VirtualTime;
  readonly client: VenueClient;
  /** Requests as `METHOD /path` in the order in which they were handed to the transport, without GET /time. */
  readonly seen: string[];
  readonly requests: HttpRequest[];
  readonly lines: string[];
  /** How often GET /time was asked. */
  readonly timesAsked: () => number;
}

export const refusedConnection = (): HttpFailure => new HttpFailure('refused', false, 'no connection');
export const lostAnswer = (): HttpFailure => new HttpFailure('reset', true, 'the exchange broke');

/** A client on virtual time whose requests go to `script`. */
export function scriptedVenue(
  script: Script,
  profile: VenueProfile = tickwright,
  more: Pick<VenueClientOptions, 'haste'> = {},
): ScriptedVenue {
  const time = new VirtualTime();
  const seen: string[] = [];
  const requests: HttpRequest[] = [];
  const lines: string[] = [];
  let timesAsked = 0;
  const write = (level: string) => (message: string, fields?: object) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const log: Log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  const transport: HttpTransport = {
    async exchange(request) {
      const path = new URL(request.url).pathname;
      if (path === '/time') {
        timesAsked++;
        return { status: 200, headers: {}, body: envelope(time.clock.wall()) };
      }
      seen.push(`${request.method} ${path}`);
      requests.push(request);
      const answer = script(request, path);
      if (answer instanceof HttpFailure) throw answer;
      const { status = 200, body, headers = {}, ms = 0 } = answer;
      if (ms > request.deadlineMs) {
        await sleep(time.timers, request.deadlineMs);
        throw new HttpFailure('timeout', true, 'no complete answer in time');
      }
      if (ms > 0) await sleep(time.timers, ms);
      return { status, headers, body };
    },
    close: () => Promise.resolve(),
  };
  const client = createVenueClient({
    ...more,
    baseUrl: 'http://127.0.0.1:1',
    profile,
    transport,
    clock: time.clock,
    timers: time.timers,
    random: seededRandom('scripted'),
    log,
    credentials: { apiKey: 'key', apiSecret: 'secret' },
  });
  return { time, client, seen, requests, lines, timesAsked: () => timesAsked };
}
