/** HALT files that keep a bot from being resumed. */
import { join } from 'node:path';
import type { Files } from '../../ports/files.js';

/** The path of the HALT file of a folder; `undefined`: there is none. */
export async function haltFileOf(files: Files, folder: string): Promise<string | undefined> {
  const path = join(folder, 'HALT');
  return (await files.stat(path)) === undefined ? undefined : path;
}

/** Why a halt cannot end, in words: of the first of these folders that has a HALT file. While it is there the bot halts again. */
export async function haltFileIn(files: Files, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const path = await haltFileOf(files, folder);
    if (path === undefined) continue;
    return `${path} must be gone before a halt can end, received one that is there: remove it first`;
  }
  return undefined;
}
