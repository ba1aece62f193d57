/** Clients of local servers that answer as a test wants, and the proof that no secret ever reaches a log. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect } from 'vitest';
import {
  createPublicClient,
  createVenueClient,
  type PublicClient,
  type PublicClientOptions,
  type VenueClient,
  type VenueClientOptions,
} from '../../src/client/client.js';
import { tickwright, type VenueProfile } from '../../src/client/profile.js';
import { undiciTransport } from '../../src/client/transport.js';
import { createWithdrawClient, type WithdrawClient } from '../../src/client/withdraw.js';
import { seededRandom } from '../../src/model/random.js';
import { systemClock } from '../../src/platform/clock.js';
import { systemTimers } from '../../src/platform/timers.js';
import type { HttpTransport } from '../../src/ports/http.js';
import type { Log } from '../../src/ports/log.js';
import { envelope } from './fixtures.js';
import { httpServer, type LocalServer, type SeenRequest } from './local-server.js';

export const KEY = 'canary-key-0f1e';
export const SECRET = 'canary-secret/9+8=7&6';

export type Fault = (response: ServerResponse, request: SeenRequest) => void;
export type Venue = LocalServer & { readonly seen: SeenRequest[]; readonly posts: () => SeenRequest[] };

export const answering =
  (body: string, status = 200): Fault =>
  (response) =>
    void response.writeHead(status).end(body);

/** To be called once in a test file: what it opens is closed after each test. */
export function clientDesk() {
  let open: { close(): Promise<void> }[] = [];
  let lines: string[] = [];
  beforeEach(() => {
    open = [];
    lines = [];
  });
  afterEach(async () => {
    for (const thing of open.toReversed()) await thing.close();
    expect(lines.join('\n')).not.toMatch(/canary/);
  });

  const write = (level: string) => (message: string, fields?: object) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const log: Log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };

  return {
    logged: (): readonly string[] => lines,
    closeLater: (thing: { close(): Promise<void> }): void => void open.push(thing),

    clientOf: (
      url: string,
      options: Partial<VenueClientOptions> = {},
      profile: VenueProfile = tickwright,
    ): VenueClient => createVenueClient({ ...signed(url, profile), ...options }),

    publicClientOf: (url: string): PublicClient => createPublicClient(parts(`${url}/`, tickwright)),
    withdrawClientOf: (url: string): WithdrawClient => createWithdrawClient(signed(url, tickwright)),

    /** A venue that knows the time and answers everything else with `reply`. */
    venueThat: async (reply: Fault): Promise<Venue> => {
      const server = await httpServer((request, response) => {
        if (request.url === '/time') response.end(envelope(Math.floor(systemClock.wall())));
        else reply(response, request);
      });
      open.push(server);
      return { ...server, posts: () => server.seen.filter(({ method }) => method === 'POST') };
    },
  };

  function signed(url: string, profile: VenueProfile): VenueClientOptions {
    return { ...parts(url, profile), credentials: { apiKey: KEY, apiSecret: SECRET } };
  }

  function parts(url: string, profile: VenueProfile): PublicClientOptions {
    return {
      baseUrl: url,
      profile,
      transport: transportTo(url),
      clock: systemClock,
      timers: systemTimers,
      random: seededRandom(1),
      log,
    };
  }

  function transportTo(baseUrl: string): HttpTransport {
    const transport = undiciTransport({
      baseUrl,
      clock: systemClock,
      timers: systemTimers,
      environment: {},
    });
    open.push(transport);
    return transport;
  }
}
