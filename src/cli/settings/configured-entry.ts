/** Finds the configuration entry of a strategy file. Several entries of one file differ by their pairs. */
import type { StrategyConfig } from '../../config/load-config.js';
import { UsageError } from '../../model/errors.js';

/**
 * `pair`: of `--pair`. If a file has only one entry, that one is meant whatever the pair is; `undefined` if it has
 * none.
 *
 * @throws UsageError when a file has several entries, and the pair is not that of exactly one.
 */
export function configuredEntry(
  entries: readonly StrategyConfig[],
  file: string,
  pair: string | undefined,
): StrategyConfig | undefined {
  const ofFile = entries.filter((entry) => entry.file === file);
  if (ofFile.length < 2) return ofFile[0];
  const [only, ...others] = ofFile.filter((entry) => entry.pair === pair);
  if (only !== undefined && others.length === 0) return only;
  const pairs = ofFile.map((entry) => entry.pair).join(', ');
  throw new UsageError(
    'TICKWRIGHT_E_PAIR',
    `--pair must choose one of the ${ofFile.length} entries that the configuration has of ${file} (${pairs}), ` +
      `received ${pair ?? 'none'}`,
  );
}
