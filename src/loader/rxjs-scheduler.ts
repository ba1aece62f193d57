import { argumentsIn, usesOf, valuesOf } from './code-text.js';
import { WAITING_OF_RXJS } from './escapes.js';

const NAME = /^[\w$]+$/;
const NOTHING = /^(?:undefined|void 0|null)$/;
/** Arguments that cannot hold options: nothing, a text, a list, a date (its name is marked during the search). */
const NO_OBJECT = /^(?:(?:undefined|void 0|null|true|false)$|["'[]|\.\.\.|new [\w$]*Date\()/;
/** Pattern of an assignment to a member, to follow a name. */
const MEMBER_ASSIGNED = '(?:\\.[\\w$]+|\\[[^\\]]*\\])+ (?:\\?\\?|\\|\\||&&)?= ';
/** Stands for an object of unknown contents. */
const ANYTHING = '{ ...unknown }';
/** How many names that refer to other names are followed. */
const DEEP = 4;

/**
 * Whether an operator that waits gets a scheduler, as far as the code shows; a name with an unknown value may be one.
 * What this misses throws at run time (`strategy/rxjs-guard.ts`).
 */
export function isGivenScheduler(code: string, operator: string, given: readonly string[]): boolean {
  const place = WAITING_OF_RXJS.get(operator);
  const [first = '', ...more] = given;
  const argument = place === 'last' ? more.at(-1) : place === undefined ? undefined : given[place];
  if (mayBeScheduler(code, argument)) return true;
  return operator === 'timeout' && optionsOf(code, first).some((text) => hasScheduler(code, text));
}

/** Whether the options of `retry` or `repeat` say how many ms to wait. */
export function waitsBetweenTries(code: string, given: readonly string[]): boolean {
  return optionsOf(code, given[0] ?? '').some((text) => {
    const delay = option(text, 'delay');
    return delay !== undefined && isNumber(code, delay);
  });
}

/** The objects that an argument may be: itself, the values of its name, or an object of unknown contents. */
function optionsOf(code: string, argument: string, deep = DEEP): readonly string[] {
  if (argument.startsWith('{')) return [argument];
  if (argument === '' || NO_OBJECT.test(argument)) return [];
  const values = NAME.test(argument) && deep > 0 ? valuesOf(code, argument) : [];
  if (values.length === 0) {
    // A choice (`a ? b : c`) is not a number, whatever its condition computes.
    return isNumber(code, argument) && !/ \? /.test(withoutBrackets(argument)) ? [] : [ANYTHING];
  }
  const options = values.flatMap((value) => optionsOf(code, value, deep - 1));
  return isFilledLater(code, argument) ? [...options, ANYTHING] : options;
}

/** Whether members of a name are assigned. */
function isFilledLater(code: string, name: string): boolean {
  if (usesOf(code, name, MEMBER_ASSIGNED).length > 0) return true;
  return usesOf(code, 'Object.assign', `\\(${name.replaceAll('$', '\\$')}(?![\\w$])`).length > 0;
}

function hasScheduler(code: string, options: string): boolean {
  if (/^\{\s*\.\.\.|,\s*\.\.\./.test(options)) return true;
  return mayBeScheduler(code, option(options, 'scheduler'));
}

/** The value of an object's key; for a shorthand key the key itself; a method has no value. */
function option(object: string, key: string): string | undefined {
  const inside = object.slice(1, object.lastIndexOf('}'));
  for (const each of argumentsIn(inside)) {
    if (each === key) return key;
    const value = new RegExp(`^["']?${key}["']?:\\s*`).exec(each)?.[0];
    if (value !== undefined) return each.slice(value.length);
  }
  return undefined;
}

function mayBeScheduler(code: string, argument: string | undefined, deep = DEEP): boolean {
  if (argument === undefined || NOTHING.test(argument) || /^(?:["'[{]|\.\.\.|true\b|false\b)/.test(argument))
    return false;
  if (isNumber(code, argument)) return false;
  const values = NAME.test(argument) && deep > 0 ? valuesOf(code, argument) : [];
  return values.length === 0 || values.some((value) => mayBeScheduler(code, value, deep - 1));
}

/**
 * Whether an expression is a number: by its text, by all values of its name, or as a numeric parameter of the strategy.
 */
function isNumber(code: string, expression: string, deep = DEEP): boolean {
  if (/^[-+(]*\.?\d/.test(expression) || /^\w*(?:Math\.\w|Number\(|parse(?:Int|Float)\()/.test(expression))
    return true;
  if (/ (?:[-+*/%]|\*\*) /.test(withoutBrackets(expression))) return !expression.includes('=>');
  const name = /^(?:[\w$]+\??\.)*([\w$]+)$/.exec(expression)?.[1]?.replaceAll('$', '\\$');
  if (name === undefined) return false;
  if (new RegExp(`(?<![\\w$])${name}: (?:integer|number|decimal|barInterval)\\d*\\(`).test(code)) return true;
  const values = NAME.test(expression) && deep > 0 ? valuesOf(code, expression) : [];
  return values.length > 0 && values.every((value) => isNumber(code, value, deep - 1));
}

function withoutBrackets(text: string): string {
  const less = text.replace(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g, '');
  return less === text ? text : withoutBrackets(less);
}
