import { argumentsIn, bracketsAt, usesOf, withoutTexts } from './code-text.js';
import {
  type FoundEscape,
  REFUSED_OF_RXJS,
  REPLAYING_OF_RXJS,
  TRYING_OF_RXJS,
  WAITING_OF_RXJS,
} from './escapes.js';
import { isGivenScheduler, waitsBetweenTries } from './rxjs-scheduler.js';

const IMPORT =
  /^import (?:([\w$]+)(?:, )?)?(?:\{([^}]*)\}|\* as ([\w$]+))? ?from "[^"\n]*:rxjs(?:\/operators)?(?:#\d+)?";$/gm;
/** Marks a name that is passed on instead of called, so that its use cannot be checked. */
const ITSELF = 'itself';

/** Finds names of RxJS that read the machine's clock, and operators that do so without a scheduler of their own. */
export function rxjsEscapes(code: string): readonly FoundEscape[] {
  const body = withoutTexts(code.replace(IMPORT, (line) => ' '.repeat(line.length)));
  return [...code.matchAll(IMPORT)].flatMap(({ 1: whole, 2: names, 3: space, index }) => [
    ...[whole, space].filter((name) => name !== undefined).flatMap((name) => ofNamespace(body, name)),
    ...ofNames(body, names ?? '', index),
  ]);
}

function ofNames(body: string, names: string, at: number): FoundEscape[] {
  const found: FoundEscape[] = [];
  for (const [, name = '', alias] of names.matchAll(/([\w$]+)(?: as ([\w$]+))?/g)) {
    // A CommonJS package imported as a whole.
    if (name === 'default') found.push(...ofNamespace(body, alias ?? name));
    else if (REFUSED_OF_RXJS.includes(name)) found.push({ at, name, instead: 'rxjs' });
    else found.push(...ofOperator(body, name, alias ?? name));
  }
  return found;
}

function ofNamespace(body: string, space: string): FoundEscape[] {
  return usesOf(body, space, '\\b').flatMap((at): readonly FoundEscape[] => {
    const member = /^\??\.([\w$]+)/.exec(body.slice(at + space.length))?.[1];
    if (member === undefined) return [{ at, name: `${space} ${ITSELF}`, instead: 'names' }];
    const called = `${space}.${member}`;
    if (REFUSED_OF_RXJS.includes(member)) return [{ at, name: called, instead: 'rxjs' }];
    return ofUse(body, { name: member, called, at });
  });
}

function ofOperator(body: string, name: string, called: string): readonly FoundEscape[] {
  return usesOf(body, called, '\\b').flatMap((at) => ofUse(body, { name, called, at }));
}

interface Use {
  /** The name in RxJS, and the name in the code. */
  readonly name: string;
  readonly called: string;
  readonly at: number;
}

function ofUse(body: string, { name, called, at }: Use): readonly FoundEscape[] {
  const isWaiting = WAITING_OF_RXJS.has(name);
  const isTrying = TRYING_OF_RXJS.includes(name);
  if (!isWaiting && !isTrying && !REPLAYING_OF_RXJS.includes(name)) return [];
  const before = body.slice(Math.max(0, at - 40), at);
  const end = at + called.length;
  const inside = bracketsAt(body, end);
  if (isOwnName(before, body.slice(end, end + 40))) return [];
  if (inside === undefined) {
    return /\binstanceof\s+$/.test(before) ? [] : [{ at, name: `${name} ${ITSELF}`, instead: 'rxjs' }];
  }
  // A method of the same name is being defined.
  if (/^\s*\{/.test(body.slice(end + inside.length + 2, end + inside.length + 6))) return [];
  const given = argumentsIn(inside);
  if (isWaiting) {
    return isGivenScheduler(body, name, given)
      ? []
      : [{ at, name: `${name}() without a scheduler`, instead: 'rxjs' }];
  }
  if (isTrying) {
    return waitsBetweenTries(body, given)
      ? [{ at, name: `${name}() with a delay in ms`, instead: 'tries' }]
      : [];
  }
  return replaysByEventTime(body, given)
    ? []
    : [{ at, name: `${name}() by a window of time`, instead: 'rxjs' }];
}

/** Whether the name is a key or a field of the user's own, named like an operator. */
function isOwnName(before: string, after: string): boolean {
  if (/["']$/.test(before) || /^\s*=(?![=>])/.test(after)) return true;
  if (/[{,]\s*$/.test(before) && /^\s*:/.test(after)) return true;
  return /(?:\n|\{|;|\bstatic)\s*$/.test(before) && after.startsWith(';');
}

/**
 * Whether the arguments (size, window, clock; or an object of them) avoid the machine's clock. Without a window none is
 * read.
 */
function replaysByEventTime(body: string, given: readonly string[]): boolean {
  const [first = '', window = 'Infinity', clock] = given;
  if (given.some((each) => each.startsWith('...'))) return false;
  if (clock !== undefined) return !/^(?:undefined|void 0|null)$/.test(clock);
  if (!/^(?:Infinity|1 ?\/ ?0|undefined|void 0)$/.test(window)) return false;
  if (first.startsWith('{')) {
    if (/^\{\s*\.\.\.|,\s*\.\.\./.test(first)) return false;
    return !hasKey(first, 'windowTime') || hasKey(first, 'scheduler');
  }
  // Another value may be such an object, if the code has one anywhere.
  return /^[\d_.e+]+$|^$/.test(first) || !hasKey(body, 'windowTime');
}

function hasKey(text: string, key: string): boolean {
  return new RegExp(`(?<![\\w$])["']?${key}["']?\\s*[:,}=](?!=)`).test(text);
}
