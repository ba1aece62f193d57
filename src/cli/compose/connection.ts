import { createVenueClient, type VenueClient } from '../../client/client.js';
import { cautious, tickwright, type VenueProfile } from '../../client/profile.js';
import type { Credentials } from '../../client/signer.js';
import { undiciTransport } from '../../client/transport.js';
import { seededRandom } from '../../model/random.js';
import { HttpFailure } from '../../ports/http.js';
import { VenueError } from '../../ports/venue-api.js';
import type { Machine } from '../machine.js';
import { VenueUnavailable } from '../report-error.js';

/** Where `tickwright venue` listens unless told otherwise. */
export const DEFAULT_VENUE_URL = 'http://127.0.0.1:8085';

/** A client of one venue with the connections it uses. */
export interface Connection {
  readonly url: string;
  readonly profile: VenueProfile;
  readonly api: VenueClient;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  /** Default: ours on loopback, the cautious one elsewhere. */
  readonly profile?: VenueProfile | undefined;
  readonly credentials?: Credentials | undefined;
}

export function connect(
  { clock, timers, entropy, log, environment }: Machine,
  { url, profile = isLoopback(url) ? tickwright : cautious, credentials }: ConnectionOptions,
): Connection {
  const transport = undiciTransport({ baseUrl: url, clock, timers, environment });
  const api = createVenueClient({
    baseUrl: url,
    profile,
    ...(credentials === undefined ? {} : { credentials }),
    transport,
    clock,
    timers,
    // Spreads retries; seeded from outside so that two processes do not retry in step.
    random: seededRandom(Buffer.from(entropy.bytes(8)).toString('hex')),
    log,
  });
  return { url, profile, api, close: () => transport.close() };
}

/** Runs `work` on a connection and closes it; what the venue fails at names the venue's address. */
export async function withConnection<T>(
  machine: Machine,
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = connect(machine, options);
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

/** The venue is on this machine: a simulated one. */
export function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
