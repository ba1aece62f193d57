/** The venue's socket by `node:http` and `node:crypto` alone: what any program in any language would send. */
import { Agent, request as httpRequest } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { systemTimers } from '../../../src/platform/timers.js';
import { startVenueServer } from '../../../src/venue/http/server.js';
import type { Door, RawReply, RawRequest } from '../door.js';
import { formText } from '../hmac.js';
import { keysOf, quietVenue } from '../quiet-venue.js';
import { parsed } from './envelope.js';
import { getRequest, postRequest } from './requests.js';

/** The suite's own venue on loopback, its clock in the hand of the suite. */
export async function localServer() {
  const { core, clock, accounts, markets } = quietVenue();
  const server = await startVenueServer({
    core,
    drivers: [],
    clock,
    timers: systemTimers,
    accounts,
    port: 0,
    adminPort: 0,
  });
  return { server, clock, markets };
}

export async function rawHttpDoor(): Promise<Door> {
  const { server, clock } = await localServer();
  const wire = rawWire(server.url);
  const admin = rawWire(server.adminUrl as string);
  return {
    name: 'raw HTTP',
    lacks: () => undefined,
    get: (path, query, who) =>
      wire.send(getRequest(path, query, who === undefined ? undefined : keysOf(who).key)),
    post: (path, fields, who) => wire.send(postRequest(path, fields, keysOf(who))),
    send: wire.send,
    credentials: keysOf,
    admin: (path, fields) => admin.send({ method: 'POST', target: path, body: formText(fields) }),
    now: () => server.venue.clock.now(),
    advance: async (ms) => clock.advance(ms),
    async close() {
      wire.close();
      admin.close();
      await server.close();
    },
  };
}

/** Requests to one base address over a kept connection. */
export function rawWire(baseUrl: string) {
  const base = new URL(baseUrl);
  const isTls = base.protocol === 'https:';
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const prefix = base.pathname.replace(/\/+$/, '');
  return { send, close: () => agent.destroy() };

  function send({ method, target, headers = {}, body }: RawRequest): Promise<RawReply> {
    const bytes = body === undefined ? undefined : Buffer.from(body as string);
    const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
    return new Promise((resolve, reject) => {
      const options = {
        method,
        agent,
        hostname: base.hostname,
        port: base.port,
        path: `${prefix}${target}`,
        headers: { ...headers, ...length },
        timeout: 10_000,
      };
      const call = (isTls ? httpsRequest : httpRequest)(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
          resolve(
            parsed(response.statusCode ?? 0, text, Object.fromEntries(received) as Record<string, string>),
          );
        });
      });
      call.on('timeout', () => call.destroy(new Error('no answer within 10 s')));
      call.on('error', reject);
      call.end(bytes);
    });
  }
}
