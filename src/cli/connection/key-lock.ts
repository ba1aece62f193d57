/** One bot of this machine, daemon or session, trades with a key: two of them would each see the other's orders as a stranger's. */
import { venueText } from '../../client/base-url.js';
import { sha256 } from '../../model/digest.js';
import { holdName, type NameLock } from '../../platform/name-lock.js';
import { KeyHeld } from '../report-error.js';
import type { KeyedConnectionOptions } from './connection.js';

/** What the kernel shows to everybody of who holds a key: nothing that leads back to it. */
const DIGITS = 32;

/** Whatever folders they keep their state in. @throws KeyHeld */
export async function lockKey({
  url,
  credentials: { apiKey },
}: Pick<KeyedConnectionOptions, 'url' | 'credentials'>): Promise<NameLock> {
  const digest = sha256(`tickwright daemon\n${venueText(url)}\n${apiKey}`).slice(0, DIGITS);
  const lock = await holdName(`tickwright-key-${digest}`);
  if (lock === undefined) return { release: () => Promise.resolve() };
  if ('holder' in lock) throw new KeyHeld(url, lock.holder);
  return lock;
}
