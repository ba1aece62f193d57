/** Lets a configuration refer to strategies of the package by name, like the command line. */
import { basename, dirname, join } from 'node:path';
import type { Config } from '../../config/load-config.js';
import type { Files } from '../../ports/files.js';
import { shippedStrategies, STRATEGIES_FOLDER } from '../package.js';

/**
 * `file: market-maker` means a file of that name next to the configuration; if it does not exist, the strategy of the
 * package.
 */
export async function withShippedStrategies(files: Files, config: Config): Promise<Config> {
  const folder = dirname(config.file);
  const shipped = await shippedStrategies(files);
  const strategies = await Promise.all(
    config.strategies.map(async (strategy) => {
      const name = basename(strategy.file);
      const isName = dirname(strategy.file) === folder && shipped.includes(name);
      if (!isName || (await files.stat(strategy.file))?.kind === 'file') return strategy;
      return { ...strategy, file: join(STRATEGIES_FOLDER, `${name}.ts`) };
    }),
  );
  return { ...config, strategies };
}
