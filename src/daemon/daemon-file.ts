/**
 * `state/daemon.json` tells commands where the running daemon is. Written when it is ready, removed at an orderly end.
 */
import { join } from 'node:path';
import { UsageError } from '../model/errors.js';
import { FileMissing, type Files } from '../ports/files.js';

export interface DaemonFile {
  readonly formatVersion: 1;
  readonly pid: number;
  /** A name of the process that is never used twice: a file left by a crash does not look like a running daemon. */
  readonly process: string;
  readonly version: string;
  readonly mode: 'paper' | 'live';
  /** Address of the venue; older files have none. */
  readonly venue?: string | undefined;
  readonly startedAt: number;
  /** Path of its control socket. */
  readonly socket: string;
  /** Address of the dashboard; `undefined` without one, and when it could not be had at the start. */
  readonly url: string | undefined;
}

const OWNER_ONLY = 0o600;

export function daemonFilePath(state: string): string {
  return join(state, 'daemon.json');
}

/**
 * The socket in the daemon's folder. A path that is too long for a socket gets another place, so read it from the file.
 */
export function controlSocketPath(state: string): string {
  return join(state, 'control.sock');
}

export async function writeDaemonFile(files: Files, state: string, file: DaemonFile): Promise<void> {
  await files.writeAtomic(daemonFilePath(state), `${JSON.stringify(file)}\n`, OWNER_ONLY);
}

/** `undefined`: by the file, no daemon is ready there. @throws UsageError when the file cannot be read */
export async function readDaemonFile(files: Files, state: string): Promise<DaemonFile | undefined> {
  const path = daemonFilePath(state);
  let text: string;
  try {
    text = await files.readText(path);
  } catch (error) {
    if (error instanceof FileMissing) return undefined;
    throw error;
  }
  const file = parsed(text);
  if (file?.formatVersion !== 1 || !Number.isSafeInteger(file.pid) || typeof file.process !== 'string') {
    throw new UsageError(
      'TICKWRIGHT_E_DAEMON_FILE',
      `${path} must be what a daemon writes, received ${JSON.stringify(text.slice(0, 80))}`,
    );
  }
  return file as DaemonFile;
}

export async function removeDaemonFile(files: Files, state: string): Promise<void> {
  await files.remove(daemonFilePath(state)).catch(() => undefined);
}

function parsed(text: string): Partial<DaemonFile> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
