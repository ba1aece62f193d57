import {
  createPublicClient,
  createVenueClient,
  type PublicClient,
  type VenueClient,
  type VenueClientOptions,
} from '../../client/client.js';
import { isLoopback } from '../../client/base-url.js';
import type { HasteOptions } from '../../client/haste.js';
import { cautious, tickwright, type VenueProfile } from '../../client/profile.js';
import type { Credentials } from '../../client/signer.js';
import { undiciTransport } from '../../client/transport.js';
import { seededRandom } from '../../model/random.js';
import { HttpFailure, type HttpTransport } from '../../ports/http.js';
import { VenueError } from '../../ports/venue-api.js';
import type { Machine } from '../machine.js';
import { VenueUnavailable } from '../report-error.js';

/** A client of one venue with the connections it uses. */
export interface Connection<Client extends PublicClient = PublicClient> {
  readonly url: string;
  readonly profile: VenueProfile;
  readonly api: Client;
  close(): Promise<void>;
}

/** One that can read the account and change it. */
export interface KeyedConnection extends Connection<VenueClient> {
  /** Where its requests leave. */
  readonly transport: HttpTransport;
  /** Another client with the same key, which knows nothing of what this one has learned. */
  readonly clientOn: (ports: ClientPorts) => VenueClient;
}

export type ClientPorts = Pick<VenueClientOptions, 'clock' | 'timers' | 'transport' | 'random' | 'log'>;

export interface ConnectionOptions {
  readonly url: string;
  /** Default: ours on loopback, the cautious one elsewhere. */
  readonly profile?: VenueProfile | undefined;
  /** Default: none. */
  readonly haste?: HasteOptions | undefined;
}

export interface KeyedConnectionOptions extends ConnectionOptions {
  readonly credentials: Credentials;
}

export function profileOf({ url, profile }: ConnectionOptions): VenueProfile {
  return profile ?? (isLoopback(url) ? tickwright : cautious);
}

/** With credentials when there are any: without them nothing but public calls compiles. */
export function connect(machine: Machine, options: KeyedConnectionOptions): KeyedConnection;
export function connect(machine: Machine, options: ConnectionOptions): Connection;
export function connect(machine: Machine, options: ConnectionOptions | KeyedConnectionOptions): Connection {
  const { clock, timers, entropy, log, environment } = machine;
  const { url, haste } = options;
  const profile = profileOf(options);
  const transport = undiciTransport({ baseUrl: url, clock, timers, environment });
  const parts = {
    baseUrl: url,
    profile,
    transport,
    clock,
    timers,
    // Spreads retries; seeded from outside so that two processes do not retry in step.
    random: seededRandom(Buffer.from(entropy.bytes(8)).toString('hex')),
    log,
    haste,
  };
  const close = () => transport.close();
  if (!('credentials' in options)) return { url, profile, api: createPublicClient(parts), close };
  const { credentials } = options;
  const clientOn = (ports: ClientPorts) => createVenueClient({ ...parts, ...ports, credentials });
  const keyed: KeyedConnection = { url, profile, api: clientOn(parts), transport, clientOn, close };
  return keyed;
}

/** Runs `work` on a connection and closes it; what the venue fails at names the venue's address. */
export function withConnection<T>(
  machine: Machine,
  options: KeyedConnectionOptions,
  work: (connection: KeyedConnection) => Promise<T>,
): Promise<T>;
export function withConnection<T>(
  machine: Machine,
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T>;
export async function withConnection<T>(
  machine: Machine,
  options: ConnectionOptions,
  work: (connection: KeyedConnection) => Promise<T>,
): Promise<T> {
  // What it can do is what the overload that was called says.
  const connection = connect(machine, options) as KeyedConnection;
  try {
    return await work(connection);
  } catch (error) {
    if (error instanceof VenueError || error instanceof HttpFailure) {
      throw new VenueUnavailable(options.url, error);
    }
    throw error;
  } finally {
    await connection.close();
  }
}
