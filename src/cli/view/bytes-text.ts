const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `824.7 kB`: a size at a glance, in powers of a thousand. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
