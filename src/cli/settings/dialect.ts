/** The dialect of a venue: a built-in profile by name, or a file with the differences from one. */
import { resolve } from 'node:path';
import { VENUE_PROFILES, type VenueProfile } from '../../client/profile.js';
import type { Config } from '../../config/load-config.js';
import { isProfileName, isProfilePath, PROFILE_NAMES } from '../../config/profile-name.js';
import { InvariantError, UsageError } from '../../model/errors.js';
import { FileMissing } from '../../ports/files.js';
import type { Machine } from '../machine.js';

type ProfileMachine = Pick<Machine, 'files' | 'environment'>;

/**
 * The profile that the configuration names.
 *
 * @throws UsageError by the place of the error in the configuration, or in the file that it names.
 */
export async function configuredProfile(
  machine: ProfileMachine,
  config: Config | undefined,
): Promise<VenueProfile | undefined> {
  const profile = config?.venue?.profile;
  if (config === undefined || profile === undefined) return undefined;
  return profileNamed(machine, profile, profile, (received) =>
    config.errorAt(['venue', 'profile'], `expected a file that can be read, received ${received}`, 'value'),
  );
}

/** The profile that `--profile` names. */
export async function givenProfile(
  machine: ProfileMachine,
  directory: string,
  flag: string | undefined,
): Promise<VenueProfile | undefined> {
  if (flag === undefined) return undefined;
  if (!isProfileName(flag) && !isProfilePath(flag)) throw notAProfile(flag);
  const path = isProfileName(flag) ? flag : resolve(directory, flag);
  return profileNamed(machine, path, flag, (received) => notAProfile(received));
}

function notAProfile(received: string): UsageError {
  const names = PROFILE_NAMES.join(', ');
  return new UsageError(
    'TICKWRIGHT_E_PROFILE',
    `--profile must be ${names} or a file, like ./venue.yaml, received ${received}`,
  );
}

async function profileNamed(
  { files, environment }: ProfileMachine,
  profile: string,
  shown: string,
  missing: (received: string) => UsageError,
): Promise<VenueProfile> {
  if (isProfileName(profile)) return shipped(profile);
  // Imported on demand, because few venues need a file, and loading the parser takes a while.
  const [{ parseProfile }, { profileFrom }] = await Promise.all([
    import('../../config/dialect-profile.js'),
    import('../../client/profile-overrides.js'),
  ]);
  let text: string;
  try {
    text = await files.readText(profile);
  } catch (error) {
    if (error instanceof FileMissing) throw missing(`${shown}: no such file`);
    throw error;
  }
  const file = parseProfile({ text, shown, environment });
  try {
    return { ...profileFrom(shipped(file.base), file.overrides), name: shown };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { path, message, isKey } = complaintOf(error);
    throw file.errorAt(path, message, isKey ? 'key' : 'value');
  }
}

function shipped(name: string): VenueProfile {
  const profile = VENUE_PROFILES.get(name);
  if (profile === undefined) throw new InvariantError(`a profile that ships must be known, received ${name}`);
  return profile;
}

/** Splits `profile.orderFields.quantity must be …, received …` into the key and the rest. */
const COMPLAINT = /^profile((?:\.[^\s.[\]]+|\[\d+\])*) must be (.*)$/s;

function complaintOf({ message }: UsageError): {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly isKey: boolean;
} {
  const [, place = '', rest] = COMPLAINT.exec(message) ?? [];
  const path = [...place.matchAll(/\.([^\s.[\]]+)|\[(\d+)\]/g)].map(
    ([, name, index]) => name ?? Number(index),
  );
  return {
    path,
    message: rest === undefined ? message : `expected ${rest}`,
    isKey: rest?.startsWith('a key of ') === true,
  };
}
