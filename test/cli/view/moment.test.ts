import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listQuery } from '../../../src/cli/settings/venue-access.js';
import {
  clockText,
  fileStamp,
  lengthText,
  momentText,
  mostLengthText,
  parseMoment,
  parseStretch,
} from '../../../src/cli/view/moment.js';

/** 1973 to 2286, in ms. */
const times = fc.integer({ min: 1e11, max: 9_999_999_999_999 });

describe('moments', () => {
  it('are written as the calendar of the runtime writes them', () => {
    fc.assert(
      fc.property(times, (time) => {
        expect(momentText(time)).toBe(new Date(time).toISOString());
      }),
    );
  });

  it('are read back from what was written, and from ms', () => {
    fc.assert(
      fc.property(times, (time) => {
        expect(parseMoment(momentText(time), 'x')).toBe(time);
        expect(parseMoment(String(time), 'x')).toBe(time);
      }),
    );
  });

  it.each([
    ['2024-08-08', Date.UTC(2024, 7, 8)],
    ['2024-02-29T12:30Z', Date.UTC(2024, 1, 29, 12, 30)],
    ['2024-08-08T23:54:16.5Z', Date.UTC(2024, 7, 8, 23, 54, 16, 500)],
  ])('are read from %s', (text, time) => {
    expect(parseMoment(text, '--from')).toBe(time);
  });

  it.each([
    '2023-02-29',
    '2024-13-01',
    '2024-08-08T24:00Z',
    '2024-08-08T23:54:16',
    'yesterday',
    '8.8.2024',
    '',
  ])('are not read from %j', (text) => {
    expect(() => parseMoment(text, '--from')).toThrow(/^--from must be a time like/);
  });

  it.each([
    ['--from must be before --to', (from: string, to: string) => parseStretch({ from, to })],
    ['--from must be at or before --to', (from: string, to: string) => listQuery({ from, to, pair: 'X_Y' })],
  ])('are refused where nothing can be between them: %s', (message, read) => {
    expect(() => read('2024-08-09', '2024-08-08')).toThrow(`${message}, received 2024-08-09 and 2024-08-08`);
    expect(read('2024-08-08', '2024-08-09')).toMatchObject({ to: Date.UTC(2024, 7, 9) });
  });

  it('are one moment for lists, of which the last is asked for, and nothing for stretches', () => {
    const one = { from: '2024-08-08', to: '2024-08-08' };
    expect(listQuery(one)).toEqual({ from: Date.UTC(2024, 7, 8), to: Date.UTC(2024, 7, 8) });
    expect(() => parseStretch(one)).toThrow('--from must be before --to');
  });

  it('stand in file names without signs that a file system minds', () => {
    expect(fileStamp(Date.UTC(2024, 7, 8, 23, 54, 16))).toBe('20240808T235416');
    expect(clockText(Date.UTC(2024, 7, 8, 3, 4, 5))).toBe('03:04:05');
  });

  it.each([
    [0, '0s'],
    [59_999, '59s'],
    [245_000, '4m 05s'],
    [60_000, '1m'],
    [7_380_000, '2h 03m'],
    [86_400_000, '1d'],
    [100_800_000, '1d 04h'],
    [604_800_000, '7d'],
  ])('%d ms last %s', (ms, text) => {
    expect(lengthText(ms)).toBe(text);
  });

  it.each([
    [0, '0s'],
    [5_001, '6s'],
    [59_999, '1m'],
    [7_380_001, '2h 04m'],
    [86_399_999, '1d'],
    [86_400_001, '1d 01h'],
  ])('%d ms last at most %s', (ms, text) => {
    expect(mostLengthText(ms)).toBe(text);
  });
});
