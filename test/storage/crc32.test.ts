import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32, crcText } from '../../src/storage/crc32.js';

it('is the CRC-32 that gzip writes into its trailer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const packed = gzipSync(Buffer.from(text, 'utf8'));
      expect(crc32(text)).toBe(packed.readUInt32LE(packed.length - 8));
    }),
  );
});

it('has the published check value', () => {
  expect(crcText(crc32('123456789'))).toBe('cbf43926');
});

it('goes on where an earlier part ended', () => {
  expect(crc32('6789', crc32('12345'))).toBe(crc32('123456789'));
});
