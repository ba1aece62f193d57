import { expect, it } from 'vitest';
import type { BookedBaseline } from '../../src/execution/books-state.js';
import { inheritedBaseline } from '../../src/runner/inherited-baseline.js';

const [YESTERDAY, TODAY] = ['2026-01-01', '2026-01-02'];
const NO_STREAK = { losses: 0, pausedUntil: 0 };
const MARK = { until: 5, last: ['deposit 1'], open: [] };
const noted = (day: string, equity: string, more: Partial<BookedBaseline> = {}): BookedBaseline => ({
  day,
  equity,
  tripped: false,
  ...more,
});

it.each<[string, BookedBaseline | undefined, BookedBaseline[], BookedBaseline | undefined]>([
  ['nothing where nobody has noted any', undefined, [], undefined],
  ['its own where it is alone', noted(TODAY, '9'), [], noted(TODAY, '9')],
  [
    'that of another one where it has none, without its streak and its halt',
    undefined,
    [
      noted(TODAY, '100', {
        memory: { peak: '120', fell: true, losses: 3, pausedUntil: 9 },
        transfers: MARK,
      }),
    ],
    noted(TODAY, '100', { memory: { peak: '120', fell: false, ...NO_STREAK }, transfers: MARK }),
  ],
  [
    'that of today, with its trip',
    noted(YESTERDAY, '150'),
    [noted(TODAY, '100', { tripped: true })],
    noted(TODAY, '100', { tripped: true }),
  ],
  [
    'its own of today, where the other is of yesterday',
    noted(TODAY, '90', { tripped: true }),
    [noted(YESTERDAY, '100')],
    noted(TODAY, '90', { tripped: true }),
  ],
  // As text, 90 is above 100.
  [
    'the highest of one day',
    noted(TODAY, '90'),
    [noted(TODAY, '100'), noted(TODAY, '95')],
    noted(TODAY, '100'),
  ],
  [
    'a trip of either',
    noted(TODAY, '100'),
    [noted(TODAY, '90', { tripped: true })],
    noted(TODAY, '100', { tripped: true }),
  ],
  [
    'the highest equity of all days, and its own streak',
    noted(YESTERDAY, '90', { memory: { peak: '95', fell: false, losses: 2, pausedUntil: 7, open: '-1' } }),
    [noted(TODAY, '100', { memory: { peak: '1000', fell: false, losses: 5, pausedUntil: 8 } })],
    noted(TODAY, '100', { memory: { peak: '1000', fell: false, losses: 2, pausedUntil: 7, open: '-1' } }),
  ],
  [
    'its own highest equity, where it is higher',
    noted(YESTERDAY, '90', { memory: { peak: '1000', fell: true, ...NO_STREAK } }),
    [noted(TODAY, '100', { memory: { peak: '950', fell: false, ...NO_STREAK } })],
    noted(TODAY, '100', { memory: { peak: '1000', fell: true, ...NO_STREAK } }),
  ],
  [
    'its own, where the other includes a deposit that it does not',
    noted(TODAY, '90'),
    [noted(TODAY, '1090', { transfers: MARK })],
    noted(TODAY, '90'),
  ],
])('a session counts from %s', (_, own, baselines, expected) => {
  expect(inheritedBaseline(own, { baselines, isResumed: false })).toEqual(expected);
});

it('after a resume the highest equity is that of the others, which have heard of it', () => {
  const having = (peak: string | undefined, fell = false, transfers?: typeof MARK) =>
    noted(TODAY, '90', {
      memory: { ...(peak && { peak }), fell, ...NO_STREAK },
      ...(transfers && { transfers }),
    });
  const peakOf = (own: BookedBaseline, ...baselines: BookedBaseline[]) =>
    inheritedBaseline(own, { baselines, isResumed: true })?.memory?.peak;
  expect(peakOf(having('1000'), having('95'), having('96'))).toBe('96');
  // Nothing replaces it, or it still waits for its own resume.
  expect(peakOf(having('1000'), having(undefined))).toBe('1000');
  expect(peakOf(having('1000'), having('95', false, MARK))).toBe('1000');
  expect(peakOf(having('1000', true), having('95'))).toBe('1000');
});
