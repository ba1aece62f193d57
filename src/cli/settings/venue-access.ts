/** Gives commands access to a venue, from options, settings and connection. */
import type { PublicClient, VenueClient } from '../../client/client.js';
import type { VenueProfile } from '../../client/profile.js';
import type { ListQuery } from '../../ports/venue-api.js';
import { type Machine, thisMachine } from '../machine.js';
import { parseStretch } from '../view/moment.js';
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
  options: ReadOptions & Pick<ListOptions, 'pair'>,
  work: (access: VenueAccess<PublicClient>) => Promise<T>,
): Promise<T> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config, options.profile);
  return withConnection(machine, settings.venue(options.venue), (connection) =>
    orUnknownPair(connection.api, options.pair, () => work({ machine, settings, ...connection })),
  );
}

/** Runs `work` with the user's key for the venue. */
export async function withAccount<T>(
  options: KeyedOptions & Pick<ListOptions, 'pair'>,
  work: (access: VenueAccess<VenueClient>) => Promise<T>,
): Promise<T> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config, options.profile);
  return withConnection(machine, await settings.venueWithKeys(options), (connection) =>
    orUnknownPair(connection.api, options.pair, () => work({ machine, settings, ...connection })),
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
