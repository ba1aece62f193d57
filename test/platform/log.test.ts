import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LogLevel, pinoLog } from '../../src/platform/log.js';
import type { LogFields } from '../../src/ports/log.js';
import { createScrubber } from '../../src/platform/scrubber.js';

const SECRET = 'canary/9+8=7&6 "x"\\y';

function logTo(level: LogLevel = 'debug', secrets: readonly string[] = [SECRET]) {
  const lines: string[] = [];
  return {
    lines,
    log: pinoLog({ level, scrubber: createScrubber(secrets), write: (line) => lines.push(line) }),
  };
}

describe('the log', () => {
  it('writes one JSON line with level, ISO time, message and fields', () => {
    const { lines, log } = logTo();
    log.warn('trades gap', { pair: 'USD_BTC_PERP', missing: 3 });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith('\n')).toBe(true);
    const { time, ...rest } = JSON.parse(lines[0] as string) as { time: string };
    expect(rest).toEqual({ level: 'warn', pair: 'USD_BTC_PERP', missing: 3, msg: 'trades gap' });
    expect(new Date(time).toISOString()).toBe(time);
  });

  it('leaves out what is below its level', () => {
    const { lines, log } = logTo('warn');
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['c', 'd']);
  });

  it('keeps errors with their causes', () => {
    const { lines, log } = logTo();
    log.error('failed', { err: new Error('outer', { cause: new Error('inner') }) });
    expect(lines[0]).toContain('outer');
    expect(lines[0]).toContain('inner');
  });

  it('cannot be made to write two lines by what comes from outside', () => {
    const { lines, log } = logTo();
    log.info('refused', { reason: 'x\n{"level":"error","msg":"forged"}' });
    expect((lines[0] as string).trimEnd().split('\n')).toHaveLength(1);
  });

  // The seven ways of which path redaction stops one (reliability e.2), and some more.
  const bytes = Buffer.from(SECRET);
  const ways: readonly [string, string, LogFields][] = [
    ['a header', 'm', { headers: { 'x-api-key': SECRET } }],
    ['one deeper', 'm', { request: { headers: { 'x-api-key': SECRET } } }],
    ['two deep', 'm', { a: { b: { c: { d: SECRET } } } }],
    ['inside the message', `sent ${SECRET} off`, {}],
    ['on an error', 'm', { err: Object.assign(new Error(`bad ${SECRET}`), { options: { secret: SECRET } }) }],
    ['a header in other letters', 'm', { 'X-Api-Key': SECRET }],
    ['a raw header array', 'm', { raw: ['x-api-key', SECRET] }],
    ['base64', 'm', { value: bytes.toString('base64') }],
    ['base64url', 'm', { value: bytes.toString('base64url') }],
    ['basic authorisation', 'm', { value: Buffer.from(`user:${SECRET}@host`).toString('base64') }],
    ['hex', 'm', { value: bytes.toString('hex') }],
    ['HEX', 'm', { value: bytes.toString('hex').toUpperCase() }],
    ['a URL', 'm', { value: `https://x/?s=${encodeURIComponent(SECRET)}&y=1` }],
    ['a form', 'm', { value: new URLSearchParams({ s: SECRET }).toString() }],
    ['JSON in JSON', 'm', { value: JSON.stringify({ s: SECRET }) }],
    ['a key', 'm', { [SECRET]: 1 }],
  ];

  it.each(ways)('never shows a known secret: %s', (_, message, fields) => {
    const { lines, log } = logTo();
    log.info(message, fields);
    expect(lines[0]).toContain('[redacted]');
    expect(lines[0]).not.toMatch(/canary/i);
    expect(lines[0]).not.toContain(bytes.toString('hex').slice(4, -4));
    expect(lines[0]).not.toContain(bytes.toString('base64').slice(4, -4));
    JSON.parse(lines[0] as string);
  });
});

describe('a scrubber', () => {
  it('takes a secret out wherever base64 puts it', () => {
    const printable = fc.stringMatching(/^[!-~]{8,40}$/);
    fc.assert(
      fc.property(
        printable,
        fc.string({ maxLength: 5 }),
        fc.string({ maxLength: 5 }),
        (secret, before, after) => {
          const encoded = Buffer.from(before + secret + after).toString('base64');
          const scrubbed = createScrubber([secret]).scrub(encoded);
          expect(scrubbed).toContain('[redacted]');
          const shown = Buffer.from(scrubbed.replaceAll('[redacted]', ''), 'base64').toString('latin1');
          expect(shown).not.toContain(secret);
        },
      ),
    );
  });

  it('takes out whatever looks like a signature, and no hash, id or text', () => {
    const scrubber = createScrubber();
    const scrub = (text: string) => scrubber.scrub(text);
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(bytes, (signature) => {
        const base64 = signature.toString('base64');
        for (const form of [base64, encodeURIComponent(base64), `${signature.toString('base64url')}=`]) {
          expect(scrub(`{"msg":"bad signature ${form}, again"}`)).toBe(
            '{"msg":"bad signature [redacted], again"}',
          );
          expect(scrub(`x-signature=${form}`)).not.toContain(form);
        }
        const harmless = `{"sha":"${signature.toString('hex')}","a":"b=c","q":"?limit=100&from=1%3D2"}`;
        expect(scrub(harmless)).toBe(harmless);
      }),
    );
  });

  it('learns secrets later, and leaves alone what is too short to be one', () => {
    const scrubber = createScrubber(['abc']);
    expect(scrubber.scrub('abc canary')).toBe('abc canary');
    scrubber.add('canary');
    expect(scrubber.scrub('abc canary')).toBe('abc [redacted]');
  });
});
