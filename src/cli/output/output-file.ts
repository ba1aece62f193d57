import { basename, dirname, resolve, sep } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { userName } from '../../platform/process.js';
import { realPath } from '../../platform/real-path.js';
import { writeRefusal } from '../../platform/write-access.js';
import type { Files } from '../../ports/files.js';
import { isRecordingFile } from '../../storage/rows/layout.js';
import { withoutCall } from '../report-error.js';
import type { Settings } from '../settings/settings.js';
import type { LoadedStrategy } from '../strategy/strategy.js';

/** A requested output path, with the flag that named it. */
export type Output = readonly [flag: string, path: string];

/** The files that a run reads. */
export interface RunInputs {
  readonly settings?: Pick<Settings, 'file' | 'named' | 'strategies'>;
  readonly strategies?: readonly Pick<LoadedStrategy, 'file' | 'inputs'>[];
  /** Recordings: files, or folders with recordings. */
  readonly data?: readonly string[];
  /** A recorded session: its file or folder. */
  readonly session?: string | undefined;
}

/**
 * Checks before the work is done whether a file can be created. Whether the disk has room shows only when it is
 * written. `flag`: the flag that named the path.
 *
 * @throws UsageError unless the folder exists and is writable, and the path is a file or free.
 */
export async function checkOutputFile(
  files: Files,
  flag: string,
  path: string,
  refusalOf = writeRefusal,
): Promise<void> {
  if (path === '-') {
    throw new UsageError(
      'TICKWRIGHT_E_OUTPUT',
      `${flag} must name a file, received -, which is none (./- names one that is called so)`,
    );
  }
  const whole = resolve(path);
  const parent = await files.stat(dirname(whole));
  if (parent?.kind !== 'directory') {
    throw new UsageError(
      'TICKWRIGHT_E_OUTPUT',
      `${flag} must be in a folder that is there, received ${path}`,
    );
  }
  const entry = await files.stat(whole);
  if (entry !== undefined && entry.kind !== 'file') {
    const what = entry.kind === 'directory' ? `the directory ${path}` : `${path}, a device, pipe or socket`;
    throw new UsageError('TICKWRIGHT_E_OUTPUT', `${flag} must name a file, received ${what}`);
  }
  // An existing file is replaced by a new one, so its folder must be writable, too.
  const refusal = await refusalOf(dirname(whole));
  if (refusal !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_OUTPUT',
      `${flag} must be in a folder that user ${userName()} may write, received ${path}: ${withoutCall(refusal)}`,
    );
  }
}

/** @throws UsageError unless the path is a folder or can become one, so that no part of the path is a file. */
export async function demandFolder(files: Files, flag: string, path: string): Promise<void> {
  for (let at = resolve(path); ; at = dirname(at)) {
    const entry = await files.stat(at);
    if (entry === undefined && at !== dirname(at)) continue;
    if (entry === undefined || entry.kind === 'directory') return;
    throw new UsageError(
      'TICKWRIGHT_E_OUTPUT',
      `${flag} must be a folder, or a place for one, received ${path}, where ${at} is a file`,
    );
  }
}

/** @throws UsageError when two flags name the same file, as the later output would overwrite the earlier one. */
export async function demandDifferentFiles(outputs: readonly Output[]): Promise<void> {
  const flags = new Map<string, string>();
  for (const [flag, path] of outputs) {
    const whole = await realPath(path);
    const other = flags.get(whole);
    if (other !== undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_OUTPUT',
        `${flag} must name another file than ${other}, received ${path}`,
      );
    }
    flags.set(whole, flag);
  }
}

/**
 * Protects the files that a run reads, under any name including symbolic links, because they are the user's work.
 *
 * @throws UsageError when one of the flags names a file that the run reads.
 */
export async function demandUnreadFiles(outputs: readonly Output[], inputs: RunInputs): Promise<void> {
  if (outputs.length === 0) return;
  const readAs = await readerOf(inputs);
  for (const [flag, path] of outputs) {
    const input = readAs(await realPath(path));
    if (input === undefined) continue;
    throw new UsageError(
      'TICKWRIGHT_E_OUTPUT',
      `${flag} must name a file that the run does not read, received ${path}, which is ${input}`,
    );
  }
}

/** A function that tells what a real path is to the run; `undefined`: nothing. */
async function readerOf({
  settings,
  strategies = [],
  data = [],
  session,
}: RunInputs): Promise<(path: string) => string | undefined> {
  const files = new Map<string, string>();
  const note = async (path: string | undefined, what: string) => {
    if (path === undefined) return;
    const real = await realPath(path);
    if (!files.has(real)) files.set(real, what);
  };
  const parts = strategies.flatMap(({ inputs }) => inputs);
  for (const { file } of strategies) await note(file, 'its strategy');
  for (const part of parts) await note(part, 'a part of its strategy');
  await note(settings?.file, 'its configuration');
  for (const { file } of settings?.strategies ?? []) await note(file, 'a strategy of its configuration');
  for (const named of settings?.named ?? []) await note(named, 'named by its configuration');
  for (const path of data) await note(path, 'its recording');
  await note(session, 'the session of its polls');
  const recordings = await Promise.all(data.map(realPath));
  const box = session === undefined ? undefined : await realPath(session);
  return (path) => {
    const known = files.get(path);
    if (known !== undefined) return known;
    if (box !== undefined && (path.startsWith(box + sep) || path === `${box}.1`)) {
      return 'the session of its polls';
    }
    const isRecorded =
      isRecordingFile(basename(path)) && recordings.some((folder) => path.startsWith(folder + sep));
    return isRecorded ? 'its recording' : undefined;
  };
}
