/** Finds and loads a strategy file, and binds its parameters. */
import { join } from 'node:path';
import { loadStrategy as loadFile, type LoadedStrategy as LoadedFile } from '../../loader/load-strategy.js';
import {
  locateStrategyError,
  packageInStack,
  stackOf,
  strategyErrorText,
} from '../../loader/strategy-error.js';
import { Decimal, plain } from '../../model/decimal.js';
import { StrategyError, TickwrightError, UsageError } from '../../model/errors.js';
import { type BoundStrategy, bindStrategy } from '../../strategy/instance.js';
import type { StrategyDefinition } from '../../strategy/definition.js';
import type { StrategyConfig } from '../../config/load-config.js';
import type { Machine } from '../machine.js';
import { shippedStrategies, STRATEGIES_FOLDER } from '../package.js';
import type { Settings } from '../settings/settings.js';
import { strategyCache } from './strategy-cache.js';

export interface LoadedStrategy {
  readonly definition: StrategyDefinition;
  readonly bound: BoundStrategy;
  /**
   * The same strategy from a new execution of the file, for a session that must share nothing with others in this
   * process.
   */
  fresh(): Promise<BoundStrategy>;
  readonly file: string;
  /** Absolute paths of the user's files that are part of it. */
  readonly inputs: readonly string[];
  /** SHA-256 of its bundled code. */
  readonly sha256: string;
  /** Third-party packages that it imports, except RxJS. */
  readonly packages: readonly string[];
  /** All parameters, as a person would write them. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters that differ from defaults because they were given. */
  readonly given: Readonly<Record<string, string>>;
  /** An error of the strategy, described by its own file and line; other errors unchanged. */
  explain(error: unknown): unknown;
}

type StrategyMachine = Pick<Machine, 'files' | 'environment'>;

/**
 * Loads a strategy file and binds its parameters.
 *
 * @throws UsageError with `file:line:col` for errors in the file, and for unknown or invalid parameters.
 */
export async function loadStrategy(
  machine: StrategyMachine,
  path: string,
  given: Readonly<Record<string, unknown>>,
): Promise<LoadedStrategy> {
  const loaded = await loadDefinition(machine, path);
  const { definition, file, inputs, sha256, packages } = loaded;
  const params = paramTexts(definition, given);
  return {
    definition,
    bound: bindStrategy(definition, given),
    fresh: async () => bindStrategy(await loaded.fresh(), given),
    file,
    inputs,
    sha256,
    packages,
    params,
    given: Object.fromEntries(Object.entries(params).filter(([name]) => isGiven(given, name))),
    explain: (error) => explained(error, loaded),
  };
}

/** Loads a strategy with its parameters from the configuration for this pair; the command line takes precedence. */
export async function loadConfiguredStrategy(
  machine: StrategyMachine,
  settings: Settings,
  name: string,
  given: {
    readonly pair?: string | undefined;
    readonly set?: Readonly<Record<string, string>> | undefined;
  },
): Promise<{ readonly strategy: LoadedStrategy; readonly configured: StrategyConfig | undefined }> {
  const path = await strategyPath(machine, name);
  const configured = settings.strategy(path, given.pair);
  const { set: overrides = {} } = given;
  const strategy =
    configured === undefined
      ? await loadStrategy(machine, path, overrides)
      : await loadEntry(machine, settings, configured, { overrides, path });
  return { strategy, configured };
}

/** Loads an entry of the configuration, which may have several of one file. `path`: the name of the file in messages. */
export async function loadEntry(
  machine: StrategyMachine,
  settings: Settings,
  entry: StrategyConfig,
  {
    overrides = {},
    path = entry.file,
  }: {
    readonly overrides?: Readonly<Record<string, string>> | undefined;
    readonly path?: string;
  } = {},
): Promise<LoadedStrategy> {
  const { params } = entry;
  try {
    return await loadStrategy(machine, path, { ...params, ...overrides });
  } catch (error) {
    const param = error instanceof UsageError ? error.facts['param'] : undefined;
    const isTheFiles =
      typeof param === 'string' && Object.hasOwn(params, param) && !Object.hasOwn(overrides, param);
    if (!isTheFiles) throw error;
    throw settings.paramError(entry, param, error as UsageError);
  }
}

export async function loadDefinition(machine: StrategyMachine, path: string): Promise<LoadedFile> {
  const { files } = machine;
  return loadFile(path, { files, ...strategyCache(machine) });
}

/** The path of a strategy: the given one if the file exists, else that of the package's strategy of this name. */
export async function strategyPath(machine: StrategyMachine, name: string): Promise<string> {
  if ((await machine.files.stat(name))?.kind === 'file') return name;
  if (/^[a-z0-9-]+$/.test(name)) {
    const shipped = await shippedStrategies(machine.files);
    if (shipped.includes(name)) return join(STRATEGIES_FOLDER, `${name}.ts`);
    throw new UsageError(
      'TICKWRIGHT_E_STRATEGY_FILE',
      `a strategy must be a file or one that ships (${shipped.join(', ')}), received ${name}`,
    );
  }
  return name;
}

function paramTexts(
  { params }: StrategyDefinition,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, spec]) => {
      return [name, isGiven(given, name) ? textOf(given[name]) : spec.defaultText];
    }),
  );
}

function isGiven(given: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(given, name) && given[name] !== undefined;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Decimal ? plain(value) : JSON.stringify(value);
}

/**
 * Errors of ours that stand for a mistake in the strategy's code; reported with its line if the stack has it, else with
 * its file.
 */
const THEIRS: readonly string[] = ['TICKWRIGHT_E_SCHEDULER', 'TICKWRIGHT_E_WANT'];

/** The code of an error in the structure of a strategy, for which no line is to blame. */
const MALFORMED = 'TICKWRIGHT_E_STRATEGY';

function explained(error: unknown, loaded: LoadedFile): unknown {
  if (error instanceof UsageError && error.code === MALFORMED) {
    return new UsageError(MALFORMED, strategyErrorText(error, loaded), { cause: error });
  }
  const isTheirs = error instanceof TickwrightError && THEIRS.includes(error.code);
  if (error instanceof TickwrightError && !isTheirs) return error;
  // Our code throws only Errors with a stack. The origin of anything else is unknown, so it is attributed to the strategy.
  const isError = error instanceof Error;
  const isPlaced = isError && stackOf(error) !== undefined;
  if (isPlaced && !isTheirs && locateStrategyError(error, loaded) === undefined) {
    const name = packageInStack(error, loaded.packages);
    if (name === undefined) return error;
    const text = `${strategyErrorText(error, loaded)} (thrown by the package ${name}, which it imports)`;
    return new StrategyError('TICKWRIGHT_E_STRATEGY_THREW', text, { cause: error });
  }
  const advice = isError ? '' : ' (throw an Error, and its line is told)';
  const text = `${strategyErrorText(error, loaded)}${advice}`;
  return new StrategyError('TICKWRIGHT_E_STRATEGY_THREW', text, { cause: error });
}
