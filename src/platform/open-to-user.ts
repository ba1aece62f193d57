import { access, constants, stat } from 'node:fs/promises';
import { FileInTheWay } from '../ports/files.js';

const { R_OK, W_OK, X_OK } = constants;
const MODES = { enter: R_OK | X_OK, read: R_OK, connect: R_OK | W_OK } as const;
const REFUSALS: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM']);

/**
 * Demands that this user may do so with the path, if anything is there.
 *
 * @throws the system's error, with its path; FileInTheWay for a file that is to be entered.
 */
export async function demandOpen(path: string, what: keyof typeof MODES): Promise<void> {
  try {
    await access(path, MODES[what]);
  } catch (error) {
    if (!REFUSALS.has((error as NodeJS.ErrnoException).code)) return;
    if (what === 'enter' && (await stat(path)).isFile()) throw new FileInTheWay(path, path);
    throw error;
  }
}
