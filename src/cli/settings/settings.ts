/** Combines the configuration file and the command line: which venue, which key, which intervals, which limits. */
import { join, resolve } from 'node:path';
import { addressText, checkedBaseUrl, isLoopback } from '../../client/base-url.js';
import type { VenueProfile } from '../../client/profile.js';
import type { Credentials } from '../../client/signer.js';
import { loadConfig } from '../../config/find-config.js';
import { isProfilePath } from '../../config/profile-name.js';
import type {
  AlertConfig,
  Config,
  DaemonConfig,
  LimitsConfig,
  SentinelConfig,
  StrategyConfig,
} from '../../config/load-config.js';
import { UsageError } from '../../model/errors.js';
import { processFacts } from '../../platform/process.js';
import { readCredential, readSecretFile, takeSecretVariable } from '../../platform/secrets.js';
import type { Machine } from '../machine.js';
import { configuredEntry } from './configured-entry.js';
import type { ConnectionOptions, KeyedConnectionOptions } from '../connection/connection.js';
import { configuredProfile, givenProfile } from './dialect.js';
import { withShippedStrategies } from './shipped-strategies.js';

/** The default address of `tickwright venue`. */
const DEFAULT_VENUE_URL = 'http://127.0.0.1:8085';

export interface Settings {
  readonly file: string | undefined;
  /** Absolute paths of further files that it names: keys, a profile. */
  readonly named: readonly string[];
  /** The mode in the file; `paper` without a file. */
  readonly mode: 'paper' | 'live';
  /** The pair of the file; `undefined` if it names none or several. */
  readonly pair: string | undefined;
  /** Interval between the starts of two polls, by kind, ms. */
  readonly poll: Config['poll'];
  readonly limits: LimitsConfig | undefined;
  /** Recordings that the file names. */
  readonly data: readonly string[];
  readonly strategies: readonly StrategyConfig[];
  /** The folder to which sessions write. */
  readonly state: string;
  readonly control: Config['control'];
  readonly daemon: DaemonConfig;
  readonly sentinel: SentinelConfig;
  readonly alerts: readonly AlertConfig[];
  /**
   * The entry of a strategy on the pair of `--pair`; `undefined` if the file has none.
   *
   * @throws UsageError when several entries match.
   */
  strategy(file: string, pair: string | undefined): StrategyConfig | undefined;
  /** The error for a parameter that the strategy does not have, by its place in the file. */
  paramError(strategy: StrategyConfig, param: string, error: UsageError): UsageError;
  /** The error for a value of the file, by its place there. */
  errorAt(path: readonly (string | number)[], message: string): UsageError;
  /** Address and profile of the venue, without a key. */
  venue(flag: string | undefined): ConnectionOptions;
  /**
   * The venue with the user's key for it.
   *
   * @throws UsageError when there is no key.
   */
  venueWithKeys(options: KeyOptions): Promise<KeyedConnectionOptions>;
  /** Like `venueWithKeys`, but with the sentinel's own key, if it has one. */
  venueWithSentinelKeys(options: KeyOptions): Promise<KeyedConnectionOptions>;
}

export interface KeyOptions {
  /** The flag `--venue`. */
  readonly venue?: string | undefined;
  /** The flag `--allow-env-key`: a key of the environment may be used for venues beyond this machine. */
  readonly allowEnvKey?: boolean | undefined;
}

const KEY_VARIABLE = 'TICKWRIGHT_VENUE__API_KEY';
const SECRET_VARIABLE = 'TICKWRIGHT_VENUE__API_SECRET';
const DEFAULT_DAEMON: DaemonConfig = { memory: 536_870_912, hang: 30_000, sentinel: false };
const DEFAULT_SENTINEL: SentinelConfig = {
  level: 'cancel',
  hung: 20_000,
  dead: 15_000,
  ending: 90_000,
  blind: 60_000,
  apiKeyFile: undefined,
  apiSecretFile: undefined,
};
const DEFAULT_POLL = { trades: 1_000, position: 1_000, orders: 1_000, fills: 1_000, ticker: 1_000 } as const;

/**
 * `profileFlag`: the flag `--profile`, which takes precedence over the file.
 *
 * @throws UsageError with `file:line:col` for errors in the configuration, or in the profile that it names.
 */
export async function readSettings(
  machine: Machine,
  flag: string | undefined,
  profileFlag?: string,
): Promise<Settings> {
  const { directory } = processFacts();
  const { files, environment } = machine;
  const written = await loadConfig({ files, environment, directory, flag });
  const config = written && (await withShippedStrategies(files, written));
  const pairs = new Set(config?.strategies.map(({ pair }) => pair));
  const profiles = {
    given: await givenProfile(machine, directory, profileFlag),
    configured: await configuredProfile(machine, config),
  };
  const venue = (address: string | undefined) => venueOf(config, profiles, address);
  return {
    file: config?.file,
    named: namedFiles(config),
    mode: config?.mode ?? 'paper',
    pair: pairs.size === 1 ? [...pairs][0] : undefined,
    poll: config?.poll ?? DEFAULT_POLL,
    limits: config?.limits,
    data: config?.data ?? [],
    strategies: config?.strategies ?? [],
    state: config?.state ?? 'var',
    control: config?.control ?? { http: undefined, dashboard: false },
    daemon: config?.daemon ?? DEFAULT_DAEMON,
    sentinel: config?.sentinel ?? DEFAULT_SENTINEL,
    alerts: config?.alerts ?? [],
    strategy: (file, pair) => configuredEntry(config?.strategies ?? [], resolve(directory, file), pair),
    paramError(strategy, param, error) {
      const path = ['strategies', config?.strategies.indexOf(strategy) ?? 0, 'params', param];
      const at = error.code === 'TICKWRIGHT_E_PARAM_UNKNOWN' ? 'key' : 'value';
      return config?.errorAt(path, error.message, at) ?? error;
    },
    errorAt: (path, message) =>
      config?.errorAt(path, message, 'value') ??
      new UsageError('TICKWRIGHT_E_CONFIG', `${path.join('.')} ${message}`),
    venue,
    async venueWithKeys(options) {
      const chosen = venue(options.venue);
      return { ...chosen, credentials: await keysOf(machine, config, chosen.url, options) };
    },
    async venueWithSentinelKeys(options) {
      const chosen = venue(options.venue);
      const own = isTheFiles(config, chosen.url)
        ? await credentialsInFiles(machine, config?.sentinel)
        : undefined;
      return { ...chosen, credentials: own ?? (await keysOf(machine, config, chosen.url, options)) };
    },
  };
}

function namedFiles(config: Config | undefined): readonly string[] {
  const { venue, sentinel } = config ?? {};
  const profile = venue?.profile;
  return [
    venue?.apiKeyFile,
    venue?.apiSecretFile,
    sentinel?.apiKeyFile,
    sentinel?.apiSecretFile,
    profile !== undefined && isProfilePath(profile) ? profile : undefined,
  ].filter((path) => path !== undefined);
}

/**
 * Whether the file's venue is meant. What the file says applies to that venue only: its key must not be sent to another
 * host.
 */
function isTheFiles(config: Config | undefined, url: string): boolean {
  return config?.venue !== undefined && sameAddress(config.venue.url, url);
}

interface Profiles {
  readonly given: VenueProfile | undefined;
  readonly configured: VenueProfile | undefined;
}

function venueOf(
  config: Config | undefined,
  { given, configured }: Profiles,
  flag: string | undefined,
): ConnectionOptions {
  const url = flag ?? config?.venue?.url ?? DEFAULT_VENUE_URL;
  // Checked before anybody prints the address, because it may contain a password.
  if (url.includes('@')) checkedBaseUrl(url, {});
  const profile = given ?? (isTheFiles(config, url) ? configured : undefined);
  return profile === undefined ? { url } : { url, profile };
}

/**
 * Credentials that systemd passes to a service; they take precedence over files of the configuration. `undefined`
 * without any.
 */
async function credentialsOfSystem({
  environment,
  files,
  scrubber,
}: Machine): Promise<Credentials | undefined> {
  const directory = environment['CREDENTIALS_DIRECTORY'];
  if (directory === undefined || directory === '') return undefined;
  const paths = [join(directory, 'api_key'), join(directory, 'api_secret')] as const;
  const found = await Promise.all(paths.map((path) => files.stat(path)));
  if (!found.some((entry) => entry !== undefined)) return undefined;
  const [apiKey, apiSecret] = [await readCredential(paths[0]), await readCredential(paths[1])];
  for (const secret of [apiKey, apiSecret]) scrubber.add(secret);
  return { apiKey, apiSecret };
}

/** The key in the files that a part of the configuration names; `undefined` where it names none. */
async function credentialsInFiles(
  { scrubber }: Machine,
  named: Pick<SentinelConfig, 'apiKeyFile' | 'apiSecretFile'> | undefined,
): Promise<Credentials | undefined> {
  if (named?.apiKeyFile === undefined || named.apiSecretFile === undefined) return undefined;
  const [apiKey, apiSecret] = [
    await readSecretFile(named.apiKeyFile),
    await readSecretFile(named.apiSecretFile),
  ];
  for (const secret of [apiKey, apiSecret]) scrubber.add(secret);
  return { apiKey, apiSecret };
}

async function keysOf(
  machine: Machine,
  config: Config | undefined,
  url: string,
  { allowEnvKey = false }: KeyOptions,
): Promise<Credentials> {
  const files = isTheFiles(config, url) ? config?.venue : undefined;
  const given = files && ((await credentialsOfSystem(machine)) ?? (await credentialsInFiles(machine, files)));
  if (given !== undefined) return given;
  const [apiKey, apiSecret] = [takeSecretVariable(KEY_VARIABLE), takeSecretVariable(SECRET_VARIABLE)];
  if (apiKey === undefined || apiSecret === undefined) {
    const missing =
      apiKey !== undefined ? SECRET_VARIABLE : apiSecret !== undefined ? KEY_VARIABLE : 'neither';
    throw new UsageError(
      'TICKWRIGHT_E_CREDENTIALS',
      `a key must be given: venue.apiKeyFile and venue.apiSecretFile in the configuration, or ${KEY_VARIABLE} and ` +
        `${SECRET_VARIABLE} in the environment; received ${missing === 'neither' ? 'neither' : `no ${missing}`}`,
    );
  }
  if (!isLoopback(url) && !allowEnvKey) {
    throw new UsageError(
      'TICKWRIGHT_E_CREDENTIALS',
      `a key in the environment must be allowed by --allow-env-key for a venue that is not on this machine, received ${url}`,
    );
  }
  for (const secret of [apiKey, apiSecret]) machine.scrubber.add(secret);
  return { apiKey, apiSecret };
}

export function sameAddress(a: string, b: string): boolean {
  return addressText(a) === addressText(b);
}
