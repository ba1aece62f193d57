import { resolve } from 'node:path';
import { UsageError } from '../model/errors.js';
import { type Config, parseConfig } from './load-config.js';
import type { Environment } from './substitute.js';

/** What looking for a configuration needs; the files port has it all. */
export interface ConfigFiles {
  stat(path: string): Promise<{ readonly kind: string; readonly size: number } | undefined>;
  readText(path: string): Promise<string>;
}

export interface ConfigQuery {
  readonly files: ConfigFiles;
  readonly environment: Environment;
  /** The folder that relative paths of flag and variable start from, and where the default file is looked for. */
  readonly directory: string;
  /** `--config`. */
  readonly flag?: string | undefined;
}

export interface FoundConfig {
  /** As it was named. */
  readonly path: string;
  readonly origin: '--config' | '$TICKWRIGHT_CONFIG' | 'default';
}

export const CONFIG_VARIABLE = 'TICKWRIGHT_CONFIG';
const DEFAULT_NAMES = ['tickwright.yaml', 'tickwright.yml'];
const MOST_BYTES = 1_048_576;

/**
 * The configuration file that counts: `--config`, else `$TICKWRIGHT_CONFIG`, else `./tickwright.yaml` or `.yml`;
 * `undefined` when nobody named one and none is there.
 *
 * @throws UsageError when the named file is not there, or when both default names are.
 */
export async function findConfig({
  files,
  environment,
  directory,
  flag,
}: ConfigQuery): Promise<FoundConfig | undefined> {
  const variable = environment[CONFIG_VARIABLE];
  const named: FoundConfig | undefined =
    flag !== undefined
      ? { path: flag, origin: '--config' }
      : variable !== undefined && variable !== ''
        ? { path: variable, origin: '$TICKWRIGHT_CONFIG' }
        : undefined;
  if (named !== undefined) {
    const entry = await files.stat(resolve(directory, named.path));
    if (entry?.kind === 'file') return named;
    throw usage(
      `${named.origin} must name a configuration file, received ${named.path}: ${entry?.kind ?? 'nothing there'}`,
    );
  }
  const there: string[] = [];
  for (const name of DEFAULT_NAMES) {
    if ((await files.stat(resolve(directory, name)))?.kind === 'file') there.push(name);
  }
  const [path, other] = there;
  if (other !== undefined)
    throw usage(`one configuration file must be there, received ${there.join(' and ')}`);
  return path === undefined ? undefined : { path, origin: 'default' };
}

/** Finds, reads and checks the configuration; `undefined` when there is none. */
export async function loadConfig(query: ConfigQuery): Promise<Config | undefined> {
  const found = await findConfig(query);
  if (found === undefined) return undefined;
  const path = resolve(query.directory, found.path);
  const size = (await query.files.stat(path))?.size ?? 0;
  if (size > MOST_BYTES) throw usage(`${found.path}: expected at most ${MOST_BYTES} bytes, received ${size}`);
  const text = await query.files.readText(path);
  return parseConfig({ path, text, environment: query.environment, shown: found.path });
}

function usage(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_CONFIG', message);
}
