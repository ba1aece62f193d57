/** Where black boxes lie: a folder for all of a bot, in it one for each session, in that its segments. */
import { join } from 'node:path';
import { FileMissing, type Files } from '../../ports/files.js';

const SEGMENT = /^segment-(\d{6})\.ndjson\.gz$/;

export interface BlackBoxSegment {
  readonly path: string;
  /** From 1. */
  readonly number: number;
  readonly size: number;
  readonly modifiedMs: number;
}

export function blackBoxSegmentPath(directory: string, number: number): string {
  return join(directory, `segment-${String(number).padStart(6, '0')}.ndjson.gz`);
}

/** Of one session, in order; none when there is no such folder. */
export async function blackBoxSegments(files: Files, directory: string): Promise<readonly BlackBoxSegment[]> {
  const found: BlackBoxSegment[] = [];
  for (const { name, path, kind, size, modifiedMs } of await listed(files, directory)) {
    const number = SEGMENT.exec(name)?.[1];
    if (kind === 'file' && number !== undefined)
      found.push({ path, number: Number(number), size, modifiedMs });
  }
  return found.sort((a, b) => a.number - b.number);
}

/** The folders of sessions in the folder of all. */
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
