import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdDecoder } from '../../src/storage/rows/id-decoder.js';

/** Ids as venues make them: counting up, now and then from elsewhere, and texts of any kind among them. */
const ids = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 40 }).map((step) => ({ step })) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 999_999_999_999 }).map((from) => ({ from })) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 14 }).map((text) => ({ text })) },
      // As long as numbers are, with digits at the end or one that is nearly one.
      { weight: 1, arbitrary: fc.stringMatching(/^[a-zé/:-]{4,6}[0-9/:]{3}$/).map((text) => ({ text })) },
    ),
    { maxLength: 200 },
  )
  .map((parts) => {
    let last = 99_990;
    return parts.map((part) => {
      if ('text' in part) return part.text;
      last = 'from' in part ? part.from : last + part.step;
      return String(last);
    });
  });

describe('IdDecoder', () => {
  it('gives the texts that were written, in whatever order they are asked for', () => {
    fc.assert(
      fc.property(ids, fc.array(fc.nat(199)), fc.nat(7), (texts, order, offset) => {
        const encoded = texts.map((text) => Buffer.from(text));
        // The bytes need not begin where their memory does.
        const bytes = Buffer.concat([Buffer.alloc(offset), ...encoded]).subarray(offset);
        const ends: number[] = [];
        for (const { length } of encoded) ends.push((ends.at(-1) ?? 0) + length);
        const decoder = new IdDecoder(bytes);
        const read = (row: number) => decoder.text(ends[row - 1] ?? 0, ends[row] as number);
        const rows = [...texts.keys(), ...order.filter((row) => row < texts.length)];
        expect(rows.map(read)).toEqual(rows.map((row) => (encoded[row] as Buffer).toString('utf8')));
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads bytes that were replaced in place', () => {
    const bytes = Buffer.from('12345678');
    const decoder = new IdDecoder(bytes);
    expect(decoder.text(0, 8)).toBe('12345678');
    bytes.write('92345');
    expect(decoder.text(0, 8)).toBe('92345678');
    bytes.write('12346');
    expect(decoder.text(0, 8)).toBe('12346678');
  });

  it('tells apart what is the same but for its length', () => {
    const bytes = Buffer.from('12345671234123456712341234567');
    const decoder = new IdDecoder(bytes);
    expect([decoder.text(0, 7), decoder.text(7, 18), decoder.text(18, 29)]).toEqual([
      '1234567',
      '12341234567',
      '12341234567',
    ]);
  });

  it('takes no byte for a digit that is none, wherever it stands', () => {
    const wrong: number[][] = [];
    for (let one = 0; one < 256; one++) {
      for (const two of [0x00, 0x2f, 0x30, 0x39, 0x3a, 0x7f, 0x80, 0xff]) {
        for (const end of [
          [one, two, 0x35],
          [0x35, one, two],
          [two, 0x35, one],
          [two, one, 0x35],
        ]) {
          const bytes = Buffer.from([0x31, 0x32, 0x33, 0x34, ...end]);
          if (new IdDecoder(bytes).text(0, 7) !== bytes.toString('utf8')) wrong.push(end);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('sees each byte that differs from the id before', () => {
    const wrong: string[] = [];
    for (let length = 3; length <= 16; length++) {
      for (let at = 0; at < length; at++) {
        const bytes = Buffer.from('1234567890123456'.slice(0, length).repeat(2));
        bytes[length + at] = at === 8 ? 0x30 : 0x39;
        const decoder = new IdDecoder(bytes);
        decoder.text(0, length);
        if (decoder.text(length, 2 * length) !== bytes.toString('utf8', length))
          wrong.push(`${length}: ${at}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
