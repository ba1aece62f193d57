import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createSigner, signatureOf } from '../../src/client/signer.js';
import { UsageError } from '../../src/model/errors.js';

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

describe('a signature', () => {
  // RFC 4231, test cases 1 and 2 for HMAC-SHA-256.
  it.each([
    ['\x0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    [
      'Jefe',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ])('is the known answer of RFC 4231', (secret, body, hex) => {
    expect(signatureOf(secret, body)).toBe(base64(hex));
  });

  it('goes with the key', () => {
    const signer = createSigner({ apiKey: 'key-1', apiSecret: 'Jefe' });
    expect(signer.signedHeaders('what do ya want for nothing?')).toEqual({
      'x-api-key': 'key-1',
      'x-signature': base64('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'),
    });
    expect(signer.keyHeaders()).toEqual({ 'x-api-key': 'key-1' });
  });
});

describe('a signer', () => {
  it('signs each body for itself, however soon they follow each other', async () => {
    const apiSecret = 'a-secret';
    const signer = createSigner({ apiKey: 'key-1', apiSecret });
    const signatures = (bodies: readonly string[]) =>
      bodies.map((body) => signer.signedHeaders(body)['x-signature']);
    const bodies = ['a=1', 'b=2', '', 'a=1'];
    const known = bodies.map((body) => createHmac('sha256', apiSecret).update(body).digest('base64'));
    expect(signatures(bodies)).toEqual(known);
    await Promise.resolve();
    expect(signatures(bodies)).toEqual(known);
  });

  it('shows neither key nor secret, however it is printed', () => {
    const signer = createSigner({ apiKey: 'canary-key', apiSecret: 'canary-secret' });
    const shown = [
      JSON.stringify({ signer }),
      `${String(signer)}`,
      inspect(signer, { showHidden: true, depth: 9 }),
      inspect({ a: [signer] }),
    ];
    for (const text of shown) {
      expect(text).not.toContain('canary');
      expect(text).toContain('[secret]');
    }
  });

  it.each([
    '',
    'two words',
    'line\nbreak',
    'schlüssel',
  ])('refuses the secret %j without showing it', (apiSecret) => {
    expect(() => createSigner({ apiKey: 'k', apiSecret })).toThrow(UsageError);
    expect(() => createSigner({ apiKey: 'k', apiSecret })).not.toThrow(/two|line|schl/);
  });
});
