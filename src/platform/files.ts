import { mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { FileEntry, Files, ReadableFile } from '../ports/files.js';
import { FileInTheWay, FileMissing } from '../ports/files.js';
import { atPathOf } from './at-path.js';
import { openAppend, syncDirectory } from './append-file.js';
import { openAppendSync } from './append-file-sync.js';
import { appendShared } from './append-shared.js';
import { gunzip } from './gunzip.js';
import { gzip } from './gzip.js';
import { makeDirectory } from './make-directory.js';
import { temporaryBeside } from './temporary-beside.js';

/** The file system of this machine. */
export const nodeFiles: Files = {
  read: (path) => missingIsNamed(path, () => readFile(path)),
  readText: (path) => missingIsNamed(path, () => readFile(path, 'utf8')),
  writeAtomic,
  openAppend,
  openAppendSync,
  appendShared,
  openRead: (path) => missingIsNamed(path, () => openRead(path)),
  gunzip,
  gzip,

  async list(directory) {
    const names = await missingIsNamed(directory, () => readdir(directory));
    const entries = await Promise.all(names.sort().map((name) => listedEntryOf(join(directory, name))));
    // A file may go between the listing and the look at it.
    return entries.filter((entry) => entry !== undefined);
  },

  stat: entryOf,

  makeDirectory: (path, mode = 0o777) => makeDirectory(path, mode),

  remove: (path) => rm(path, { recursive: true, force: true }),
  temporaryDirectory: (prefix) => mkdtemp(join(tmpdir(), prefix)),
};

async function writeAtomic(path: string, contents: Uint8Array | string, modeOfNew = 0o644): Promise<void> {
  const directory = dirname(path);
  const temporary = temporaryBeside(path);
  // A replaced file keeps its permissions: what was private stays private.
  const mode = (await entryOf(path))?.mode ?? modeOfNew;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(contents);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw atPathOf(error, temporary, path);
  }
  await syncDirectory(directory);
}

async function openRead(path: string): Promise<ReadableFile> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    size,
    async readInto(target, offset) {
      let filled = 0;
      while (filled < target.length) {
        const { bytesRead } = await handle.read(target, filled, target.length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return filled;
    },
    close: () => handle.close(),
  };
}

async function entryOf(path: string): Promise<FileEntry | undefined> {
  try {
    const facts = await stat(path);
    return {
      name: basename(path),
      path,
      kind: facts.isFile() ? 'file' : facts.isDirectory() ? 'directory' : 'other',
      size: facts.size,
      modifiedMs: facts.mtimeMs,
      mode: facts.mode & 0o777,
      owner: facts.uid,
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** `undefined` also for a link that leads nowhere, to itself or to what is gone: the others of its folder are there. */
async function listedEntryOf(path: string): Promise<FileEntry | undefined> {
  try {
    return await entryOf(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return undefined;
    throw error;
  }
}

async function missingIsNamed<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isMissing(error)) throw error;
    const isInTheWay = (error as NodeJS.ErrnoException).code === 'ENOTDIR';
    throw isInTheWay ? new FileInTheWay(path, await nearest(resolve(path))) : new FileMissing(path);
  }
}

/** What is there of a path on which something is no folder: the path itself, or the last on the way to it. */
async function nearest(path: string): Promise<string> {
  const parent = dirname(path);
  const isThere = await entryOf(path).then(
    (entry) => entry !== undefined,
    () => true,
  );
  return isThere || parent === path ? path : nearest(parent);
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
