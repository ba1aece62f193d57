/** File names, sizes and limits of a journal's folder. */
import { join } from 'node:path';
import { type FileEntry, FileMissing, type Files } from '../../ports/files.js';

/** Size at which a segment is closed; it is also closed at the end of a UTC day. */
export const SEGMENT_BYTES = 16 * 1_024 * 1_024;
/** How long segments are kept after a snapshot covers them, ms. */
export const KEEP_MS = 30 * 86_400_000;
/** Size of the ballast, which is freed on a full disk so that the record of a halt still fits. */
export const BALLAST_BYTES = 8 * 1_024 * 1_024;
/**
 * How much room of a segment is allocated ahead of its records. A segment in use, or cut off by a power loss, ends in
 * zeros.
 */
export const RESERVE_BYTES = 1_024 * 1_024;
/** Two, so that one damaged snapshot does not lose the history that it summarises. */
export const SNAPSHOTS_KEPT = 2;

export const PRIVATE_FILE = 0o600;
export const PRIVATE_DIRECTORY = 0o700;

const SEGMENT = /^segment-(\d{12})\.journal$/;
const SNAPSHOT = /^snapshot-(\d{12})\.journal$/;
const TEMPORARY = /^\..*\.tmp$/;

export interface SegmentFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** Sequence of its first record, from its file name. */
  readonly first: number;
}

export interface SnapshotFile {
  readonly path: string;
  /** Sequence of the last record that it includes. */
  readonly sequence: number;
}

export interface JournalFolder {
  /** Oldest first. */
  readonly segments: readonly SegmentFile[];
  /** Newest first. */
  readonly snapshots: readonly SnapshotFile[];
  /** Temporary files that a crash left in the middle of an atomic replacement. */
  readonly leftovers: readonly string[];
}

export function segmentPath(directory: string, first: number): string {
  return join(directory, `segment-${padded(first)}.journal`);
}

export function snapshotPath(directory: string, sequence: number): string {
  return join(directory, `snapshot-${padded(sequence)}.journal`);
}

export function ballastPath(directory: string): string {
  return join(directory, 'ballast');
}

/** The files of a journal; a folder that does not exist is an empty one. */
export async function journalFolder(files: Files, directory: string): Promise<JournalFolder> {
  const entries = (await entriesOf(files, directory)).filter(({ kind }) => kind === 'file');
  const segments = entries.flatMap(({ name, path, size, modifiedMs }) => {
    const first = numberIn(SEGMENT, name);
    return first === undefined ? [] : [{ path, size, modifiedMs, first }];
  });
  const snapshots = entries.flatMap(({ name, path }) => {
    const sequence = numberIn(SNAPSHOT, name);
    return sequence === undefined ? [] : [{ path, sequence }];
  });
  return {
    segments: segments.sort((a, b) => a.first - b.first),
    snapshots: snapshots.sort((a, b) => b.sequence - a.sequence),
    leftovers: entries.flatMap(({ name, path }) => (TEMPORARY.test(name) ? [path] : [])),
  };
}

async function entriesOf(files: Files, directory: string): Promise<readonly FileEntry[]> {
  try {
    return await files.list(directory);
  } catch (error) {
    if (error instanceof FileMissing) return [];
    throw error;
  }
}

function numberIn(pattern: RegExp, name: string): number | undefined {
  const digits = pattern.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function padded(sequence: number): string {
  return String(sequence).padStart(12, '0');
}
