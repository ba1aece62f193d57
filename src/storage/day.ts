/** UTC days as numbers since the epoch and as `YYYY-MM-DD`, which is how the files of a recording are named. */
export const DAY_MS = 86_400_000;

/** Number of the UTC day that holds this time (ms since the epoch). */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** `YYYY-MM-DD` of a day number. Gregorian calendar by eras of 400 years, counted from 1 March. */
export function dayName(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`;
}

const DAY_NAME = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The day number of `YYYY-MM-DD`; `undefined` when the text is no day of the calendar. */
export function parseDayName(name: string): number | undefined {
  const match = DAY_NAME.exec(name);
  if (match === null) return undefined;
  const month = Number(match[2]);
  const year = Number(match[1]) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + Number(match[3]) - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const day = era * 146_097 + dayOfEra - 719_468;
  return dayName(day) === name ? day : undefined;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
