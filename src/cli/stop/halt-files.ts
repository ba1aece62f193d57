/** HALT files, which keep a bot from being resumed. */
import { join } from 'node:path';
import { TickwrightError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';

/** The paths of the HALT files in these folders. */
export async function haltFilesIn(files: Files, folders: readonly string[]): Promise<readonly string[]> {
  const paths = folders.map((folder) => join(folder, 'HALT'));
  const entries = await Promise.all(paths.map((path) => files.stat(path)));
  return paths.filter((_, index) => entries[index] !== undefined);
}

/**
 * Why a halt cannot end, in words: the first of these folders that has a HALT file. The bot would halt again because of
 * it.
 */
export async function haltFileIn(files: Files, folders: readonly string[]): Promise<string | undefined> {
  const [path] = await haltFilesIn(files, folders);
  if (path === undefined) return undefined;
  return `${path} must be gone before a halt can end, received one that is there: remove it first`;
}

/** Demands that there is no HALT file, with which the next start would halt again. */
export async function demandNoHaltFile(files: Files, ...folders: readonly string[]): Promise<void> {
  const problem = await haltFileIn(files, folders);
  if (problem !== undefined) throw new TickwrightError('TICKWRIGHT_E_HALT_FILE', problem);
}
