import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { unfinishedImportPath } from './layout.js';

/**
 * Marks a recording while an import writes to it. Missing trades are determined only at the import's end. If the process
 * is killed before that, the mark stays, and nobody takes the recording for a complete one.
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

/** Those of the folders whose import is running or was interrupted. */
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

/** @throws UsageError when an import of one of the folders is running or was interrupted */
export async function demandFinishedImports(files: Files, pairFolders: readonly string[]): Promise<void> {
  const [folder] = await unfinishedImports(files, pairFolders);
  if (folder === undefined) return;
  throw new UsageError('TICKWRIGHT_E_RECORDING', `${folder} must be whole, received ${UNFINISHED}`);
}

/** Describes such a recording and what to do about it; part of an error message. */
export const UNFINISHED =
  'one with an import that still runs or was broken off, so that what is missing in it was not worked out ' +
  '(tickwright data import of the same file again: what is there already is passed over)';
