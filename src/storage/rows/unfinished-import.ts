import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { unfinishedImportPath } from './layout.js';

/**
 * Of a recording that is written by an import, as long as that goes on: which trades are missing is worked out at its
 * end. Where the process is killed before that it stays, and nobody takes the recording for a whole one.
 */
export async function beginImport(
  files: Files,
  pairFolder: string,
  sources: readonly string[],
): Promise<void> {
  await files.makeDirectory(pairFolder);
  await files.writeAtomic(unfinishedImportPath(pairFolder), `${JSON.stringify({ sources })}\n`);
}

export async function endImport(files: Files, pairFolder: string): Promise<void> {
  await files.remove(unfinishedImportPath(pairFolder));
}

/** The folders, of these, with an import that goes on or was broken off. */
export async function unfinishedImports(
  files: Files,
  pairFolders: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of pairFolders) {
    if ((await files.stat(unfinishedImportPath(folder))) !== undefined) found.push(folder);
  }
  return found;
}

/** @throws UsageError where one is */
export async function demandFinishedImports(files: Files, pairFolders: readonly string[]): Promise<void> {
  const [folder] = await unfinishedImports(files, pairFolders);
  if (folder === undefined) return;
  throw new UsageError('TICKWRIGHT_E_RECORDING', `${folder} must be whole, received ${UNFINISHED}`);
}

/** What such a recording is, and the way out. */
export const UNFINISHED =
  'one with an import that still runs or was broken off, so that what is missing in it was not worked out ' +
  '(tickwright data import of the same file again: what is there already is passed over)';
