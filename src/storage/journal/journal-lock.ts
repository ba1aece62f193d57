import { join } from 'node:path';
import { sha256 } from '../../model/digest.js';
import { TickwrightError } from '../../model/errors.js';
import { FileMissing, type Files } from '../../ports/files.js';
import type { Processes } from '../../ports/processes.js';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from './journal-layout.js';

/** Another process writes to the journal or the recording: exit code 75. */
export class JournalHeld extends TickwrightError {
  constructor(directory: string, { path, owner, isKnown }: Rival, { place, holder }: Locked = {}) {
    const advice = isKnown
      ? ''
      : '; whether it still runs nobody on this machine can say: if it is surely gone, remove that file';
    super(
      'TICKWRIGHT_E_JOURNAL_HELD',
      `${place ?? directory} must have one ${holder ?? 'writer'}, received ${isKnown ? 'another one' : 'perhaps another one'}: ${ownerText(owner)} (${path})${advice}`,
      { facts: { directory, path } },
    );
  }
}

/** How messages name the locked place and its holder. Default: the lock's folder, and "writer". */
export interface Locked {
  readonly place?: string;
  readonly holder?: string;
}

export interface JournalLock {
  readonly path: string;
  /** Never rejects: a lock that stays is removed by the next process, because its owner is gone. */
  release(): Promise<void>;
}

interface Rival {
  readonly path: string;
  /** Host, start of the host, process id, start of the process. */
  readonly owner: string;
  /** True: the process runs. False: this machine cannot tell. */
  readonly isKnown: boolean;
}

const LOCK = /^lock-[0-9a-f]{16}$/;

/**
 * Makes this process the only writer of the journal in a folder. Each process writes a lock file of its own name and
 * looks for others only after that: of two processes that come at the same time, at least one sees the other and gives
 * up. Locks of processes that are gone are removed.
 *
 * @throws JournalHeld
 */
export function lockJournal(
  files: Files,
  processes: Processes,
  directory: string,
  locked?: Locked,
): Promise<JournalLock> {
  return lock(files, processes, directory, { ...PRIVATE, locked });
}

/** Like `lockJournal`, for the recording of a pair, in its folder. @throws JournalHeld */
export function lockRecording(files: Files, processes: Processes, folder: string): Promise<JournalLock> {
  return lock(files, processes, folder, {});
}

interface LockOptions {
  /** Permission bits; absent: the default of the system. */
  readonly directory?: number;
  readonly file?: number;
  readonly locked?: Locked | undefined;
}

const PRIVATE: LockOptions = { directory: PRIVATE_DIRECTORY, file: PRIVATE_FILE };

async function lock(
  files: Files,
  processes: Processes,
  directory: string,
  { locked, ...modes }: LockOptions,
): Promise<JournalLock> {
  await files.makeDirectory(directory, modes.directory);
  const name = `lock-${sha256(processes.self).slice(0, 16)}`;
  const path = join(directory, name);
  if ((await files.stat(path)) !== undefined) {
    throw new JournalHeld(directory, { path, owner: processes.self, isKnown: true }, locked);
  }
  const release = () => files.remove(path).catch(() => undefined);
  try {
    // A failed write may have left the file in place, where it would lock out this process's next attempt.
    await files.writeAtomic(path, `${processes.self}\n`, modes.file);
    const rival = await rivalIn(files, processes, directory, name);
    if (rival !== undefined) throw new JournalHeld(directory, rival, locked);
  } catch (error) {
    await release();
    throw error;
  }
  return { path, release };
}

/**
 * For a process that cannot write a lock of its own, and will not write to the journal either.
 *
 * @throws JournalHeld when another process writes to it, or may do so
 */
export async function demandUnheld(
  files: Files,
  processes: Processes,
  directory: string,
  locked?: Locked,
): Promise<void> {
  const rival = await rivalIn(files, processes, directory, '');
  if (rival !== undefined) throw new JournalHeld(directory, rival, locked);
}

/** The processes that the locks in a folder name, as far as this machine can tell. Nothing is changed. */
export interface LockOwners {
  /** A process that runs and holds a lock. */
  readonly holder: string | undefined;
  /** A process that is gone and left its lock, so it did not end in order. */
  readonly dead: string | undefined;
}

export async function lockOwners(files: Files, processes: Processes, directory: string): Promise<LockOwners> {
  let holder: string | undefined;
  let dead: string | undefined;
  if ((await files.stat(directory)) === undefined) return { holder, dead };
  for await (const { owner } of ownersIn(files, directory)) {
    const state = processes.stateOf(owner);
    if (state === 'alive') holder ??= owner;
    else if (state === 'gone') dead ??= owner;
  }
  return { holder, dead };
}

/** Removes locks of dead processes, once their end was dealt with. */
export async function clearDeadLocks(files: Files, processes: Processes, directory: string): Promise<void> {
  if ((await files.stat(directory)) === undefined) return;
  for await (const { path, owner } of ownersIn(files, directory)) {
    if (processes.stateOf(owner) === 'gone') await files.remove(path);
  }
}

/** A process that holds the folder or may hold it. Changes nothing except that it removes locks of dead processes. */
async function rivalIn(
  files: Files,
  processes: Processes,
  directory: string,
  own: string,
): Promise<Rival | undefined> {
  for await (const { path, owner } of ownersIn(files, directory, own)) {
    const state = processes.stateOf(owner);
    if (state !== 'gone') return { path, owner, isKnown: state === 'alive' };
    await files.remove(path);
  }
  return undefined;
}

/** The name of a process in a form that a person can search for. */
function ownerText(owner: string): string {
  const [host, , id, ...rest] = owner.split('/');
  if (id !== undefined && rest.length === 1) return `process ${id} on ${host}`;
  return owner === '' ? 'somebody who left no name' : owner;
}

interface OwnedLock {
  readonly path: string;
  readonly owner: string;
}

/** The locks in a folder other than one's own. Locks that are released during the search are skipped. */
async function* ownersIn(files: Files, directory: string, own?: string): AsyncGenerator<OwnedLock> {
  for (const { name, path } of await files.list(directory)) {
    if (!LOCK.test(name) || name === own) continue;
    const owner = await ownerIn(files, path);
    if (owner !== undefined) yield { path, owner };
  }
}

/** `undefined` when the lock was released meanwhile. */
async function ownerIn(files: Files, path: string): Promise<string | undefined> {
  try {
    return (await files.readText(path)).trim();
  } catch (error) {
    if (error instanceof FileMissing) return undefined;
    throw error;
  }
}
