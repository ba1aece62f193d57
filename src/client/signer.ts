import { createHmac } from 'node:crypto';
import { UsageError } from '../model/errors.js';

const HIDDEN = '[secret]';

/** Signs bodies. The secret lives in its closure only: printed, logged or turned to JSON it says `[secret]`. */
export interface Signer {
  /** Header fields of a read that needs the key. */
  keyHeaders(): Readonly<Record<string, string>>;
  /** Header fields of a signed request whose body is sent exactly as it stands here. */
  signedHeaders(body: string): Readonly<Record<string, string>>;
  toJSON(): string;
  toString(): string;
}

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** @throws UsageError unless both are one word of visible ASCII: the key is a header's value. */
export function createSigner({ apiKey, apiSecret }: Credentials): Signer {
  for (const [name, value] of [
    ['API key', apiKey],
    ['API secret', apiSecret],
  ] as const) {
    if (!/^[\x21-\x7e]+$/.test(value)) {
      throw new UsageError(
        'TICKWRIGHT_E_CREDENTIALS',
        `the ${name} must be one word of visible ASCII, received ${value === '' ? 'nothing' : 'something else'}`,
      );
    }
  }
  return {
    keyHeaders: () => ({ 'x-api-key': apiKey }),
    signedHeaders: (body) => ({
      'x-api-key': apiKey,
      'x-signature': signatureOf(apiSecret, body),
      'content-type': 'application/x-www-form-urlencoded',
    }),
    toJSON: () => HIDDEN,
    toString: () => HIDDEN,
    [Symbol.for('nodejs.util.inspect.custom')]: () => HIDDEN,
  };
}

/** Specification, Authentication 3: base64 of HMAC-SHA256 over the body, keyed with the secret. */
export function signatureOf(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest('base64');
}
