/** Files of NDJSON to which lines are only ever added. */
import { dirname } from 'node:path';
import { FileMissing, type Files } from '../ports/files.js';

/** Every line that can be read, in order; what a crash tore is passed over. */
export async function readLedger(files: Files, path: string): Promise<readonly unknown[]> {
  const documents: unknown[] = [];
  for (const line of (await ledgerText(files, path)).split('\n')) {
    try {
      if (line !== '') documents.push(JSON.parse(line));
    } catch {
      // Torn: what it said was not told to anybody as written.
    }
  }
  return documents;
}

/** On the disk when this resolves. `isWhole`: the last line is known to have an end. */
export async function appendLedger(
  files: Files,
  path: string,
  documents: readonly object[],
  isWhole = false,
): Promise<void> {
  if (documents.length === 0) return;
  const text = isWhole ? '' : await ledgerText(files, path);
  await files.makeDirectory(dirname(path));
  const file = await files.openAppend(path);
  try {
    // A line of its own, even after one that a crash tore.
    const lineBreak = text === '' || text.endsWith('\n') ? '' : '\n';
    const lines = documents.map((document) => `${JSON.stringify(document)}\n`).join('');
    await file.append(new TextEncoder().encode(`${lineBreak}${lines}`));
    await file.sync();
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
