/** Which entry of the configuration a strategy's file means: several of one file differ by their pairs. */
import type { StrategyConfig } from '../../config/load-config.js';
import { UsageError } from '../../model/errors.js';

/**
 * `pair`: of `--pair`. The only entry of a file is meant whatever the pair is; `undefined`: there is none of it.
 *
 * @throws UsageError where several are of the file and the pair is not that of exactly one.
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
