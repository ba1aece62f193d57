/** Freezes the object and everything inside it, and returns the same object. */
export function frozen<T extends object>(value: T): Readonly<T> {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null && !Object.isFrozen(part)) frozen(part);
  }
  return Object.freeze(value);
}
