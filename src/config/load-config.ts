import { dirname, isAbsolute, resolve } from 'node:path';
import type { Decimal } from '../model/decimal.js';
import { UsageError } from '../model/errors.js';
import { closest } from './closest.js';
import { type ConfigProblem, configError, withoutUser } from './config-problem.js';
import { type ConfigInput, configSchema, limitShape } from './schema.js';
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
  /** Recordings for backtests; empty when the file names none. */
  readonly data: readonly string[];
  /**
   * An error at a place of the file, for what only others can judge: the parameters of a strategy. `at`: whether the
   * key or its value is wrong.
   */
  errorAt(path: Path, message: string, at: 'key' | 'value'): UsageError;
}

export interface VenueConfig {
  readonly url: string;
  /** `tickwright`, `cautious`, or the absolute path of a profile. */
  readonly profile: string;
  readonly apiKeyFile: string | undefined;
  readonly apiSecretFile: string | undefined;
}

export interface StrategyConfig {
  readonly file: string;
  readonly pair: string;
  /** As they are written; the strategy's own declarations parse them. */
  readonly params: Readonly<Record<string, string>>;
}

/** Quantities in base units, money in the quote asset. Live mode has all of them. */
export interface LimitsConfig {
  readonly maxPosition: Decimal | undefined;
  readonly maxOrderQuantity: Decimal | undefined;
  readonly maxGrossNotional: Decimal | undefined;
  readonly maxOpenOrders: number | undefined;
  readonly maxOrdersPerMinute: number | undefined;
  readonly maxDailyLoss: Decimal | undefined;
  /** Fraction of the mark. */
  readonly priceCollar: Decimal | undefined;
}

export interface ConfigSource {
  /** Where the file lies; its relative paths start in its folder. */
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
  // What is no YAML is told alone: the rest would follow from it.
  if (document.value === undefined) throw configError(shown, text, document.problems);
  const checked = configSchema.safeParse(document.value);
  const problems = [
    ...document.problems,
    ...(checked.success ? [] : checked.error.issues.flatMap((issue) => problemsOf(issue, document))),
    ...missingInLive(document),
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

/** Everything below `strategies[n].params`. */
function isParam(path: Path): boolean {
  return path.length === 4 && path[0] === 'strategies' && path[2] === 'params';
}

interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

function problemsOf(issue: Issue, document: YamlDocument): readonly ConfigProblem[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => unknownKey([...path, key], document));
  }
  const value = valueAt(document.value, path);
  const place = document.placeOf(path);
  const [start, end] =
    (value === undefined || value === null) && place.key !== undefined ? place.key : place.value;
  const hint =
    typeof value === 'number' && issue.message.includes('quoted') ? ` (write "${value}" in quotes)` : '';
  return [
    {
      start,
      end,
      path: pathText(path),
      message: `expected ${issue.message}, received ${received(value)}${hint}`,
    },
  ];
}

function unknownKey(path: Path, document: YamlDocument): ConfigProblem {
  const key = String(path.at(-1));
  const known = keysAt(configSchema, path.slice(0, -1)).filter((name) => name !== '$schema');
  const meant = closest(key, known);
  const place = document.placeOf(path);
  const [start, end] = place.key ?? place.value;
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return {
    start,
    end,
    path: pathText(path),
    message: `expected one of ${known.join(', ')}, received ${key}${hint}`,
  };
}

/** Real money is not risked without bounds, and not without an address. */
function missingInLive(document: YamlDocument): readonly ConfigProblem[] {
  if (valueAt(document.value, ['mode']) !== 'live') return [];
  const needed: Path[] = [
    ['venue'],
    ['strategies'],
    ...Object.keys(limitShape).map((name) => ['limits', name]),
  ];
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

function resolved(file: string, input: ConfigInput): Omit<Config, 'errorAt'> {
  const folder = dirname(file);
  const { venue, limits } = input;
  const data = input.data === undefined ? [] : typeof input.data === 'string' ? [input.data] : input.data;
  return {
    file,
    mode: input.mode,
    venue: venue && {
      url: venue.url,
      profile: /[/\\.]/.test(venue.profile) ? resolve(folder, venue.profile) : venue.profile,
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
    },
    control: { http: input.control.http, dashboard: input.control.dashboard },
    data: data.map((path) => (isAbsolute(path) ? path : resolve(folder, path))),
  };
}

/** Two checks may find the same fault. */
function withoutRepeats(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.filter(
    (problem, index) =>
      problems.findIndex(({ path, start }) => path === problem.path && start === problem.start) === index,
  );
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[part];
  }
  return at;
}

/** The keys that the schema knows at a path; through lists, defaults and what may be absent. */
function keysAt(schema: unknown, path: Path): readonly string[] {
  const { def } = (schema as { readonly _zod: { readonly def: SchemaDef } })._zod;
  if (def.innerType !== undefined) return keysAt(def.innerType, path);
  const [first, ...rest] = path;
  if (def.shape !== undefined) {
    if (first === undefined) return Object.keys(def.shape);
    const inner = def.shape[first];
    return inner === undefined ? [] : keysAt(inner, rest);
  }
  return def.element === undefined ? [] : keysAt(def.element, rest);
}

interface SchemaDef {
  readonly innerType?: unknown;
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly element?: unknown;
}

function received(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a map';
  return withoutUser(JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value));
}
