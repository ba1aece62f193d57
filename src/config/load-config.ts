import { dirname, isAbsolute, resolve } from 'node:path';
import type { Decimal } from '../model/decimal.js';
import { UsageError } from '../model/errors.js';
import type { AlertKind, AlertReceiver, AlertSeverity } from './alert-schema.js';
import { type ConfigProblem, configError } from './config-problem.js';
import { isProfilePath } from './profile-name.js';
import { REQUIRED_LIMITS } from './required-limits.js';
import { type ConfigInput, configSchema } from './schema.js';
import { schemaProblems, valueAt, withoutRepeats } from './schema-problems.js';
import type { Environment } from './substitute.js';
import { type Path, pathText, readYaml, type YamlDocument } from './yaml-document.js';

/** A configuration file, checked, with its defaults and with absolute paths. Money is exact, durations are ms. */
export interface Config {
  /** Absolute. */
  readonly file: string;
  readonly mode: 'paper' | 'live';
  readonly venue: VenueConfig | undefined;
  /** Folder of the journal, snapshots, control socket and lock. */
  readonly state: string;
  /** Time between two polls of a kind, ms. */
  readonly poll: Readonly<Record<'trades' | 'position' | 'orders' | 'fills' | 'ticker', number>>;
  readonly strategies: readonly StrategyConfig[];
  readonly limits: LimitsConfig;
  readonly control: {
    readonly http: { readonly host: string; readonly port: number } | undefined;
    readonly dashboard: boolean;
  };
  readonly daemon: DaemonConfig;
  readonly sentinel: SentinelConfig;
  readonly alerts: readonly AlertConfig[];
  /** Recordings for backtests; empty when the file names none. */
  readonly data: readonly string[];
  /**
   * An error at a place in the file, for checks that need more than the file, such as parameters of a strategy. `at`:
   * whether the key or its value is wrong.
   */
  errorAt(path: Path, message: string, at: 'key' | 'value'): UsageError;
}

export interface VenueConfig {
  readonly url: string;
  /** `tickwright`, `cautious`, or the absolute path of a profile; `undefined`: chosen by the address. */
  readonly profile: string | undefined;
  readonly apiKeyFile: string | undefined;
  readonly apiSecretFile: string | undefined;
}

export interface DaemonConfig {
  /** Resident bytes above which the daemon ends in order, to be started anew. */
  readonly memory: number;
  /** How long the engine may be silent before it counts as hung and is killed, ms. */
  readonly hang: number;
  /** Whether the daemon starts a sentinel beside itself. */
  readonly sentinel: boolean;
}

/** How long a sentinel tolerates each state, ms, and how it then ends the daemon. */
export interface SentinelConfig {
  readonly level: 'cancel' | 'flat';
  /** The daemon's engine does not answer. */
  readonly hung: number;
  /** Its process ended without order, and nobody started it again. */
  readonly dead: number;
  /** The daemon is ending, and has not finished. */
  readonly ending: number;
  /** The daemon has orders at the venue and hears nothing from there. */
  readonly blind: number;
  /** Files of a key of its own; otherwise the sentinel uses the daemon's key. Absolute paths. */
  readonly apiKeyFile: string | undefined;
  readonly apiSecretFile: string | undefined;
}

/** One receiver of alerts. Paths are absolute. */
export interface AlertConfig {
  readonly to: AlertReceiver;
  readonly url: string | undefined;
  /** A file whose single word is the address; for addresses that contain a token. */
  readonly urlFile: string | undefined;
  readonly tokenFile: string | undefined;
  readonly chat: string | undefined;
  /** `undefined`: all but fills and refusals. */
  readonly on: readonly AlertKind[] | undefined;
  readonly minSeverity: AlertSeverity;
  /** When the daily summary is sent, minutes after 00:00 UTC. */
  readonly summary: number | undefined;
  /** The same cause is told once in this time and otherwise counted; ms. */
  readonly repeat: number;
  readonly perHour: number;
}

export interface StrategyConfig {
  readonly file: string;
  readonly pair: string;
  /** Parameters as text; the strategy's declarations parse them. */
  readonly params: Readonly<Record<string, string>>;
  /** What happens to the strategy's quotes while the pair is in doubt. */
  readonly onDoubt: 'cancel' | 'hold';
  /** History that the strategy sees before it trades, ms. */
  readonly warmUp: number;
}

/** Quantities in base units, money in the quote asset, times in ms. Live mode requires all limits up to `priceCollar`. */
export interface LimitsConfig {
  readonly maxPosition: Decimal | undefined;
  readonly maxOrderQuantity: Decimal | undefined;
  readonly maxGrossNotional: Decimal | undefined;
  readonly maxOpenOrders: number | undefined;
  /** For each pair, like the next two. */
  readonly maxOrdersPerMinute: number | undefined;
  readonly maxDailyLoss: Decimal | undefined;
  /** Fraction of the mark and of the last trade. */
  readonly priceCollar: Decimal | undefined;
  readonly maxOrderNotional: Decimal | undefined;
  readonly maxOrdersPerHour: number | undefined;
  readonly maxCancelsPerMinute: number | undefined;
  /** Shortest time between two orders of one side. */
  readonly minRepeat: number | undefined;
  /** How long no risk is added after half of the newest ten orders were rejected; else a minute. */
  readonly rejectPause: number | undefined;
  /** Fall of the equity from its highest, over all sessions. */
  readonly maxDrawdown: Decimal | undefined;
  readonly maxConsecutiveLosses: number | undefined;
  /** How long no risk is added after so many; else an hour. */
  readonly lossPause: number | undefined;
  /** Position × mark ÷ equity. */
  readonly maxLeverage: Decimal | undefined;
  /** Fraction of the mark. */
  readonly minLiquidationDistance: Decimal | undefined;
  /** For how long a position may have no stop at the venue that covers it whole. */
  readonly maxBareTime: number | undefined;
  /** Largest unexplained amount of the account's money, up or down, quote units. */
  readonly maxSuspense: Decimal | undefined;
}

export interface ConfigSource {
  /** Path of the file; relative paths in it start from its folder. */
  readonly path: string;
  readonly text: string;
  readonly environment: Environment;
  /** How messages name the file. Default: `path`. */
  readonly shown?: string;
}

const MOST_BYTES = 1_048_576;

/**
 * Reads a configuration.
 *
 * @throws UsageError with every problem of the file, each as `file:line:col path: expected …, received …` with the
 * line and a caret.
 */
export function parseConfig({ path, text, environment, shown = path }: ConfigSource): Config {
  if (text.length > MOST_BYTES) {
    throw new UsageError(
      'TICKWRIGHT_E_CONFIG',
      `${shown}: expected at most ${MOST_BYTES} characters, received ${text.length}`,
    );
  }
  const document = readYaml(text, { environment, isText: isParam });
  // A text that is not YAML is the only problem that is reported, because all others would follow from it.
  if (document.value === undefined) throw configError(shown, text, document.problems);
  const checked = configSchema.safeParse(document.value);
  const issues = checked.success ? [] : schemaProblems(checked.error.issues, configSchema, document);
  const problems = [
    ...document.problems,
    // A value that could not be read is reported as such, and not as missing in addition.
    ...issues.filter(({ path: at }) => document.problems.every((unread) => unread.path !== at)),
    ...missingInLive(document),
    ...sharedPairs(document),
    ...(checked.success ? blindBetweenPolls(document, checked.data) : []),
  ];
  if (!checked.success || problems.length > 0) throw configError(shown, text, withoutRepeats(problems));
  return {
    ...resolved(resolve(path), checked.data),
    errorAt(where, message, at) {
      const place = document.placeOf(where);
      const [start, end] = (at === 'key' ? place.key : undefined) ?? place.value;
      return configError(shown, text, [{ start, end, path: pathText(where), message }]);
    },
  };
}

/** Whether the path is a parameter below `strategies[n].params`. */
export function isParam(path: Path): boolean {
  return path.length === 4 && path[0] === 'strategies' && path[2] === 'params';
}

/** Live mode requires limits and an address: real money must not be risked without bounds. */
function missingInLive(document: YamlDocument): readonly ConfigProblem[] {
  if (valueAt(document.value, ['mode']) !== 'live') return [];
  const needed: Path[] = [['venue'], ['strategies'], ...REQUIRED_LIMITS.map((name) => ['limits', name])];
  return needed
    .filter((path) => valueAt(document.value, path) === undefined)
    .map((path) => {
      const place = document.placeOf(path.slice(0, -1));
      const mode = document.placeOf(['mode']);
      const [start, end] = place.key ?? mode.key ?? mode.value;
      return {
        start,
        end,
        path: pathText(path),
        message: 'expected a value, which live mode demands, received nothing',
      };
    });
}

/** The fills of two strategies on one pair could not be told apart. */
function sharedPairs(document: YamlDocument): readonly ConfigProblem[] {
  const strategies = valueAt(document.value, ['strategies']);
  if (!Array.isArray(strategies)) return [];
  const pairs = strategies.map((_, index) => valueAt(document.value, ['strategies', index, 'pair']));
  return pairs.flatMap((pair, index) => {
    const first = pairs.indexOf(pair);
    if (typeof pair !== 'string' || first === index) return [];
    const path: Path = ['strategies', index, 'pair'];
    const [start, end] = document.placeOf(path).value;
    const other = pathText(['strategies', first]);
    const message = `expected a pair with no other strategy, since the fills of two could not be told apart, received ${JSON.stringify(pair.slice(0, 80))}, which ${other} is on`;
    return [{ start, end, path: pathText(path), message }];
  });
}

/** Polls in a row that may fail before a sentinel acts; also its default. */
const POLLS = 4;

/** A sentinel with less patience than the poll interval would end a healthy daemon. */
function blindBetweenPolls(
  document: YamlDocument,
  { poll, sentinel }: ConfigInput,
): readonly ConfigProblem[] {
  const path: Path = ['sentinel', 'blind'];
  const given = valueAt(document.value, path);
  const leastMs = POLLS * poll.trades;
  if (typeof given !== 'string' || sentinel.blind >= leastMs) return [];
  const [start, end] = document.placeOf(path).value;
  const message = `expected at least ${leastMs / 1_000}s, four times poll.trades, received ${given}`;
  return [{ start, end, path: pathText(path), message }];
}

function resolved(file: string, input: ConfigInput): Omit<Config, 'errorAt'> {
  const folder = dirname(file);
  const { venue, limits } = input;
  const data = input.data === undefined ? [] : typeof input.data === 'string' ? [input.data] : input.data;
  return {
    file,
    mode: input.mode,
    venue: venue && {
      url: venue.url,
      profile:
        venue.profile !== undefined && isProfilePath(venue.profile)
          ? resolve(folder, venue.profile)
          : venue.profile,
      apiKeyFile: venue.apiKeyFile === undefined ? undefined : resolve(folder, venue.apiKeyFile),
      apiSecretFile: venue.apiSecretFile === undefined ? undefined : resolve(folder, venue.apiSecretFile),
    },
    state: resolve(folder, input.state),
    poll: input.poll,
    strategies: (input.strategies ?? []).map((strategy) => ({
      ...strategy,
      file: resolve(folder, strategy.file),
    })),
    limits: {
      maxPosition: limits.maxPosition,
      maxOrderQuantity: limits.maxOrderQuantity,
      maxGrossNotional: limits.maxGrossNotional,
      maxOpenOrders: limits.maxOpenOrders,
      maxOrdersPerMinute: limits.maxOrdersPerMinute,
      maxDailyLoss: limits.maxDailyLoss,
      priceCollar: limits.priceCollar,
      maxOrderNotional: limits.maxOrderNotional,
      maxOrdersPerHour: limits.maxOrdersPerHour,
      maxCancelsPerMinute: limits.maxCancelsPerMinute,
      minRepeat: limits.minRepeat,
      rejectPause: limits.rejectPause,
      maxDrawdown: limits.maxDrawdown,
      maxConsecutiveLosses: limits.maxConsecutiveLosses,
      lossPause: limits.lossPause,
      maxLeverage: limits.maxLeverage,
      minLiquidationDistance: limits.minLiquidationDistance,
      maxBareTime: limits.maxBareTime,
      maxSuspense: limits.maxSuspense,
    },
    control: { http: input.control.http, dashboard: input.control.dashboard },
    daemon: { memory: input.daemon.memory, hang: input.daemon.hang, sentinel: input.daemon.sentinel },
    sentinel: resolvedSentinel(folder, input.sentinel),
    alerts: input.alerts.map((alert) => resolvedAlert(folder, alert)),
    data: data.map((path) => (isAbsolute(path) ? path : resolve(folder, path))),
  };
}

function resolvedSentinel(
  folder: string,
  { apiKeyFile, apiSecretFile, ...rest }: ConfigInput['sentinel'],
): SentinelConfig {
  return {
    ...rest,
    apiKeyFile: apiKeyFile === undefined ? undefined : resolve(folder, apiKeyFile),
    apiSecretFile: apiSecretFile === undefined ? undefined : resolve(folder, apiSecretFile),
  };
}

function resolvedAlert(folder: string, alert: ConfigInput['alerts'][number]): AlertConfig {
  const { to, url, urlFile, tokenFile, chat, on, minSeverity, summary, repeat, perHour } = alert;
  return {
    to,
    url,
    urlFile: urlFile === undefined ? undefined : resolve(folder, urlFile),
    tokenFile: tokenFile === undefined ? undefined : resolve(folder, tokenFile),
    chat,
    on,
    // A configuration that names kinds wants them in every severity.
    minSeverity: minSeverity ?? (on === undefined ? 'warning' : 'info'),
    summary,
    repeat,
    perHour,
  };
}
