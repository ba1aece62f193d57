import type { Files } from '../../ports/files.js';
import { pairDirectory } from '../../storage/rows/layout.js';
import {
  sourcesText,
  type UnfinishedImport,
  unfinishedImports,
  withoutFileText,
} from '../../storage/rows/unfinished-import.js';
import { say } from '../view/output.js';

/** Warns of recordings that stay closed to every reader, because an import into them died; to be asked by their writer. */
export async function warnOfUnfinished(
  files: Files,
  directory: string,
  pairs: readonly string[],
): Promise<void> {
  for (const pair of pairs) {
    for (const unfinished of await unfinishedImports(files, [pairDirectory(directory, pair)])) {
      await say(`warning: ${demandedAgain(pair, unfinished)}`);
    }
  }
}

export function demandedAgain(pair: string, unfinished: UnfinishedImport): string {
  return (
    `the recording of ${pair} must be whole, received one with an import that was broken off: ` +
    `no backtest opens it before tickwright data import of ${sourcesText(unfinished)} has come to its end (${withoutFileText(unfinished)})`
  );
}
