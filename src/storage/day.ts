/** UTC days as `YYYY-MM-DD`, which is how the files of a recording are named. */
import { civilDate, dayNumber } from '../model/calendar.js';

export { DAY_MS, dayOf } from '../model/calendar.js';

/** `YYYY-MM-DD` of a day number. */
export function dayName(number: number): string {
  const { year, month, day } = civilDate(number);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

const DAY_NAME = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The day number of `YYYY-MM-DD`; `undefined` when the text is no day of the calendar. */
export function parseDayName(name: string): number | undefined {
  const match = DAY_NAME.exec(name);
  if (match === null) return undefined;
  const number = dayNumber({ year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) });
  return dayName(number) === name ? number : undefined;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
