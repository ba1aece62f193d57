/** A strategy file, found, loaded and given its parameters. */
import { join } from 'node:path';
import { loadStrategy as loadFile, type LoadedStrategy as LoadedFile } from '../../loader/load-strategy.js';
import { locateStrategyError, strategyErrorText } from '../../loader/strategy-error.js';
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
  /** The same of the file run once more: for a session that shares nothing with any other in this process. */
  fresh(): Promise<BoundStrategy>;
  readonly file: string;
  /** Absolute paths of the user's files that it is made of. */
  readonly inputs: readonly string[];
  /** Of its bundled code. */
  readonly sha256: string;
  /** Packages of others that it imports, RxJS apart. */
  readonly packages: readonly string[];
  /** Every parameter as a person would write it. */
  readonly params: Readonly<Record<string, string>>;
  /** Those of them that are not left to their defaults. */
  readonly given: Readonly<Record<string, string>>;
  /** What the strategy threw, named by its own file and line; anything else as it is. */
  explain(error: unknown): unknown;
}

type StrategyMachine = Pick<Machine, 'files' | 'environment'>;

/**
 * Loads a strategy file and binds its parameters.
 *
 * @throws UsageError with `file:line:col` for what is wrong in the file, and for parameters that are not its own.
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

/** The strategy with what the configuration says about it on this pair; what the command line says comes first. */
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

/** An entry of the configuration, of which several may be of one file. `path`: what the file is called in messages. */
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

/** The path of a strategy: as it is given when there is such a file, else of the one that ships under this name. */
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

/** Of ours, those that name a mistake of the strategy's code: with its line where the stack has it, else with its file. */
const THEIRS: readonly string[] = ['TICKWRIGHT_E_SCHEDULER', 'TICKWRIGHT_E_WANT'];

/** How a strategy is made, where no line is to blame. */
const MALFORMED = 'TICKWRIGHT_E_STRATEGY';

function explained(error: unknown, loaded: LoadedFile): unknown {
  if (error instanceof UsageError && error.code === MALFORMED) {
    return new UsageError(MALFORMED, strategyErrorText(error, loaded), { cause: error });
  }
  const isTheirs = error instanceof TickwrightError && THEIRS.includes(error.code);
  if (error instanceof TickwrightError && !isTheirs) return error;
  // We throw nothing but Errors; where something else came from nobody can see.
  const isError = error instanceof Error;
  if (isError && !isTheirs && locateStrategyError(error, loaded) === undefined) return error;
  const advice = isError ? '' : ' (throw an Error, and its line is told)';
  const text = `${strategyErrorText(error, loaded)}${advice}`;
  return new StrategyError('TICKWRIGHT_E_STRATEGY_THREW', text, { cause: error });
}
