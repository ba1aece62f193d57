import { dirname, resolve } from 'node:path';
import { UsageError } from '../model/errors.js';
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

const CONFIG_VARIABLE = 'TICKWRIGHT_CONFIG';
export const MOST_BYTES = 1_048_576;
const DEFAULT_NAMES = ['tickwright.yaml', 'tickwright.yml'];

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
    const entry = await readable(named, () => files.stat(resolve(directory, named.path)));
    if (entry?.kind === 'file') return named;
    throw configError(
      `${named.origin} must name a configuration file, received ${named.path}: ${entry?.kind ?? 'nothing there'}`,
    );
  }
  const there: string[] = [];
  for (const name of DEFAULT_NAMES) {
    if ((await files.stat(resolve(directory, name)))?.kind === 'file') there.push(name);
  }
  const [path, other] = there;
  if (other !== undefined)
    throw configError(`one configuration file must be there, received ${there.join(' and ')}`);
  return path === undefined ? undefined : { path, origin: 'default' };
}

/**
 * The text of the file. @throws UsageError when it cannot be read or is not a text file, which a restart would not cure
 */
export async function configText({ files, directory }: ConfigQuery, found: FoundConfig): Promise<string> {
  const text = await readable(found, () => files.readText(resolve(directory, found.path)));
  if (text.includes('\0'))
    throw configError(
      `${found.path} must be text in UTF-8, received zero bytes, as of a file that was saved as UTF-16`,
    );
  return text;
}

async function readable<T>({ origin, path }: FoundConfig, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    const what = origin === 'default' ? 'the configuration must be' : `${origin} must name`;
    throw configError(`${what} a file that can be read, received ${path}: ${(error as Error).message}`);
  }
}

/** The state folder, if the file sets it on one plain line or not at all; `undefined`: only a YAML parser can tell. */
export function plainState(text: string): string | undefined {
  if (!text.includes('state')) return 'var';
  const [line, ...more] = text.match(/^state[ \t]*:.*$/gm) ?? [];
  if (line === undefined || more.length > 0) return undefined;
  // A YAML value may continue on the next lines.
  const below = `\n${text}`.split(`\n${line}`)[1] ?? '';
  if (/^\r?\n(?:[ \t]*\r?\n)*[ \t]/.test(below)) return undefined;
  const match = /^state: +(?:"([^"\\$]+)"|'([^'$]+)'|([A-Za-z./][\w./-]*))[ \t]*(?:[ \t]#.*)?\r?$/.exec(line);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/**
 * The state folder of the configuration without parsing the whole file, so that a running daemon can be asked at once.
 * `undefined`: the configuration has to be loaded.
 */
export async function quickState(query: ConfigQuery): Promise<string | undefined> {
  const found = await findConfig(query);
  if (found === undefined) return undefined;
  const path = resolve(query.directory, found.path);
  if (((await query.files.stat(path))?.size ?? 0) > MOST_BYTES) return undefined;
  const state = plainState(await configText(query, found));
  return state === undefined ? undefined : resolve(dirname(path), state);
}

export function configError(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_CONFIG', message);
}
