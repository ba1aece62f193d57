import { argumentsIn, blockEnd, bracketsAt } from './code-text.js';
import type { FoundEscape } from './escapes.js';

type Escape = Omit<FoundEscape, 'at'> | undefined;

const HEAD = 400;
const TEXT = /^(["'])(.*)\1$/;

/**
 * Whether a use of `Date` is refused. A date of one given time is as good as its number. Everything else reads the clock
 * or the time zone: even the date's own text, and a date that is made from a text without a zone. `at`: begin of the
 * name, `end`: its end.
 */
export function dateEscape(code: string, at: number, end: number): Escape {
  const before = code.slice(Math.max(0, at - HEAD), at);
  const after = code.slice(end, end + 40);
  if (/\binstanceof\s+$/.test(before) || /^\.UTC\b/.test(after)) return undefined;
  const member = /^\??\.(\w+)/.exec(after)?.[1];
  if (member !== undefined)
    return { name: `Date.${member}`, instead: member === 'now' ? 'time' : 'calendar' };
  const made = /\bnew\s+$/.exec(before);
  if (made === null) return { name: after.startsWith('(') ? 'Date()' : 'Date', instead: 'time' };
  const inside = bracketsAt(code, end);
  const [first, ...more] = argumentsIn(inside ?? '');
  if (inside === undefined || first === undefined || first.startsWith('...')) {
    return { name: 'new Date()', instead: 'time' };
  }
  if (more.length > 0) return { name: 'new Date(year, month …)', instead: 'calendar' };
  if (!isZoned(code, first)) return { name: `new Date(${first})`, instead: 'calendar' };
  const head = before.slice(0, made.index);
  const over = end + inside.length + 2;
  return becomesText(head, code.slice(over, over + 40)) || variableBecomesText(code, head, over)
    ? { name: 'the text of a date', instead: 'calendar' }
    : undefined;
}

/** False where a date is made from a text without a time zone, as far as that can be seen. */
function isZoned(code: string, argument: string): boolean {
  const text = TEXT.exec(argument)?.[2];
  if (text !== undefined) return namesZone(text);
  // A concatenation with a text: its end contains the zone.
  if (/["']\s*\+|\+\s*["']|^["'][^"']*["']\.concat\(/.test(argument)) {
    return namesZone(/["']([^"']*)["']\)?$/.exec(argument)?.[1] ?? '');
  }
  if (!/^[\w$]+$/.test(argument)) return true;
  const name = argument.replaceAll('$', '\\$');
  const texts = code.matchAll(new RegExp(`(?:const|let|var)\\s+${name}\\s*=\\s*(["'])([^\\n]*?)\\1;`, 'g'));
  return [...texts].every(({ 2: each = '' }) => namesZone(each));
}

/** A date without a time is UTC by the language's definition. */
function namesZone(text: string): boolean {
  return /^\d{4}(?:-\d\d){0,2}$|(?:Z|[+-]\d\d:\d\d)$/.test(text);
}

/** Whether the code around an expression turns it into a text. */
function becomesText(head: string, tail: string): boolean {
  if (/^\??\.toString\b/.test(tail)) return true;
  if (/^\s*\+\s*["']/.test(tail)) return true;
  if (!/^\s*(?:[),;}\]]|$)/.test(tail)) return false;
  if (/(?:(?<![\w$.])String\(|["']\s*\+\s*)$/.test(head)) return true;
  const joined = head.lastIndexOf('.concat(');
  if (joined === -1 || !isTemplate(head.slice(0, joined))) return false;
  const pieces = head.slice(joined + '.concat('.length);
  return blockEnd(pieces, 0) === pieces.length && /^$|,\s*$/.test(pieces);
}

/** Whether the code before is a template literal, which the bundler turns into a concatenation. */
function isTemplate(before: string): boolean {
  return /["']$/.test(before) || /["']\.concat\([^;]*\)$/.test(before);
}

/** Like `becomesText`, for the variable that the expression is assigned to, up to the end of its block. */
function variableBecomesText(code: string, head: string, over: number): boolean {
  const name = /(?:const|let|var)\s+([\w$]+)\s*=\s*$/.exec(head)?.[1];
  if (name === undefined || !/^\s*[;,]/.test(code.slice(over, over + 40))) return false;
  const block = code.slice(over, blockEnd(code, over));
  const uses = block.matchAll(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'));
  return [...uses].some(({ index, 0: { length } }) =>
    becomesText(
      block.slice(Math.max(0, index - HEAD), index),
      block.slice(index + length, index + length + 40),
    ),
  );
}
