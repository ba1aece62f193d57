/**
 * For a promise that is a mistake, and is reported as one. If it is rejected later, nobody handles that: it would end the
 * process, with the lesser error of the two.
 */
export function dropPromise(value: unknown): void {
  if (value instanceof Promise) value.catch(() => undefined);
}
