import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** A hidden name beside a file, which nobody else has: what is to take its place in one step is written there. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
}
