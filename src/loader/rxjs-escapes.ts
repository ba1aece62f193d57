import { argumentsIn, bracketsAt, usesOf } from './code-text.js';
import { type FoundEscape, REFUSED_OF_RXJS, REPLAYING_OF_RXJS, WAITING_OF_RXJS } from './escapes.js';

const IMPORT =
  /^import (?:([\w$]+)(?:, )?)?(?:\{([^}]*)\}|\* as ([\w$]+))? ?from "[^"\n]*:rxjs(?:\/operators)?(?:#\d+)?";$/gm;
/** A name that cannot be checked, as nobody sees what it is used for. */
const ITSELF = 'itself';

/** Names of RxJS that read the machine's clock, and operators of it that do unless they are given another one. */
export function rxjsEscapes(code: string): readonly FoundEscape[] {
  const body = withoutTexts(code.replace(IMPORT, (line) => ' '.repeat(line.length)));
  return [...code.matchAll(IMPORT)].flatMap(({ 1: whole, 2: names, 3: space, index }) => [
    ...[whole, space].filter((name) => name !== undefined).flatMap((name) => ofNamespace(body, name)),
    ...ofNames(body, names ?? '', index),
  ]);
}

/** The same places without what texts say; a key in quotes is none. */
function withoutTexts(code: string): string {
  return code.replace(/(["'])((?:(?!\1)[^\\\n]|\\.)*)\1(?!:)/g, (_, quote: string, text: string) => {
    return `${quote}${' '.repeat(text.length)}${quote}`;
  });
}

function ofNames(body: string, names: string, at: number): FoundEscape[] {
  const found: FoundEscape[] = [];
  for (const [, name = '', alias] of names.matchAll(/([\w$]+)(?: as ([\w$]+))?/g)) {
    // CommonJS as a whole.
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
  /** As RxJS calls it, and as the code does. */
  readonly name: string;
  readonly called: string;
  readonly at: number;
}

function ofUse(body: string, { name, called, at }: Use): readonly FoundEscape[] {
  const inside = bracketsAt(body, at + called.length);
  const given = inside === undefined ? undefined : argumentsIn(inside);
  if (WAITING_OF_RXJS.includes(name)) {
    if (given === undefined || given.length > 1) return [];
    return [{ at, name: `${name}() without a scheduler`, instead: 'rxjs' }];
  }
  if (!REPLAYING_OF_RXJS.includes(name)) return [];
  const before = body.slice(Math.max(0, at - 20), at);
  if (given === undefined) {
    return /\binstanceof\s+$/.test(before) ? [] : [{ at, name: `${name} ${ITSELF}`, instead: 'rxjs' }];
  }
  return replaysByEventTime(body, given)
    ? []
    : [{ at, name: `${name}() by a window of time`, instead: 'rxjs' }];
}

/** Size, window, clock; or an object of those. Without a window no clock is read. */
function replaysByEventTime(body: string, given: readonly string[]): boolean {
  const [first = '', window = 'Infinity', clock] = given;
  if (given.some((each) => each.startsWith('...'))) return false;
  if (clock !== undefined) return !/^(?:undefined|void 0|null)$/.test(clock);
  if (!/^(?:Infinity|1 ?\/ ?0|undefined|void 0)$/.test(window)) return false;
  if (first.startsWith('{')) {
    if (/^\{\s*\.\.\.|,\s*\.\.\./.test(first)) return false;
    return !hasKey(first, 'windowTime') || hasKey(first, 'scheduler');
  }
  // Something else may be such an object, where the code has one.
  return /^[\d_.e+]+$|^$/.test(first) || !hasKey(body, 'windowTime');
}

function hasKey(text: string, key: string): boolean {
  return new RegExp(`(?<![\\w$])["']?${key}["']?\\s*[:,}=](?!=)`).test(text);
}
