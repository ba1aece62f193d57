import { basename } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { type Files, FileMissing } from '../../ports/files.js';
import { unfinishedImportPath } from './layout.js';

/** A file that is imported. It is known again by name and size, wherever it is by then. */
export interface ImportSource {
  readonly name: string;
  readonly bytes: number;
}

/** A folder of a pair with an import that is running or was interrupted. */
export interface UnfinishedImport {
  readonly folder: string;
  /** The files that were not read to their end; empty if the mark does not tell. */
  readonly sources: readonly ImportSource[];
}

/** What is to become of the mark of an import. */
export interface ImportMark {
  /** Files of interrupted imports that this one does not read: the recording lacks some of their rows. */
  readonly owed: readonly ImportSource[];
  /** Files of interrupted imports, whether or not this one reads them. */
  readonly before: readonly ImportSource[];
}

/**
 * Marks a recording while an import writes to it. Missing trades are determined only at the import's end. If the process
 * is killed before that, the mark stays, and nobody takes the recording for a complete one. Only an import of the same
 * files removes it.
 */
export async function beginImport(
  files: Files,
  pairFolder: string,
  paths: readonly string[],
): Promise<ImportMark> {
  await files.makeDirectory(pairFolder);
  const before = (await unfinishedIn(files, pairFolder))?.sources ?? [];
  const sources = await Promise.all(paths.map((path) => sourceOf(files, path)));
  const owed = before.filter((one) => !sources.some((own) => isSame(one, own)));
  await writeMark(files, pairFolder, [...owed, ...sources]);
  return { owed, before };
}

/** Ends an import. The recording stays marked while it lacks rows of the `owed` files. */
export async function endImport(
  files: Files,
  pairFolder: string,
  owed: readonly ImportSource[],
): Promise<void> {
  if (owed.length === 0) await files.remove(unfinishedImportPath(pairFolder));
  else await writeMark(files, pairFolder, owed);
}

/** Those of the folders whose import is running or was interrupted. */
export async function unfinishedImports(
  files: Files,
  pairFolders: readonly string[],
): Promise<readonly UnfinishedImport[]> {
  const found = await Promise.all(pairFolders.map((folder) => unfinishedIn(files, folder)));
  return found.filter((one) => one !== undefined);
}

/** @throws UsageError when an import of one of the folders is running or was interrupted */
export async function demandFinishedImports(files: Files, pairFolders: readonly string[]): Promise<void> {
  const [one] = await unfinishedImports(files, pairFolders);
  if (one === undefined) return;
  throw new UsageError(
    'TICKWRIGHT_E_RECORDING',
    `${one.folder} must be whole, received ${unfinishedText(one.sources)}`,
  );
}

/** Describes such a recording and what to do about it; part of a message. */
export function unfinishedText(sources: readonly ImportSource[]): string {
  return (
    'one with an import that still runs or was broken off, so that what is missing in it was not worked out ' +
    `(tickwright data import of ${sourcesText(sources)} again: what is there already is passed over)`
  );
}

export function sourcesText(sources: readonly ImportSource[]): string {
  if (sources.length === 0) return 'the same file';
  return sources.map(({ name, bytes }) => `${name} (${bytes} bytes)`).join(' and ');
}

async function sourceOf(files: Files, path: string): Promise<ImportSource> {
  return { name: basename(path), bytes: (await files.stat(path))?.size ?? 0 };
}

function isSame(one: ImportSource, other: ImportSource): boolean {
  return one.name === other.name && one.bytes === other.bytes;
}

async function writeMark(files: Files, pairFolder: string, sources: readonly ImportSource[]): Promise<void> {
  await files.writeAtomic(unfinishedImportPath(pairFolder), `${JSON.stringify({ sources })}\n`);
}

async function unfinishedIn(files: Files, folder: string): Promise<UnfinishedImport | undefined> {
  try {
    return { folder, sources: sourcesIn(await files.readText(unfinishedImportPath(folder))) };
  } catch (error) {
    if (error instanceof FileMissing) return undefined;
    throw error;
  }
}

/** Empty for a text that is not ours: the mark counts all the same. */
function sourcesIn(text: string): readonly ImportSource[] {
  try {
    const { sources } = JSON.parse(text) as { readonly sources?: unknown };
    return Array.isArray(sources) ? sources.filter(isSource) : [];
  } catch {
    return [];
  }
}

function isSource(value: unknown): value is ImportSource {
  const { name, bytes } = (value ?? {}) as { readonly name?: unknown; readonly bytes?: unknown };
  return typeof name === 'string' && typeof bytes === 'number';
}
