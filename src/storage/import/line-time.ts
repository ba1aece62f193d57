/** Parses times in data files: numbers since 1970, whose magnitude reveals their unit, or UTC text. */
import { DAY_MS } from '../../model/calendar.js';
import { parseDayName } from '../rows/day.js';

/** 2000-01-01 and 2100-01-01, ms. A time with a digit too many or too few lies outside this range in every unit. */
const FIRST_TIME = 946_684_800_000;
const END_OF_TIMES = 4_102_444_800_000;

const NANOSECONDS = /^\d{18,19}$/;
const DIGITS_TO_NS = 6;
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?:Z|\+00:?00)?$/;

export function isLikelyTime(ms: number): boolean {
  return ms >= FIRST_TIME && ms < END_OF_TIMES;
}

/** Converts ms, µs or ns to whole ms, rounded down; `undefined` if no unit places the time between 2000 and 2099. */
export function msOf(time: number): number | undefined {
  if (!Number.isInteger(time)) return undefined;
  for (const perMs of [1, 1_000, 1_000_000]) {
    const ms = Math.floor(time / perMs);
    if (isLikelyTime(ms)) return ms;
  }
  return undefined;
}

/**
 * Cuts 18 or 19 digits of ns to ms as text: a double cannot hold that many digits, and might round up to the next ms.
 */
export function withoutNanoseconds(value: unknown): unknown {
  return typeof value === 'string' && NANOSECONDS.test(value) ? value.slice(0, -DIGITS_TO_NS) : value;
}

/**
 * The value of a JSON field, or its digits as text if a double cannot hold them exactly. The digits are searched in the
 * line's text, which may have nested fields of the same name. If these make the digits ambiguous, returns the double.
 */
export function exactField(line: string, name: string, value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const digits = Array.from(
    line.matchAll(new RegExp(`"${name}"\\s*:\\s*(\\d+)\\s*[,}]`, 'g')),
    ([, one]) => one,
  );
  const [only, ...others] = new Set(digits.filter((one) => Number(one) === value));
  return others.length === 0 ? (only ?? value) : value;
}

/** Converts UTC text such as `2022-01-01` or `2022-01-01T00:00:00.5Z` to ms; `undefined` for any other text. */
export function msOfIso(text: string): number | undefined {
  const [, date, hour = '0', minute = '0', second = '0', fraction = ''] = ISO.exec(text) ?? [];
  const day = date === undefined ? undefined : parseDayName(date);
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (day === undefined || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return day * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms;
}
