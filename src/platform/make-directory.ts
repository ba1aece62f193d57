import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncDirectory } from './append-file.js';

/** Errors of folders that cannot be opened or synced: a new name in them cannot be made more durable. */
const UNSYNCED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP', 'EISDIR']);

/**
 * Makes a folder and its missing parents, each by a call of its own: the recursive call of Node reports ENOENT on a
 * read-only file system, and never returns below /proc. Also syncs the names, because a synced file is lost in a power
 * loss if the name of its folder is.
 *
 * @param sync - puts the names in a folder on the disk.
 */
export async function makeDirectory(path: string, mode: number, sync = syncDirectory): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await isThere(folder)); folder = dirname(folder))
    missing.unshift(folder);
  // The existing entry may not be a folder; then this fails with the reason.
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
    // Another process may have made it meanwhile.
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
