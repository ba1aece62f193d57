import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, dayName, dayOf, parseDayName } from '../../src/storage/rows/day.js';

it('names days as the calendar of the platform does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), (day) => {
      expect(dayName(day)).toBe(new Date(day * DAY_MS).toISOString().slice(0, 10));
      expect(parseDayName(dayName(day))).toBe(day);
    }),
  );
});

it('puts the last millisecond of a day into it and the next one into the next', () => {
  const day = dayOf(Date.UTC(2024, 1, 29, 23, 59, 59, 999));
  expect(dayName(day)).toBe('2024-02-29');
  expect(dayName(dayOf(Date.UTC(2024, 2, 1)))).toBe('2024-03-01');
});

it.each([
  '2024-02-30',
  '2023-02-29',
  '2024-13-01',
  '24-01-01',
  '2024-1-1',
  'market',
])('%s is no day', (name) => {
  expect(parseDayName(name)).toBeUndefined();
});
