/**
 * Allows only one bot of this machine, daemon or session, to trade with a key. Two of them would take each other's
 * orders for those of a stranger.
 */
import { venueText } from '../../client/base-url.js';
import { sha256 } from '../../model/digest.js';
import { holdName, type NameLock } from '../../platform/name-lock.js';
import { KeyHeld } from '../report-error.js';
import type { KeyedConnectionOptions } from './connection.js';

/** Length of the lock's name. Everybody on the machine can see it, so it must not reveal the key. */
const DIGITS = 32;

/**
 * Locks a key, whichever folders the bots keep their state in.
 *
 * @throws KeyHeld
 */
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
