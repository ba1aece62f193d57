import { HANDLER_NAMES, type Handlers } from './definition.js';
import { dropPromise } from './drop-promise.js';
import { isRecord, malformed } from './mistake.js';

const HANDLER = /^on[A-Z]/;
const HANDLERS = HANDLER_NAMES.join(', ');

/**
 * An object with nothing in it passes: what `create` schedules on event time goes on without handlers.
 *
 * @throws UsageError unless `create()` returned an object whose `on…` methods are all known handlers, and which has one of
 * them if it has anything.
 */
export function checkHandlers(name: string, handlers: Handlers): Handlers {
  if (!isRecord(handlers)) throw malformed(`create() of ${name} must return its handlers`, handlers);
  if ('then' in handlers) {
    dropPromise(handlers);
    throw malformed(`create() of ${name} must return its handlers`, handlers, 'a promise');
  }
  const names = namesOf(handlers);
  for (const key of names) {
    const meant = meantBy(key);
    if (meant !== undefined && meant !== key)
      throw malformed(`a handler of ${name} must be named ${meant}`, key, key);
    if (!HANDLER.test(key)) continue;
    if (!isHandler(key)) {
      throw malformed(
        `a handler of ${name} must be one of ${HANDLERS} (no other method is named on…)`,
        key,
        key,
      );
    }
    const handler = (handlers as Readonly<Record<string, unknown>>)[key];
    if (handler !== undefined && typeof handler !== 'function')
      throw malformed(`${key} of ${name} must be a function`, handler);
  }
  if (names.length > 0 && !names.some(isHandler)) {
    const received = `an object with ${names.join(', ')}`;
    throw malformed(`create() of ${name} must return at least one of ${HANDLERS}`, handlers, received);
  }
  return handlers;
}

function isHandler(key: string): boolean {
  return (HANDLER_NAMES as readonly string[]).includes(key);
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
  const own = Object.getOwnPropertyNames(handlers).filter((name) => name !== 'constructor');
  return [...own, ...inherited];
}
