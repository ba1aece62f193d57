import { basename } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { type Files, FileMissing } from '../../ports/files.js';
import { unfinishedImportPath } from './layout.js';

/** A file that is imported. It is known again by name and size, wherever it is by then. */
export interface ImportSource {
  readonly name: string;
  /** Absent in the marks of earlier versions, which did not note it. */
  readonly bytes?: number;
}

/** A folder of a pair with an import that is running or was interrupted. */
export interface UnfinishedImport {
  readonly folder: string;
  /** The files that were not read to their end; empty if the mark does not tell. */
  readonly sources: readonly ImportSource[];
}

/** How much of its files an import has read: `part` and `nothing` of one that failed. */
export type ImportEnd = 'all' | 'part' | 'nothing';

/** What is to become of the mark of an import. */
export interface ImportMark {
  /** Files of interrupted imports that this one does not read: the recording lacks some of their rows. */
  readonly owed: readonly ImportSource[];
  /** The mark that is left by an import with this end; `undefined`: none. */
  readonly after: Readonly<Record<ImportEnd, string | undefined>>;
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
  const before = await markText(files, pairFolder);
  const noted = before === undefined ? [] : sourcesIn(before);
  const sources = await Promise.all(paths.map((path) => sourceOf(files, path)));
  const without = (pays: (own: KnownSource, owed: ImportSource) => boolean) =>
    noted.filter((one) => !sources.some((own) => pays(own, one)));
  const owed = without(mayBeSame);
  await files.writeAtomic(unfinishedImportPath(pairFolder), textOf([...owed, ...sources]));
  return {
    owed,
    after: {
      all: leftText(owed),
      // Of a file that has changed, the part that was read may lack what is owed. So may that of any file for an unreadable mark.
      part: noted.length === 0 ? before : leftText(without(isSame)),
      nothing: before,
    },
  };
}

/** Ends an import. The recording stays marked while it lacks rows of earlier ones. */
export async function endImport(
  files: Files,
  pairFolder: string,
  { after }: ImportMark,
  end: ImportEnd,
): Promise<void> {
  const text = after[end];
  if (text === undefined) await files.remove(unfinishedImportPath(pairFolder));
  else await files.writeAtomic(unfinishedImportPath(pairFolder), text);
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
    `${one.folder} must be whole, received ${unfinishedText(one)}`,
  );
}

/** Describes such a recording and what to do about it; part of a message. */
export function unfinishedText(unfinished: UnfinishedImport): string {
  return (
    'one with an import that still runs or was broken off, so that what is missing in it was not worked out ' +
    `(tickwright data import of ${sourcesText(unfinished)} again: what is there already is passed over; ${withoutFileText(unfinished)})`
  );
}

export function sourcesText({ sources }: Pick<UnfinishedImport, 'sources'>): string {
  if (sources.length === 0) return 'the same file';
  return sources
    .map(({ name, bytes }) => (bytes === undefined ? name : `${name} (${bytes} bytes)`))
    .join(' and ');
}

/** The way out for a user who has no such file any more; part of a message. */
export function withoutFileText({ folder }: Pick<UnfinishedImport, 'folder'>): string {
  return `if no such file is left, delete ${unfinishedImportPath(folder)}: the rows that were not imported are then missing without a word`;
}

type KnownSource = Required<ImportSource>;

async function sourceOf(files: Files, path: string): Promise<KnownSource> {
  return { name: basename(path), bytes: (await files.stat(path))?.size ?? 0 };
}

function isSame(own: KnownSource, owed: ImportSource): boolean {
  return own.name === owed.name && own.bytes === owed.bytes;
}

/**
 * Whether it may be the same file as it was, or as it is by now: it may have grown since, or have been packed or unpacked,
 * after which sizes cannot be compared.
 */
function mayBeSame(own: KnownSource, owed: ImportSource): boolean {
  if (own.name === owed.name) return own.bytes >= (owed.bytes ?? 0);
  return unpackedName(own.name) === unpackedName(owed.name);
}

function unpackedName(name: string): string {
  return name.replace(/\.gz$/i, '');
}

function leftText(owed: readonly ImportSource[]): string | undefined {
  return owed.length === 0 ? undefined : textOf(owed);
}

function textOf(sources: readonly ImportSource[]): string {
  return `${JSON.stringify({ sources })}\n`;
}

async function unfinishedIn(files: Files, folder: string): Promise<UnfinishedImport | undefined> {
  const text = await markText(files, folder);
  return text === undefined ? undefined : { folder, sources: sourcesIn(text) };
}

async function markText(files: Files, folder: string): Promise<string | undefined> {
  try {
    return await files.readText(unfinishedImportPath(folder));
  } catch (error) {
    if (error instanceof FileMissing) return undefined;
    throw error;
  }
}

/** Empty for a text that is not ours: the mark counts all the same. */
function sourcesIn(text: string): readonly ImportSource[] {
  try {
    const { sources } = JSON.parse(text) as { readonly sources?: unknown };
    return Array.isArray(sources) ? sources.map(sourceIn).filter((one) => one !== undefined) : [];
  } catch {
    return [];
  }
}

/** Earlier versions noted the path alone. */
function sourceIn(value: unknown): ImportSource | undefined {
  if (typeof value === 'string') return { name: basename(value) };
  const { name, bytes } = (value ?? {}) as { readonly name?: unknown; readonly bytes?: unknown };
  if (typeof name !== 'string') return undefined;
  return typeof bytes === 'number' ? { name, bytes } : { name };
}
