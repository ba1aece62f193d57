import type { Files } from '../../ports/files.js';
import { pairDirectory } from '../../storage/rows/layout.js';
import { type ImportSource, sourcesText, unfinishedImports } from '../../storage/rows/unfinished-import.js';
import { say } from '../view/output.js';

/** Warns of recordings that stay closed to every reader, because an import into them died; to be asked by their writer. */
export async function warnOfUnfinished(
  files: Files,
  directory: string,
  pairs: readonly string[],
): Promise<void> {
  for (const pair of pairs) {
    for (const { sources } of await unfinishedImports(files, [pairDirectory(directory, pair)])) {
      await say(`warning: ${demandedAgain(pair, sources)}`);
    }
  }
}

export function demandedAgain(pair: string, sources: readonly ImportSource[]): string {
  return (
    `the recording of ${pair} must be whole, received one with an import that was broken off: ` +
    `no backtest opens it before tickwright data import of ${sourcesText(sources)} has come to its end`
  );
}
