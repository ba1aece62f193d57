import { access, constants } from 'node:fs/promises';

/**
 * Why this user cannot make anything in a folder, as the system says it: a file system that is read-only, permissions.
 * `undefined` when it can, room on the disk aside.
 */
export async function writeRefusal(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
