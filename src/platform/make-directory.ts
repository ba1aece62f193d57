import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncDirectory } from './append-file.js';

/** The folder above cannot be opened, or its file system syncs no folders: nothing more can be done for a name in it. */
const UNSYNCED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP', 'EISDIR']);

/**
 * Makes a folder and what is missing above it, each by a call of its own: the recursive one of Node says ENOENT where
 * the file system is read-only, and never returns below /proc. What is made survives a power loss: a file in it that is
 * synced is of no use when the name of its folder is lost.
 *
 * @param sync - puts the names in a folder on the disk.
 */
export async function makeDirectory(path: string, mode: number, sync = syncDirectory): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await isThere(folder)); folder = dirname(folder))
    missing.unshift(folder);
  // What is there already may be no folder.
  if (missing.length === 0) await makeOne(resolve(path), mode);
  for (const folder of missing) {
    await makeOne(folder, mode);
    await syncName(folder, sync);
  }
}

async function syncName(folder: string, sync: typeof syncDirectory): Promise<void> {
  try {
    await sync(dirname(folder));
  } catch (error) {
    if (!UNSYNCED.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // Somebody else may have made it meanwhile.
    const isFolder = await stat(folder).then(
      (facts) => facts.isDirectory(),
      () => false,
    );
    if (!isFolder) throw error;
  }
}

/** Not where it cannot be looked at: then making it says why. */
async function isThere(path: string): Promise<boolean> {
  if (dirname(path) === path) return true;
  return stat(path).then(
    () => true,
    () => false,
  );
}
