import { HANDLER_NAMES, type Handlers } from './definition.js';
import { isRecord, malformed } from './mistake.js';

const HANDLER = /^on[A-Z]/;

/** @throws UsageError unless `create()` returned an object whose `on…` methods are all known handlers. */
export function checkHandlers(name: string, handlers: Handlers): Handlers {
  if (!isRecord(handlers)) throw malformed(`create() of ${name} must return its handlers`, handlers);
  if ('then' in handlers)
    throw malformed(`create() of ${name} must return its handlers`, handlers, 'a promise');
  for (const key of namesOf(handlers)) {
    const meant = meantBy(key);
    if (meant !== undefined && meant !== key)
      throw malformed(`a handler of ${name} must be named ${meant}`, key, key);
    if (!HANDLER.test(key)) continue;
    if (!(HANDLER_NAMES as readonly string[]).includes(key)) {
      const names = HANDLER_NAMES.join(', ');
      throw malformed(
        `a handler of ${name} must be one of ${names} (no other method is named on…)`,
        key,
        key,
      );
    }
    const handler = (handlers as Readonly<Record<string, unknown>>)[key];
    if (handler !== undefined && typeof handler !== 'function')
      throw malformed(`${key} of ${name} must be a function`, handler);
  }
  return handlers;
}

/**
 * The handler that a misspelt key stands for (wrong case, punctuation, plural). JavaScript would silently never call it.
 */
function meantBy(key: string): string | undefined {
  if (!/^on/i.test(key)) return undefined;
  const plain = key.replaceAll(/[^a-z]/gi, '').toLowerCase();
  return HANDLER_NAMES.find((name) => plain === name.toLowerCase() || plain === `${name.toLowerCase()}s`);
}

/** Names of all methods, with those of base classes: methods of a class are not keys of its instances. */
function namesOf(handlers: object): readonly string[] {
  const prototype = Object.getPrototypeOf(handlers) as object | null;
  const inherited = prototype === null || prototype === Object.prototype ? [] : namesOf(prototype);
  return [...Object.getOwnPropertyNames(handlers), ...inherited];
}
