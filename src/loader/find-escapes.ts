import { constructorEscapes } from './constructor-escapes.js';
import { dateEscape } from './date-escapes.js';
import { type FoundEscape, type Instead, REFUSED_GLOBALS } from './escapes.js';
import { rxjsEscapes } from './rxjs-escapes.js';

/** Prefix of free globals in the searched code. Only the bundler knows which names are free. */
const MARK = '__tickwright_free_';
const MARKED = [...Object.keys(REFUSED_GLOBALS), 'Date', 'Math'];

/** Definitions for the bundler that rename each free use of a global. */
export const MARKS: Readonly<Record<string, string>> = Object.fromEntries(
  MARKED.map((name) => [name, `${MARK}${name}`]),
);

/** Syntax that the bundler must lower, so that async functions show by the name of the helper that runs them. */
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
/** Patterns of syntax that is refused on any object. */
const WRITTEN: readonly (readonly [pattern: RegExp, instead: Instead])[] = [
  [/\bimport\s*(?=\()/g, 'names'],
  [/\bimport\.meta\b/g, 'machine'],
  [/\b__async(?:Generator)?(?=\()/g, 'synchronous'],
  [/(?<=\.)(?:fromAsync|toPromise)(?=\s*\()/g, 'synchronous'],
  [/(?<=\.)allocUnsafe\w*(?=\s*\()/g, 'memory'],
  [/(?<=\.)createObjectURL(?=\s*\()/g, 'random'],
  [/(?<=\.)(?:toLocale\w*|localeCompare)(?=\s*\()/g, 'locale'],
];
const SHOWN: ReadonlyMap<string, string> = new Map([
  ['import', 'import()'],
  ['__async', 'an async function'],
  ['__asyncGenerator', 'an async function'],
]);

/** All uses of refused sources in code that was bundled with `MARKS` and `LOWERED`, in no particular order. */
export function findEscapes(code: string): readonly FoundEscape[] {
  const found: FoundEscape[] = [];
  let usesDate = false;
  for (const match of code.matchAll(MARKED_NAME)) {
    const name = match[1] as string;
    const end = match.index + match[0].length;
    const after = code.slice(end, end + 400);
    const before = code.slice(Math.max(0, match.index - 400), match.index);
    usesDate ||= name === 'Date';
    const escape =
      name === 'Date'
        ? dateEscape(code, match.index, end)
        : name === 'Math'
          ? ofMath(before, after)
          : undefined;
    if (escape !== undefined) found.push({ at: match.index, ...escape });
    const instead = Object.hasOwn(REFUSED_GLOBALS, name) ? REFUSED_GLOBALS[name] : undefined;
    if (instead !== undefined) found.push({ at: match.index, name, instead });
  }
  // In texts, too: to refuse one that says `import (` is better than to miss a call that a tokenizer takes for a text.
  for (const [pattern, instead] of WRITTEN) {
    for (const { 0: text, index } of code.matchAll(pattern)) {
      found.push({ at: index, name: SHOWN.get(text.trim()) ?? text.trim(), instead });
    }
  }
  if (usesDate) {
    for (const { 1: name = '', index } of code.matchAll(LOCAL_TIME)) {
      found.push({ at: index + 1, name: `${name}()`, instead: 'calendar' });
    }
  }
  return [...found, ...constructorEscapes(code), ...rxjsEscapes(code)];
}

type Escape = Omit<FoundEscape, 'at'> | undefined;

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
