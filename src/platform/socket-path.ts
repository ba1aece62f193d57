import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../model/errors.js';

/** What the kernels take, bytes: 103 on macOS, 107 on Linux; the socket is made one name deeper, as long as the last. */
const MOST_BYTES = 100;
const PRIVATE = 0o700;
const NAME = 'control.sock';

/** Whether a Unix socket can be there. */
export function fitsSocket(path: string): boolean {
  return Buffer.byteLength(path) <= MOST_BYTES;
}

/**
 * A path that a Unix socket can have, for one whose own is too long: in a private folder of this user's, the same each
 * time.
 *
 * @throws UsageError when somebody else made that folder
 */
export async function shortSocketPath(path: string): Promise<string> {
  const folder = folderOf(path);
  await mkdir(folder, { mode: PRIVATE }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!(await isPrivate(folder))) {
    throw new UsageError(
      'TICKWRIGHT_E_CONTROL',
      `${folder} must be a folder of this user's that is closed to others, received another one: remove it`,
    );
  }
  return join(folder, NAME);
}

/** The same for whoever asks, where it is there and this user's; makes nothing. */
export async function findShortSocket(path: string): Promise<string | undefined> {
  const folder = folderOf(path);
  const isThere = await isPrivate(folder).catch(() => false);
  return isThere ? join(folder, NAME) : undefined;
}

function folderOf(path: string): string {
  const digest = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 16);
  const runtime = process.env['XDG_RUNTIME_DIR'];
  const base = runtime !== undefined && runtime !== '' && existsSync(runtime) ? runtime : tmpdir();
  return join(base, `tickwright-${userId()}-${digest}`);
}

async function isPrivate(folder: string): Promise<boolean> {
  const facts = await lstat(folder);
  return facts.isDirectory() && facts.uid === userId() && (facts.mode & 0o077) === 0;
}

function userId(): number {
  return process.geteuid?.() ?? 0;
}
