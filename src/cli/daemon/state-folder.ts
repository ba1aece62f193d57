import { dirname, resolve } from 'node:path';
import { appendRefusal, readRefusal, writeRefusal } from '../../platform/write-access.js';
import type { FileEntry, Files } from '../../ports/files.js';
import { isDiskFull } from '../../storage/disk-full.js';
import { journalFolder, PRIVATE_DIRECTORY } from '../../storage/journal/journal-layout.js';
import type { Machine } from '../machine.js';
import { daemonLockPath } from './end-daemon.js';
import { journalOf } from '../journal/journaled.js';
import { pairFolder } from '../journal/pair-folder.js';
import type { Settings } from '../settings/settings.js';

const USABLE = 'must hold what this user can read and write';

type StateSettings = Pick<Settings, 'state' | 'errorAt'>;

/** @throws UsageError when the configured path can never become a folder, e.g. because it is a file */
export async function demandStateFolder(
  { files }: Pick<Machine, 'files'>,
  { state, errorAt }: StateSettings,
): Promise<void> {
  const there = await nearestEntry(files, state);
  if (there === undefined || there.kind === 'directory') return;
  const kind = there.kind === 'file' ? 'a file' : 'no folder';
  throw errorAt(['state'], `must be a folder, or a place for one, received ${there.path}, which is ${kind}`);
}

/**
 * Makes the folder if it is missing. @throws UsageError when it cannot be written; a full disk is no such error, since it
 * passes
 */
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
  // The lock of an earlier life may belong to another user.
  const problem = await folderProblem(files, daemonLockPath(state));
  if (problem !== undefined) throw errorAt(['state'], `${USABLE}, received ${problem}`);
}

/**
 * Checks the folders of the pairs, which may belong to another user from an earlier life. Unusable pairs are reported,
 * and only their sessions are refused. Resolves to the unusable pairs.
 *
 * @throws UsageError when no pair is usable
 */
export async function demandPairFolders(
  { files, log }: Pick<Machine, 'files' | 'log'>,
  { state, errorAt, strategies }: StateSettings & Pick<Settings, 'strategies'>,
  mode: 'paper' | 'live',
): Promise<ReadonlySet<string>> {
  const problems = new Map<string, string>();
  for (const { pair } of strategies) {
    const problem = await pairProblem(files, state, pair, mode);
    if (problem === undefined) continue;
    problems.set(pair, problem);
    log.error('what a pair has on the disk cannot be used', { pair, reason: problem });
  }
  const [first] = problems.values();
  if (first === undefined || strategies.some(({ pair }) => !problems.has(pair)))
    return new Set(problems.keys());
  throw errorAt(['state'], `${USABLE}, received ${first}`);
}

async function pairProblem(
  files: Files,
  state: string,
  pair: string,
  mode: 'paper' | 'live',
): Promise<string | undefined> {
  const folder = pairFolder(state, pair);
  const problem = await folderProblem(files, folder);
  if (problem !== undefined || mode === 'paper') return problem;
  const journal = journalOf(state, pair);
  return (await folderProblem(files, journal)) ?? (await recordsProblem(files, journal));
}

async function folderProblem(files: Files, path: string): Promise<string | undefined> {
  const entry = await files.stat(path);
  if (entry === undefined) return undefined;
  if (entry.kind !== 'directory') return `${path}: it is no folder`;
  return problemText(path, await writeRefusal(path));
}

/** Checks the files that a start reads, and the segment that it appends to. */
async function recordsProblem(files: Files, journal: string): Promise<string | undefined> {
  const { segments, snapshots } = await journalFolder(files, journal);
  for (const { path } of [...segments, ...snapshots]) {
    const refusal = await readRefusal(path);
    if (refusal !== undefined) return problemText(path, refusal);
  }
  const newest = segments.at(-1)?.path;
  return newest === undefined ? undefined : problemText(newest, await appendRefusal(newest));
}

function problemText(path: string, refusal: string | undefined): string | undefined {
  return refusal === undefined ? undefined : `${path}: ${refusal}`;
}

/** The entry at a path, or at its nearest parent that exists. */
export async function nearestEntry(files: Files, given: string): Promise<FileEntry | undefined> {
  for (let path = resolve(given); ; path = dirname(path)) {
    // Below a file or an unreadable folder nothing can be looked at.
    const entry = await files.stat(path).catch(() => undefined);
    if (entry !== undefined || path === dirname(path)) return entry;
  }
}
