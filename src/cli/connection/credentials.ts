import type { Entropy } from '../../ports/entropy.js';
import type { Credentials } from '../option-values.js';

/** A random key and secret. */
export function madeUpCredentials(entropy: Entropy): Credentials {
  return { key: hex(entropy.bytes(12)), secret: hex(entropy.bytes(32)) };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
