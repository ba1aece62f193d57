/**
 * The Gregorian calendar in UTC by arithmetic, for code that has no clock and therefore no `Date`.
 * Days are numbers since 1970-01-01; eras of 400 years, years counted from 1 March.
 * Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
 */
export const DAY_MS = 86_400_000;

export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

const DAYS_PER_ERA = 146_097;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH = 719_468;

/** Number of the UTC day that holds this time (ms since the epoch). */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

export function civilDate(dayNumber: number): CivilDate {
  const shifted = dayNumber + EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const leapDays =
    -Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra + leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

/** The inverse of `civilDate`. A day beyond the end of its month counts on into the next month: 31 April is 1 May. */
export function dayNumber({ year, month, day }: CivilDate): number {
  const counted = year - (month <= 2 ? 1 : 0);
  const era = Math.floor(counted / 400);
  const yearOfEra = counted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH;
}

/** `YYYY-MM-DD` of a day number. */
export function dayName(number: number): string {
  const { year, month, day } = civilDate(number);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** `2026-11-21 20:30:05 UTC` of ms since the epoch. */
export function utcText(time: number): string {
  const seconds = Math.floor((time % DAY_MS) / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${dayName(dayOf(time))} ${parts.map((part) => pad(part, 2)).join(':')} UTC`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
