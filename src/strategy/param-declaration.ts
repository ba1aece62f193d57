/** Checks of parameter declarations. Strategies may lack types, so a mistake must fail at the line that makes it. */
import { UsageError } from '../model/errors.js';
import { isRecord, receivedText } from './mistake.js';

/** @throws UsageError unless `options` is an object with no keys other than these. */
export function optionsOf<Options extends object>(
  maker: string,
  options: Options,
  keys: readonly (keyof Options & string)[],
): Options {
  const given: unknown = options;
  if (!isRecord(given) || Array.isArray(given)) {
    throw declarationError(
      `${maker}(…) must be given an object like { ${keys.join(', ')} }`,
      receivedText(given),
    );
  }
  const unknown = Object.keys(given).find((key) => !keys.some((known) => known === key));
  if (unknown === undefined) return options;
  throw declarationError(`an option of ${maker}({ … }) must be one of ${keys.join(', ')}`, unknown);
}

/** @throws UsageError when the default is not a valid value. */
export function checkDefault(maker: string, must: string, fallback: unknown, isOne: boolean): void {
  if (!isOne)
    throw declarationError(`the default of ${maker}({ … }) must be ${must}`, receivedText(fallback));
}

/**
 * Checks `min` and `max`; either may be absent. @throws UsageError when one is not a valid bound, or min is above max.
 */
export function checkBounds<T>(
  maker: string,
  { min, max }: { readonly min?: T | undefined; readonly max?: T | undefined },
  { must, isOne, isAbove }: { must: string; isOne: (bound: T) => boolean; isAbove: (a: T, b: T) => boolean },
): void {
  for (const [name, bound] of [
    ['min', min],
    ['max', max],
  ] as const) {
    if (bound !== undefined && !isOne(bound))
      throw declarationError(`the ${name} of ${maker}({ … }) must be ${must}`, receivedText(bound));
  }
  if (min !== undefined && max !== undefined && isAbove(min, max)) {
    throw declarationError(
      `the min of ${maker}({ … }) must not be above its max`,
      `${receivedText(min)} and ${receivedText(max)}`,
    );
  }
}

function declarationError(must: string, received: string): UsageError {
  return new UsageError('TICKWRIGHT_E_STRATEGY', `${must}, received ${received}`);
}
