import { resolve } from 'node:path';
import type { Config } from './load-config.js';
import { configError, configText, type ConfigQuery, findConfig, MOST_BYTES } from './locate-config.js';

/** Finds, reads and checks the configuration; `undefined` when there is none. */
export async function loadConfig(query: ConfigQuery): Promise<Config | undefined> {
  const found = await findConfig(query);
  if (found === undefined) return undefined;
  const path = resolve(query.directory, found.path);
  const size = (await query.files.stat(path))?.size ?? 0;
  if (size > MOST_BYTES)
    throw configError(`${found.path}: expected at most ${MOST_BYTES} bytes, received ${size}`);
  const text = await configText(query, found);
  // Loaded on demand, because most first commands of a user have no configuration.
  const { parseConfig } = await import('./load-config.js');
  return parseConfig({ path, text, environment: query.environment, shown: found.path });
}
