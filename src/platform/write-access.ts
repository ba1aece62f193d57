import { access, constants } from 'node:fs/promises';

/**
 * Why this user cannot make anything in a folder, as the system says it: a file system that is read-only, permissions.
 * `undefined` when it can, room on the disk aside.
 */
export function writeRefusal(folder: string): Promise<string | undefined> {
  return refusalOf(folder, constants.W_OK | constants.X_OK);
}

/** Why this user cannot both read and write a file, or what a folder holds; `undefined` when it can. */
export function useRefusal(path: string, kind: 'file' | 'directory'): Promise<string | undefined> {
  return refusalOf(path, constants.R_OK | constants.W_OK | (kind === 'directory' ? constants.X_OK : 0));
}

async function refusalOf(path: string, mode: number): Promise<string | undefined> {
  try {
    await access(path, mode);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
