import { received } from './received.js';

/**
 * Of an indicator that takes its options as one object: defaults are for what is absent, not for what is misspelled.
 *
 * @throws RangeError unless `options` is an object with no other keys than these
 */
export function checkOptions<Options extends object>(
  of: string,
  options: Options,
  keys: readonly (keyof Options & string)[],
): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new RangeError(
      `the options of ${of} must be an object like { ${keys.join(', ')} }, received ${received(given)}`,
    );
  }
  const unknown = Object.keys(given).find((key) => !keys.some((known) => known === key));
  if (unknown === undefined) return;
  throw new RangeError(`an option of ${of} must be one of ${keys.join(', ')}, received ${unknown}`);
}
