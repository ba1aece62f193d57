/** The object itself, and all that it is made of, which nobody can change any more. */
export function frozen<T extends object>(value: T): Readonly<T> {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null && !Object.isFrozen(part)) frozen(part);
  }
  return Object.freeze(value);
}
