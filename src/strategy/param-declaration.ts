/** What a parameter may be declared with: strategies are written without types, too, and a mistake is told at its line. */
import { UsageError } from '../model/errors.js';
import { isRecord, receivedText } from './mistake.js';

/** @throws UsageError unless it is an object with no other keys than these */
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

/** @throws UsageError for a default that is none */
export function checkDefault(maker: string, must: string, fallback: unknown, isOne: boolean): void {
  if (!isOne)
    throw declarationError(`the default of ${maker}({ … }) must be ${must}`, receivedText(fallback));
}

/** Bounds as their makers compare them; absent ones are none. @throws UsageError for bounds that hold nothing */
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
