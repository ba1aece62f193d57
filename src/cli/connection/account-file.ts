/** Whose account the journal of a pair is about, as the venue named it. */
import { join } from 'node:path';
import { FileMissing, type Files } from '../../ports/files.js';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../storage/journal/journal-layout.js';

/**
 * `customer_id` as each kind of record has it. The specification calls it the account's id on a deposit and does not say
 * what it is on an order, so that one says nothing about the other.
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

/** Nothing where no life has learned it, or nobody can read what it wrote: it is learned anew then. */
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
