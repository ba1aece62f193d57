import { dirname, join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { type NewFile, placeOf } from './new-strategy.js';

export interface Written {
  /** Paths relative to the project's folder. */
  readonly created: readonly string[];
  /** Files that existed before, and stay as they are. */
  readonly kept: readonly string[];
}

/**
 * Writes those files that do not exist yet.
 *
 * @throws UsageError, before anything is written, when a folder of one of them cannot be created
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
