const DAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'] as const; // 1970-01-01 was a Thursday
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/**
 * A time as the `Date` header writes it (RFC 9110, IMF-fixdate). By arithmetic, because the venue's time is not the
 * system's and the core of a venue has no `Date`. Civil date from days: H. Hinnant, "chrono-compatible low-level date
 * algorithms".
 */
export function httpDate(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const days = Math.floor(seconds / 86_400);
  const inDay = seconds - days * 86_400;
  const shifted = days + 719_468; // days since 0000-03-01
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
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 2 : fromMarch - 10;
  const year = yearOfEra + era * 400 + (month <= 1 ? 1 : 0);
  const weekday = DAYS[((days % 7) + 7) % 7] as string;
  const clock = [Math.floor(inDay / 3_600), Math.floor(inDay / 60) % 60, inDay % 60].map(two).join(':');
  return `${weekday}, ${two(day)} ${MONTHS[month] as string} ${String(year).padStart(4, '0')} ${clock} GMT`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
