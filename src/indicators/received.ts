/** What was received, so that `'5'` is not taken for `5`. */
export function received(value: unknown): string {
  if (typeof value === 'string' || (typeof value === 'object' && value !== null))
    return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'function' ? 'a function' : String(value);
}
