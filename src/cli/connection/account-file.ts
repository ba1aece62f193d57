/** The account that a pair's journal belongs to, as the venue names it. */
import { join } from 'node:path';
import { FileMissing, type Files } from '../../ports/files.js';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../storage/journal/journal-layout.js';

/**
 * `customer_id`, by the kind of record. The specification defines it as the account's id on deposits, but not on
 * orders, so one of them says nothing about the other.
 */
export interface AccountNames {
  readonly orders?: string;
  readonly deposits?: string;
}

export const KINDS = ['orders', 'deposits'] as const satisfies readonly (keyof AccountNames)[];

const FORMAT_VERSION = 1;

export function accountPath(folder: string): string {
  return join(folder, 'account.json');
}

/**
 * Reads the account of a folder. Empty if it was never learned, or if the file is unreadable: then it is learned anew.
 */
export async function readAccount(files: Files, folder: string): Promise<AccountNames> {
  try {
    const found: unknown = JSON.parse(await files.readText(accountPath(folder)));
    if (typeof found !== 'object' || found === null || !('customerId' in found)) return {};
    const { customerId: names } = found;
    if (typeof names !== 'object' || names === null) return {};
    const texts = Object.entries(names).filter(([, name]) => typeof name === 'string' && name !== '');
    return Object.fromEntries(texts.filter(([kind]) => (KINDS as readonly string[]).includes(kind)));
  } catch (error) {
    if (error instanceof FileMissing || error instanceof SyntaxError) return {};
    throw error;
  }
}

export async function writeAccount(files: Files, folder: string, names: AccountNames): Promise<void> {
  await files.makeDirectory(folder, PRIVATE_DIRECTORY);
  const text = JSON.stringify({ formatVersion: FORMAT_VERSION, customerId: names }, undefined, 2);
  await files.writeAtomic(accountPath(folder), `${text}\n`, PRIVATE_FILE);
}
