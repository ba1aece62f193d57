/** Whose account the journal of a pair is about, as the venue named it (`customer_id` of its orders and deposits). */
import { join } from 'node:path';
import { FileMissing, type Files } from '../../ports/files.js';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../storage/journal-layout.js';

const FORMAT_VERSION = 1;

export function accountPath(folder: string): string {
  return join(folder, 'account.json');
}

/** `undefined`: no life has learned it, or nobody can read what it wrote. */
export async function readAccount(files: Files, folder: string): Promise<string | undefined> {
  try {
    const found: unknown = JSON.parse(await files.readText(accountPath(folder)));
    if (typeof found !== 'object' || found === null || !('customerId' in found)) return undefined;
    return typeof found.customerId === 'string' ? found.customerId : undefined;
  } catch (error) {
    if (error instanceof FileMissing || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function writeAccount(files: Files, folder: string, customerId: string): Promise<void> {
  await files.makeDirectory(folder, PRIVATE_DIRECTORY);
  const text = JSON.stringify({ formatVersion: FORMAT_VERSION, customerId }, undefined, 2);
  await files.writeAtomic(accountPath(folder), `${text}\n`, PRIVATE_FILE);
}
