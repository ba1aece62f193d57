import { access, constants } from 'node:fs/promises';

/**
 * Why this user cannot make anything in a folder, as the system says it: a file system that is read-only, permissions.
 * `undefined` when it can, room on the disk aside.
 */
export function writeRefusal(folder: string): Promise<string | undefined> {
  return refusalOf(folder, constants.W_OK | constants.X_OK);
}

/** Why this user cannot read a file; `undefined` when it can, and when there is none. */
export function readRefusal(file: string): Promise<string | undefined> {
  return refusalOf(file, constants.R_OK);
}

/** The same of writing it. */
export function appendRefusal(file: string): Promise<string | undefined> {
  return refusalOf(file, constants.W_OK);
}

async function refusalOf(path: string, mode: number): Promise<string | undefined> {
  try {
    await access(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : (error as Error).message;
  }
}
