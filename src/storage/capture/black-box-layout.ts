/** Where black boxes lie: a bot has one folder for all of them, with a folder per session, which holds its segments. */
import { join } from 'node:path';
import { FileMissing, type Files } from '../../ports/files.js';

const SEGMENT = /^segment-(\d{6})\.ndjson\.gz$/;

export interface BlackBoxSegment {
  readonly path: string;
  /** Counts from 1 within a session. */
  readonly number: number;
  readonly size: number;
  readonly modifiedMs: number;
}

export function blackBoxSegmentPath(directory: string, number: number): string {
  return join(directory, `segment-${String(number).padStart(6, '0')}.ndjson.gz`);
}

/** The segments of one session, in order; empty if its folder does not exist. */
export async function blackBoxSegments(files: Files, directory: string): Promise<readonly BlackBoxSegment[]> {
  const found: BlackBoxSegment[] = [];
  for (const { name, path, kind, size, modifiedMs } of await listed(files, directory)) {
    const number = SEGMENT.exec(name)?.[1];
    if (kind === 'file' && number !== undefined)
      found.push({ path, number: Number(number), size, modifiedMs });
  }
  return found.sort((a, b) => a.number - b.number);
}

/** The folders of all sessions in the root folder. */
export async function blackBoxFolders(files: Files, root: string): Promise<readonly string[]> {
  const entries = await listed(files, root);
  return entries.filter(({ kind }) => kind === 'directory').map(({ path }) => path);
}

async function listed(files: Files, directory: string) {
  try {
    return await files.list(directory);
  } catch (error) {
    if (error instanceof FileMissing) return [];
    throw error;
  }
}
