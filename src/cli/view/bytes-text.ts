const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size like `824.7 kB`, in powers of a thousand. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
