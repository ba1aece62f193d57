import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether `given` is base64(HMAC-SHA256(secret, body)) of the body's exact bytes (specification: Authentication 3).
 * Takes the same time for any signature of the right length, so that timing does not reveal how much of it is right.
 */
export function signatureHolds(secret: string, body: Uint8Array, given: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('base64'), 'latin1');
  const received = Buffer.from(given, 'latin1');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
