import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and what is missing above it, each by a call of its own: the recursive one of Node says ENOENT where
 * the file system is read-only, and never returns below /proc.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await isThere(folder)); folder = dirname(folder))
    missing.unshift(folder);
  // What is there already may be no folder.
  for (const folder of missing.length > 0 ? missing : [resolve(path)]) await makeOne(folder, mode);
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
