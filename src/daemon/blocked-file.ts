/**
 * `blocked.json` in the folder of a pair: its strategy ran for so long that the process had to be killed. It is not
 * started again until its code is another one, or somebody resumes it.
 */
import { join } from 'node:path';
import { FileMissing, type Files } from '../ports/files.js';

export interface BlockedFile {
  readonly formatVersion: 1;
  readonly strategy: string;
  /** Of its code. */
  readonly sha256: string;
  /** Epoch ms, when it was killed. */
  readonly at: number;
  /** How long nothing else had run, ms. */
  readonly silentMs: number;
}

function blockedPath(folder: string): string {
  return join(folder, 'blocked.json');
}

export async function writeBlocked(files: Files, folder: string, blocked: BlockedFile): Promise<void> {
  await files.makeDirectory(folder);
  await files.writeAtomic(blockedPath(folder), `${JSON.stringify(blocked)}\n`);
}

/** `undefined`: this code never blocked. What cannot be read counts as no reason to keep a strategy from running. */
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

/** It may run again. True when it was kept from it. */
export async function clearBlocked(files: Files, folder: string): Promise<boolean> {
  if (!(await isBlocked(files, folder))) return false;
  await files.remove(blockedPath(folder));
  return true;
}
