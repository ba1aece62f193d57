import { civilDate, DAY_MS, dayOf } from '../../model/calendar.js';

const DAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'] as const; // 1970-01-01 was a Thursday
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/**
 * A time in the format of the `Date` header (RFC 9110, IMF-fixdate). Computed without `Date`, which the venue must not
 * use.
 */
export function httpDate(ms: number): string {
  const number = dayOf(ms);
  const { year, month, day } = civilDate(number);
  const seconds = Math.floor((ms - number * DAY_MS) / 1_000);
  const weekday = DAYS[((number % 7) + 7) % 7] as string;
  const clock = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${weekday}, ${two(day)} ${MONTHS[month - 1] as string} ${String(year).padStart(4, '0')} ${clock} GMT`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
