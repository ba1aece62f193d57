/** HALT files that keep a bot from being resumed. */
import { join } from 'node:path';
import type { Files } from '../../ports/files.js';

/** Why a halt cannot end, in words: of the first of these folders that has a HALT file. While it is there the bot halts again. */
export async function haltFileIn(files: Files, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, 'HALT');
    if ((await files.stat(path)) === undefined) continue;
    return `${path} must be gone before a halt can end, received one that is there: remove it first`;
  }
  return undefined;
}
