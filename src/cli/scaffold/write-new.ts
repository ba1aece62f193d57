import { dirname } from 'node:path';
import type { Files } from '../../ports/files.js';
import { type NewFile, placeOf } from './new-strategy.js';

export interface Written {
  /** Paths from the project's folder. */
  readonly created: readonly string[];
  /** Those that were there before: they stay as they are. */
  readonly kept: readonly string[];
}

/** Writes those of the files that are not there yet. */
export async function writeNew(files: Files, project: string, list: readonly NewFile[]): Promise<Written> {
  const created: string[] = [];
  const kept: string[] = [];
  for (const file of list) {
    const place = placeOf(project, file);
    if ((await files.stat(place)) !== undefined) kept.push(file.path);
    else {
      await files.makeDirectory(dirname(place));
      await files.writeAtomic(place, file.text);
      created.push(file.path);
    }
  }
  return { created, kept };
}
