/** Gives commands access to a venue, from options, settings and connection. */
import type { PublicClient, VenueClient } from '../../client/client.js';
import type { VenueProfile } from '../../client/profile.js';
import type { ListQuery } from '../../ports/venue-api.js';
import { type Machine, thisMachine } from '../machine.js';
import { parseStretch } from '../view/moment.js';
import { say } from '../view/output.js';
import { withConnection } from '../connection/connection.js';
import { orUnknownPair } from './pair.js';
import { readSettings, type Settings } from './settings.js';

/** The flags of all commands that read. */
export interface ReadOptions {
  readonly venue?: string | undefined;
  readonly profile?: string | undefined;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

/** The flags of all commands that need the key. */
export interface KeyedOptions extends ReadOptions {
  readonly allowEnvKey?: true | undefined;
}

/** The flags of all commands that change something. */
export interface WriteOptions extends KeyedOptions {
  readonly yes?: true | undefined;
}

/** The flags of lists. */
export interface ListOptions {
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
}

export interface VenueAccess<Api> {
  readonly machine: Machine;
  readonly settings: Settings;
  readonly url: string;
  readonly profile: VenueProfile;
  readonly api: Api;
}

/** Runs `work` with public calls only; does not read a key. */
export async function withVenue<T>(
  options: ReadOptions & Pick<ListOptions, 'pair' | 'limit'>,
  work: (access: VenueAccess<PublicClient>) => Promise<T>,
): Promise<T> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config, options.profile);
  return withConnection(machine, settings.venue(options.venue), async (connection) => {
    await warnOfLimit(options.limit, connection.profile);
    return orUnknownPair(connection.api, options.pair, () => work({ machine, settings, ...connection }));
  });
}

/** Runs `work` with the user's key for the venue. */
export async function withAccount<T>(
  options: KeyedOptions & Pick<ListOptions, 'pair' | 'limit'>,
  work: (access: VenueAccess<VenueClient>) => Promise<T>,
): Promise<T> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config, options.profile);
  return withConnection(machine, await settings.venueWithKeys(options), async (connection) => {
    await warnOfLimit(options.limit, connection.profile);
    return orUnknownPair(connection.api, options.pair, () => work({ machine, settings, ...connection }));
  });
}

/** The client asks for no more rows than the profile's `maxLimit`. */
async function warnOfLimit(limit: number | undefined, { name, maxLimit }: VenueProfile): Promise<void> {
  if (limit === undefined || limit <= maxLimit) return;
  await say(
    `warning: --limit ${limit} gives the newest ${maxLimit} at most, which is maxLimit of the profile ${name}; ` +
      '--from and --to reach older ones',
  );
}

/** @throws UsageError for invalid times, and for an empty range. */
export function listQuery({ pair, limit, ...asked }: ListOptions): ListQuery {
  const { from, to } = parseStretch(asked, { isInclusive: true });
  return {
    ...(pair === undefined ? {} : { pair }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(limit === undefined ? {} : { limit }),
  };
}
