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
  // Of an earlier life, which may have been another user's.
  const problem = await folderProblem(files, daemonLockPath(state));
  if (problem !== undefined) throw errorAt(['state'], `${USABLE}, received ${problem}`);
}

/**
 * What pairs of earlier lives have there may be another user's. One of several that cannot be used is said: its session is
 * refused, and the others run. Resolves to those that cannot be used.
 *
 * @throws UsageError when a daemon can use what no pair has
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

/** Of what a start reads, and of the segment that it goes on with. */
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

/** What is at a path, or at the nearest one above it where there is something. */
export async function nearestEntry(files: Files, given: string): Promise<FileEntry | undefined> {
  for (let path = resolve(given); ; path = dirname(path)) {
    // Below a file, or below a folder that is closed, there is nothing that could be looked at.
    const entry = await files.stat(path).catch(() => undefined);
    if (entry !== undefined || path === dirname(path)) return entry;
  }
}
