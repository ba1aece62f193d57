/** The venue's socket through our client: typed methods; each decoded record must agree with its `wire` original. */
import { createVenueClient, type VenueClientOptions } from '../../../src/client/client.js';
import { tickwright, type VenueProfile } from '../../../src/client/profile.js';
import { undiciTransport } from '../../../src/client/transport.js';
import { createWithdrawClient } from '../../../src/client/withdraw.js';
import { InvariantError } from '../../../src/model/errors.js';
import { seededRandom } from '../../../src/model/random.js';
import { systemTimers } from '../../../src/platform/timers.js';
import type { Clock } from '../../../src/ports/clock.js';
import { SILENT } from '../../../src/ports/log.js';
import { VenueError } from '../../../src/ports/venue-api.js';
import { CannotDo } from '../cannot-do.js';
import type { Customer, Door, Fields, Reply } from '../door.js';
import { formText } from '../hmac.js';
import { CUSTOMERS, keysOf } from '../quiet-venue.js';
import { readByClient } from './client-reads.js';
import { type Clients, writeByClient } from './client-writes.js';
import { localServer, rawWire } from './raw-http.js';
import { refusal } from './refusal.js';

/** A suite asks faster than a bot may, and its clock is the venue's. */
const PROFILE: VenueProfile = {
  ...tickwright,
  clock: 'system',
  budget: { perSecond: 100_000, burst: 100_000 },
};

export async function clientDoor(): Promise<Door> {
  const { server, clock, markets } = await localServer();
  const transport = undiciTransport({
    baseUrl: server.url,
    clock,
    timers: systemTimers,
    environment: {},
  });
  const clients = new Map<Customer, Clients>(
    CUSTOMERS.map((who) => [who, clientsOf(who, { baseUrl: server.url, transport, clock })]),
  );
  const byPair = new Map(markets.map((market) => [market.pair, market]));
  const admin = rawWire(server.adminUrl as string);
  const now = () => server.venue.clock.now();
  return {
    name: 'our client',
    lacks: () => undefined,
    get: (path, query, who) =>
      // A public read is the same whoever asks it.
      reply(async () => readByClient(clientsFor(clients, who ?? 'anna').client, path, query)),
    post: (path, fields, who) =>
      writeByClient(clientsFor(clients, who), { path, fields: unstamped(fields, now()), markets: byPair }),
    send: () => Promise.reject(new CannotDo('the client sends no requests but its own')),
    credentials: keysOf,
    admin: (path, fields) => admin.send({ method: 'POST', target: path, body: formText(fields) }),
    now,
    async advance(ms) {
      clock.advance(ms);
      for (const { client } of clients.values()) await client.clock.sync();
    },
    async close() {
      admin.close();
      await transport.close();
      await server.close();
    },
  };
}

function clientsOf(
  who: Customer,
  parts: Pick<VenueClientOptions, 'baseUrl' | 'transport'> & { readonly clock: Clock },
): Clients {
  const { key: apiKey, secret: apiSecret } = keysOf(who);
  const options: VenueClientOptions = {
    ...parts,
    profile: PROFILE,
    timers: systemTimers,
    random: seededRandom(1),
    log: SILENT,
    credentials: { apiKey, apiSecret },
  };
  return { client: createVenueClient(options), withdrawals: createWithdrawClient(options) };
}

function clientsFor(clients: ReadonlyMap<Customer, Clients>, who: Customer): Clients {
  return clients.get(who) as Clients;
}

/** The client stamps its own requests, with the venue's time. */
function unstamped({ timestamp, ...fields }: Fields, now: number): Fields {
  if (timestamp !== undefined && timestamp !== now) {
    throw new CannotDo('the client stamps its own requests');
  }
  if (fields['recv_window'] !== undefined) throw new CannotDo("the client's recv_window is its profile's");
  return fields;
}

/** A read that was refused rejects with a `VenueError`; the envelope is not kept. */
async function reply(read: () => Promise<unknown>): Promise<Reply> {
  try {
    return { status: 200, code: 200, msg: 'OK', result: await read() };
  } catch (error) {
    if (error instanceof VenueError && error.kind === 'refused') return refusal(error.message);
    if (error instanceof InvariantError) throw new CannotDo(`the client does not send it: ${error.message}`);
    throw error;
  }
}
