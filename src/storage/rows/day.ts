/** UTC days as `YYYY-MM-DD`, which is how the files of a recording are named. */
import { dayName, dayNumber } from '../../model/calendar.js';

export { DAY_MS, dayName, dayOf } from '../../model/calendar.js';

const DAY_NAME = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The day number of `YYYY-MM-DD`; `undefined` when the text is no day of the calendar. */
export function parseDayName(name: string): number | undefined {
  const match = DAY_NAME.exec(name);
  if (match === null) return undefined;
  const number = dayNumber({ year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) });
  return dayName(number) === name ? number : undefined;
}
