/** Parses a line of NDJSON in a data file. */
import { lineError } from './line-error.js';

/**
 * The object of a line. Refuses duplicate keys: JSON.parse silently keeps the last value, which may not be the intended
 * one.
 */
export function objectOfLine(where: string, line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw lineError(where, 'a JSON object', cause instanceof Error ? cause.message : String(cause));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw lineError(where, 'one JSON object a line', line.slice(0, 120));
  }
  let keys = 0;
  eachKey(line, () => keys++);
  if (keys !== Object.keys(value).length) {
    const received = `${firstTwice(line)} more than once in ${line.slice(0, 120)}`;
    throw lineError(where, 'an object with each key once', received);
  }
  return value as Readonly<Record<string, unknown>>;
}

/**
 * Calls `onKey` for each key of the outermost object, but not of nested ones. `line` must be valid JSON; `start` and
 * `end` delimit the key with its quotes.
 */
function eachKey(line: string, onKey: (start: number, end: number) => void): void {
  let [depth, start, end] = [0, 0, 0];
  let isText = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (isText) {
      if (character === '\\') at++;
      else if (character === '"') [isText, end] = [false, at + 1];
    } else if (character === '"') [isText, start] = [true, at];
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (character === ':' && depth === 1) onKey(start, end);
  }
}

function firstTwice(line: string): string | undefined {
  const keys: string[] = [];
  eachKey(line, (start, end) => keys.push(JSON.parse(line.slice(start, end)) as string));
  return keys.find((key, at) => keys.indexOf(key) !== at);
}
