import { dirname } from 'node:path';
import type { Files } from '../../ports/files.js';
import { END_MARK } from './arrow-batch.js';
import { ArrowTradeStream } from './arrow-stream.js';
import { parseDayFile } from './layout.js';

/** Bytes that are read at once when only the heads of the batches are needed. */
export const HEAD_BYTES = 65_536;

/** Whether a file ends with the end mark; reads only its last bytes. */
export async function hasEndMark(files: Files, path: string): Promise<boolean> {
  const file = await files.openRead(path);
  try {
    const end = new Uint8Array(END_MARK.length);
    await file.readInto(end, Math.max(0, file.size - END_MARK.length));
    return Buffer.compare(end, END_MARK) === 0;
  } finally {
    await file.close();
  }
}

/**
 * Whether a day of trades that seemed to have no end mark has lost its end: its folder has trades of a later day, before
 * which the writer finishes it. It looks at the file again, which may have been finished since.
 */
export async function hasLostEnd(files: Files, path: string, day: number): Promise<boolean> {
  for (const later of await laterDays(files, path, day)) {
    if (await hasRows(files, later)) return !(await hasEndMark(files, path));
  }
  return false;
}

/**
 * Whether a writer has left a day of trades that seemed to be torn: its folder has a later day, and the file still has the
 * size with which it was read. A writer that was at work then has finished it before it began the later day.
 */
export async function isLeftTorn(
  files: Files,
  { path, day }: { readonly path: string; readonly day: number },
  size: number,
): Promise<boolean> {
  return (await laterDays(files, path, day)).length > 0 && (await files.stat(path))?.size === size;
}

/** The days of trades in the folder of a day that are later, even those that were not asked for. */
async function laterDays(files: Files, path: string, day: number): Promise<readonly string[]> {
  return (await files.list(dirname(path))).flatMap((entry) => {
    const found = parseDayFile(entry.name);
    return found?.kind === 'trades' && found.day > day ? [entry.path] : [];
  });
}

async function hasRows(files: Files, path: string): Promise<boolean> {
  const stream = new ArrowTradeStream(await files.openRead(path), path, HEAD_BYTES);
  try {
    return (await stream.skip()) > 0;
  } finally {
    await stream.close();
  }
}
