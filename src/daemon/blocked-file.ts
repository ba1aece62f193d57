/**
 * `blocked.json` in the folder of a pair: the strategy ended the whole process. It ran for so long without a pause that
 * the process had to be killed, or it threw where nobody could catch it.
 * The strategy is not started again until its code changes or somebody resumes it.
 */
import { join } from 'node:path';
import { FileMissing, type Files } from '../ports/files.js';

export interface BlockedFile {
  readonly formatVersion: 1;
  readonly strategy: string;
  /** SHA-256 of its code. */
  readonly sha256: string;
  /** When the process was ended, epoch ms. */
  readonly at: number;
  /** How long the strategy had kept everything else from running, ms; 0 where it threw what nobody could catch. */
  readonly silentMs: number;
  /** What it threw outside of its handlers; absent where it hung. */
  readonly error?: string;
}

function blockedPath(folder: string): string {
  return join(folder, 'blocked.json');
}

export async function writeBlocked(files: Files, folder: string, blocked: BlockedFile): Promise<void> {
  await files.makeDirectory(folder);
  await files.writeAtomic(blockedPath(folder), `${JSON.stringify(blocked)}\n`);
}

/** The block of this code; `undefined` when there is none. A file that cannot be read blocks nothing. */
export async function readBlocked(
  files: Files,
  folder: string,
  sha256: string,
): Promise<BlockedFile | undefined> {
  let text: string;
  try {
    text = await files.readText(blockedPath(folder));
  } catch (error) {
    if (error instanceof FileMissing) return undefined;
    throw error;
  }
  try {
    const blocked = JSON.parse(text) as Partial<BlockedFile> | null;
    return blocked?.sha256 === sha256 ? (blocked as BlockedFile) : undefined;
  } catch {
    return undefined;
  }
}

export async function isBlocked(files: Files, folder: string): Promise<boolean> {
  return (await files.stat(blockedPath(folder))) !== undefined;
}

/** Lifts the block. Resolves to whether there was one. */
export async function clearBlocked(files: Files, folder: string): Promise<boolean> {
  if (!(await isBlocked(files, folder))) return false;
  await files.remove(blockedPath(folder));
  return true;
}
