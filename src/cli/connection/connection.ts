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

/** A client of one venue, with the transport that it uses. */
export interface Connection<Client extends PublicClient = PublicClient> {
  readonly url: string;
  readonly profile: VenueProfile;
  readonly api: Client;
  close(): Promise<void>;
}

/** A connection that can read and change the account. */
export interface KeyedConnection extends Connection<VenueClient> {
  /** The transport of its requests. */
  readonly transport: HttpTransport;
  /** Makes another client with the same key, which shares no state with this one. */
  readonly clientOn: (ports: ClientPorts) => VenueClient;
}

export type ClientPorts = Pick<VenueClientOptions, 'clock' | 'timers' | 'transport' | 'random' | 'log'>;

export interface ConnectionOptions {
  readonly url: string;
  /** Default: the profile of our simulated venue on loopback, the cautious one elsewhere. */
  readonly profile?: VenueProfile | undefined;
  /** Default: no haste. */
  readonly haste?: HasteOptions | undefined;
}

export interface KeyedConnectionOptions extends ConnectionOptions {
  readonly credentials: Credentials;
}

export function profileOf({ url, profile }: ConnectionOptions): VenueProfile {
  return profile ?? (isLoopback(url) ? tickwright : cautious);
}

/** Connects to a venue. Without credentials the type only has public calls. */
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
    // Spreads retries. Seeded from outside, so that two processes do not retry in step.
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

/** Runs `work` on a connection and closes it. Errors of the venue then name its address. */
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
  // The called overload decides what the connection can do.
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
