import { type Instead, REFUSED_GLOBALS, REFUSED_OF_RXJS, WAITING_OF_RXJS } from './escapes.js';

/** A way out of determinism in generated code. */
export interface FoundEscape {
  /** Offset in the code. */
  readonly at: number;
  /** As the user calls it. */
  readonly name: string;
  readonly instead: Instead;
}

/** What a free global is called in the code that is searched: the bundler knows which names are free. */
const MARK = '__tickwright_free_';
const MARKED = [...Object.keys(REFUSED_GLOBALS), 'Date', 'Math'];

/** For the bundler: each free use of a global under its marked name. */
export const MARKS: Readonly<Record<string, string>> = Object.fromEntries(
  MARKED.map((name) => [name, `${MARK}${name}`]),
);

/** Syntax that the bundler is told to lower, so that async functions show by the name of what runs them. */
export const LOWERED: Readonly<Record<string, boolean>> = {
  'async-await': false,
  'async-generator': false,
  'for-await': false,
  'top-level-await': false,
  'template-literal': false,
};

const MARKED_NAME = new RegExp(`${MARK}(\\w+)`, 'g');
const LOCAL_PARTS = 'FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds';
const LOCAL_TIME = new RegExp(
  `\\.((?:[gs]et(?:${LOCAL_PARTS})|getYear|getTimezoneOffset|toDateString|toTimeString)\\b)\\s*\\(`,
  'g',
);
/** Of any object, by how it is written. */
const WRITTEN: readonly (readonly [pattern: RegExp, instead: Instead])[] = [
  [/\bimport\s*(?=\()/g, 'names'],
  [/\bimport\.meta\b/g, 'machine'],
  [/\b__async(?:Generator)?(?=\()/g, 'synchronous'],
  [/(?<=\.)constructor(?=\s*\()/g, 'names'],
  [/(?<=\.)(?:toLocale\w*|localeCompare)(?=\s*\()/g, 'locale'],
];
const SHOWN: Readonly<Record<string, string>> = {
  import: 'import()',
  __async: 'an async function',
  __asyncGenerator: 'an async function',
  constructor: 'constructor()',
};

/** All ways out in code that was bundled with `MARKS` and `LOWERED`, in no particular order. */
export function findEscapes(code: string): readonly FoundEscape[] {
  const found: FoundEscape[] = [];
  let usesDate = false;
  for (const match of code.matchAll(MARKED_NAME)) {
    const name = match[1] as string;
    const after = code.slice(match.index + match[0].length, match.index + match[0].length + 400);
    const before = code.slice(Math.max(0, match.index - 400), match.index);
    usesDate ||= name === 'Date';
    const escape =
      name === 'Date' ? ofDate(before, after) : name === 'Math' ? ofMath(before, after) : undefined;
    if (escape !== undefined) found.push({ at: match.index, ...escape });
    const instead = Object.hasOwn(REFUSED_GLOBALS, name) ? REFUSED_GLOBALS[name] : undefined;
    if (instead !== undefined) found.push({ at: match.index, name, instead });
  }
  for (const [pattern, instead] of WRITTEN) {
    for (const { 0: text, index } of code.matchAll(pattern)) {
      found.push({ at: index, name: SHOWN[text.trim()] ?? text.trim(), instead });
    }
  }
  if (usesDate) {
    for (const { 1: name = '', index } of code.matchAll(LOCAL_TIME)) {
      found.push({ at: index + 1, name: `${name}()`, instead: 'calendar' });
    }
  }
  return [...found, ...ofRxjs(code)];
}

type Escape = Omit<FoundEscape, 'at'> | undefined;

/** A date of one given time is as good as its number; everything else reads the clock or the time zone. */
function ofDate(before: string, after: string): Escape {
  if (/\binstanceof\s+$/.test(before) || /^\.UTC\b/.test(after)) return undefined;
  const member = /^\??\.(\w+)/.exec(after)?.[1];
  if (member !== undefined)
    return { name: `Date.${member}`, instead: member === 'now' ? 'time' : 'calendar' };
  if (!/\bnew\s+$/.test(before)) return { name: after.startsWith('(') ? 'Date()' : 'Date', instead: 'time' };
  const inside = firstArguments(after);
  if (inside === '' || inside.startsWith('...')) return { name: 'new Date()', instead: 'time' };
  if (hasSeveral(inside)) return { name: 'new Date(year, month …)', instead: 'calendar' };
  const text = /^["'](.*)["']$/.exec(inside)?.[1];
  const isZoned = text === undefined || /^\d{4}(?:-\d\d){0,2}$|(?:Z|[+-]\d\d:\d\d)$/.test(text);
  return isZoned ? undefined : { name: `new Date(${inside})`, instead: 'calendar' };
}

function ofMath(before: string, after: string): Escape {
  const member = /^\.(\w+)/.exec(after)?.[1];
  if (member === 'random') return { name: 'Math.random', instead: 'random' };
  if (member !== undefined) return undefined;
  const taken = /\{([\w\s,:$]*)\}\s*=\s*$/.exec(before)?.[1];
  if (taken !== undefined && !/\brandom\b/.test(taken)) return undefined;
  return {
    name: taken === undefined ? 'Math itself' : 'Math.random',
    instead: taken === undefined ? 'math' : 'random',
  };
}

function ofRxjs(code: string): readonly FoundEscape[] {
  const found: FoundEscape[] = [];
  const imports = /^import (?:\{([^}]*)\}|\* as ([\w$]+)) from "[^"\n]*:rxjs(?:\/operators)?(?:#\d+)?";$/gm;
  for (const { 1: names, 2: space, index } of code.matchAll(imports)) {
    for (const name of REFUSED_OF_RXJS) {
      if (names !== undefined && new RegExp(`(?:^|,)\\s*${name}\\b`).test(names)) {
        found.push({ at: index, name, instead: 'rxjs' });
      }
      if (space === undefined) continue;
      for (const at of usesOf(code, `${space}.${name}`, '\\b')) {
        found.push({ at, name: `${space}.${name}`, instead: 'rxjs' });
      }
    }
    for (const name of WAITING_OF_RXJS) {
      const renamed = names && new RegExp(`(?:^|,)\\s*${name}(?: as ([\\w$]+))?\\s*(?:,|$)`).exec(names);
      const called = space === undefined ? renamed && (renamed[1] ?? name) : `${space}.${name}`;
      if (!called) continue;
      for (const at of usesOf(code, called, '(?=\\()')) {
        if (hasSeveral(firstArguments(code.slice(at + called.length, at + called.length + 2_000)))) continue;
        found.push({ at, name: `${name}() without a scheduler`, instead: 'rxjs' });
      }
    }
  }
  return found;
}

/** Where a name is used, as it is and not as a part of another one. */
function usesOf(code: string, name: string, end: string): readonly number[] {
  const pattern = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$').replaceAll('.', '\\.')}${end}`, 'g');
  return [...code.matchAll(pattern)].map(({ index }) => index);
}

/** What stands between the brackets that open `text`. */
function firstArguments(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character) && --depth === 0) return text.slice(1, i).trim();
  }
  return text.slice(1).trim();
}

function hasSeveral(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (character === ',' && depth === 0) return true;
  }
  return false;
}
