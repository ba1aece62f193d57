import { dirname, resolve } from 'node:path';
import type { UsageError } from '../../model/errors.js';
import { useRefusal, writeRefusal } from '../../platform/write-access.js';
import type { FileEntry, Files } from '../../ports/files.js';
import { isDiskFull } from '../../storage/disk-full.js';
import { PRIVATE_DIRECTORY } from '../../storage/journal-layout.js';
import type { Machine } from '../machine.js';
import { journalOf } from './journaled.js';
import { pairFolder } from './pair-folder.js';
import type { Settings } from './settings.js';

type StateSettings = Pick<Settings, 'state' | 'errorAt'>;

/** @throws UsageError when no daemon can ever keep its state where the configuration says */
export async function demandStateFolder(
  { files }: Pick<Machine, 'files'>,
  { state, errorAt }: StateSettings,
): Promise<void> {
  const there = await nearestEntry(files, state);
  if (there === undefined || there.kind === 'directory') return;
  const kind = there.kind === 'file' ? 'a file' : 'no folder';
  throw errorAt(['state'], `must be a folder, or a place for one, received ${there.path}, which is ${kind}`);
}

/** Makes it where it is not there. @throws UsageError when it cannot be written, but for a full disk, which passes */
export async function openStateFolder(
  { files }: Pick<Machine, 'files'>,
  { state, errorAt }: StateSettings,
): Promise<void> {
  const refused = (reason: string) =>
    errorAt(
      ['state'],
      `must be a folder that can be written, or a place for one, received ${state}: ${reason}`,
    );
  try {
    await files.makeDirectory(state, PRIVATE_DIRECTORY);
  } catch (error) {
    throw isDiskFull(error) ? error : refused((error as Error).message);
  }
  const refusal = await writeRefusal(state);
  if (refusal !== undefined) throw refused(refusal);
}

/** What pairs of earlier lives have there, perhaps another user's. @throws UsageError when a daemon cannot use it */
export async function demandPairFolders(
  { files }: Pick<Machine, 'files'>,
  { state, errorAt, strategies }: StateSettings & Pick<Settings, 'strategies'>,
  mode: 'paper' | 'live',
): Promise<void> {
  for (const { pair } of strategies) {
    await demandFolder(pairFolder(state, pair));
    if (mode === 'paper') continue;
    const journal = journalOf(state, pair);
    if (!(await demandFolder(journal))) continue;
    const entries = await files.list(journal);
    for (const { path, kind } of entries) if (kind === 'file') await demandUse(path, kind);
  }

  /** True when it is there. */
  async function demandFolder(path: string): Promise<boolean> {
    const entry = await files.stat(path);
    if (entry === undefined) return false;
    if (entry.kind !== 'directory') throw refused(path, 'it is no folder');
    await demandUse(path, entry.kind);
    return true;
  }

  async function demandUse(path: string, kind: 'file' | 'directory'): Promise<void> {
    const refusal = await useRefusal(path, kind);
    if (refusal !== undefined) throw refused(path, refusal);
  }

  function refused(path: string, reason: string): UsageError {
    return errorAt(['state'], `must hold what this user can read and write, received ${path}: ${reason}`);
  }
}

/** What is at a path, or at the nearest one above it where there is something. */
export async function nearestEntry(files: Files, given: string): Promise<FileEntry | undefined> {
  for (let path = resolve(given); ; path = dirname(path)) {
    // Below a file, or below a folder that is closed, there is nothing that could be looked at.
    const entry = await files.stat(path).catch(() => undefined);
    if (entry !== undefined || path === dirname(path)) return entry;
  }
}
