/** NDJSON files that are only ever appended to. */
import { dirname } from 'node:path';
import { FileMissing, type Files, type ReadableFile } from '../ports/files.js';

/** Every readable line, in order; a line that a crash tore is skipped. */
export async function readLedger(files: Files, path: string): Promise<readonly unknown[]> {
  const documents: unknown[] = [];
  for (const line of (await ledgerText(files, path)).split('\n')) {
    try {
      if (line !== '') documents.push(JSON.parse(line));
    } catch {
      // Torn: its write was never confirmed to anybody.
    }
  }
  return documents;
}

/** On the disk when this resolves, even if other processes append at the same time. */
export async function appendLedger(files: Files, path: string, documents: readonly object[]): Promise<void> {
  if (documents.length === 0) return;
  // A line of its own, even after one that a crash tore.
  const lineBreak = (await isWhole(files, path)) ? '' : '\n';
  const lines = documents.map((document) => `${JSON.stringify(document)}\n`).join('');
  await files.makeDirectory(dirname(path));
  await files.appendShared(path, new TextEncoder().encode(`${lineBreak}${lines}`));
}

const LINE_END = 0x0a;

/** Whether the file is empty or missing, or its last line is complete. */
async function isWhole(files: Files, path: string): Promise<boolean> {
  let file: ReadableFile;
  try {
    file = await files.openRead(path);
  } catch (error) {
    if (error instanceof FileMissing) return true;
    throw error;
  }
  try {
    const last = new Uint8Array(1);
    const count = file.size === 0 ? 0 : await file.readInto(last, file.size - 1);
    return count === 0 || last[0] === LINE_END;
  } finally {
    await file.close();
  }
}

async function ledgerText(files: Files, path: string): Promise<string> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (error instanceof FileMissing) return '';
    throw error;
  }
}
