import { createHmac } from 'node:crypto';
import { UsageError } from '../model/errors.js';

const HIDDEN = '[secret]';

/** The header of a request that needs the API key. */
export interface KeyHeaders {
  readonly 'x-api-key': string;
}

/** The headers of a signed request. */
export interface SignedHeaders extends KeyHeaders {
  readonly 'x-signature': string;
}

/** Holds the API key in a closure, so that it prints, logs and serialises as `[secret]`. */
export interface KeyHolder {
  keyHeaders(): KeyHeaders;
  toJSON(): string;
  toString(): string;
}

/** Signs bodies. The secret lives in its closure, as the key does. */
export interface Signer extends KeyHolder {
  /** Signs `body`, which must be sent exactly as it is. */
  signedHeaders(body: string): SignedHeaders;
}

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** @throws UsageError unless the key is one word of visible ASCII, as a header value must be */
export function createKeyHolder(apiKey: string): KeyHolder {
  requireWord('API key', apiKey);
  return { keyHeaders: () => ({ 'x-api-key': apiKey }), ...UNPRINTED };
}

/** @throws UsageError unless both are one word of visible ASCII. */
export function createSigner({ apiKey, apiSecret }: Credentials): Signer {
  requireWord('API secret', apiSecret);
  let ahead: Hmac | undefined = keyed(apiSecret);
  return {
    ...createKeyHolder(apiKey),
    signedHeaders(body) {
      const hmac = ahead ?? keyed(apiSecret);
      ahead = undefined;
      // Keying the hash costs several times as much as signing, so
      // the next keyed hash is made ahead, after an order has left.
      void Promise.resolve().then(() => {
        ahead ??= keyed(apiSecret);
      });
      return { 'x-api-key': apiKey, 'x-signature': signed(hmac, body) };
    },
  };
}

const UNPRINTED = {
  toJSON: () => HIDDEN,
  toString: () => HIDDEN,
  [Symbol.for('nodejs.util.inspect.custom')]: () => HIDDEN,
} as const;

function requireWord(name: string, value: string): void {
  if (/^[\x21-\x7e]+$/.test(value)) return;
  throw new UsageError(
    'TICKWRIGHT_E_CREDENTIALS',
    `the ${name} must be one word of visible ASCII, received ${value === '' ? 'nothing' : 'something else'}`,
  );
}

/** Specification, Authentication 3: base64 of HMAC-SHA256 over the body, keyed with the secret. */
export function signatureOf(secret: string, body: string): string {
  return signed(keyed(secret), body);
}

type Hmac = ReturnType<typeof createHmac>;

function keyed(secret: string): Hmac {
  return createHmac('sha256', secret);
}

function signed(hmac: Hmac, body: string): string {
  return hmac.update(body, 'utf8').digest('base64');
}
