import { dirname, join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { type NewFile, placeOf } from './new-strategy.js';

export interface Written {
  /** Paths from the project's folder. */
  readonly created: readonly string[];
  /** Those that were there before: they stay as they are. */
  readonly kept: readonly string[];
}

/**
 * Writes those of the files that are not there yet.
 *
 * @throws UsageError, and nothing is written, where a folder of one of them cannot be
 */
export async function writeNew(files: Files, project: string, list: readonly NewFile[]): Promise<Written> {
  for (const file of list) await checkFolders(files, project, dirname(file.path));
  const created: string[] = [];
  const kept: string[] = [];
  for (const file of list) {
    const place = placeOf(project, file);
    if ((await files.stat(place)) !== undefined) kept.push(file.path);
    else {
      await files.makeDirectory(dirname(place));
      await files.writeAtomic(place, file.text);
      created.push(file.path);
    }
  }
  return { created, kept };
}

async function checkFolders(files: Files, project: string, folder: string): Promise<void> {
  if (folder === '.') return;
  await checkFolders(files, project, dirname(folder));
  const entry = await files.stat(join(project, folder));
  if (entry !== undefined && entry.kind !== 'directory') {
    throw new UsageError(
      'TICKWRIGHT_E_SCAFFOLD',
      `${join(project, folder)} must be a folder or not there yet, received a file`,
    );
  }
}
