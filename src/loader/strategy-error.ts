import { fileURLToPath } from 'node:url';
import { pointAt, type SourcePosition, positionText } from '../model/source-position.js';
import { moduleUrl } from './module-url.js';
import type { SourceMap } from './source-map.js';

/** The folder of our own code, as it is in stacks: modules are shown by their URL, others by their path. */
const OURS_URL = new URL('./', moduleUrl('index'));
const OURS = [OURS_URL.href, fileURLToPath(OURS_URL).replaceAll('\\', '/')];

/** What is needed to find the user's line in the stack of an exception. */
export interface StrategyOrigin {
  /** Absolute path of the strategy file. */
  readonly file: string;
  /** Absolute paths of all user files in the bundle. */
  readonly inputs: readonly string[];
  /** File URL of the loaded bundle in stacks; the bundle may be in memory only. */
  readonly bundleUrl: string;
  readonly sourceMap: SourceMap;
  /** Makes the path to print. */
  readonly shown: (path: string) => string;
}

export interface StrategyErrorPlace extends SourcePosition {
  readonly lineText: string | undefined;
}

interface ImportPlace extends StrategyErrorPlace {
  /** The module specifier as it was imported. */
  readonly module: string;
}

/** The innermost line of the user's own files in an exception's stack; `undefined` when there is none in it. */
export function locateStrategyError(error: unknown, origin: StrategyOrigin): StrategyErrorPlace | undefined {
  const stack = error instanceof Error ? (stackOf(error) ?? '') : '';
  const bundlePath = fileURLToPath(origin.bundleUrl);
  for (const frame of stack.split('\n')) {
    const match = /(?:\(|at |^)((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*?):(\d+)(?::(\d+))?\)?$/.exec(frame.trim());
    if (match === null) continue;
    const path = pathOf(match[1] as string);
    const line = Number(match[2]);
    const column = match[3] === undefined ? 1 : Number(match[3]);
    if (path === bundlePath) {
      const original = origin.sourceMap.original(line, column);
      if (original === undefined) continue;
      return {
        file: origin.shown(original.source),
        line: original.line,
        column: original.column,
        lineText: original.lineText,
      };
    }
    // The stack is mapped already, e.g. by node --enable-source-maps.
    if (origin.inputs.includes(path)) {
      return { file: origin.shown(path), line, column, lineText: lineOf(origin, path, line) };
    }
  }
  return undefined;
}

/** `file:line:col: message` with the line under it, or the message alone when the place is not known. */
export function strategyErrorText(error: unknown, origin: StrategyOrigin): string {
  const message = error instanceof Error ? messageOf(error) : thrownText(error);
  const place = locateStrategyError(error, origin);
  if (place === undefined) return `${origin.shown(origin.file)}: ${message}`;
  const line = place.lineText === undefined ? '' : `\n${pointAt(place, place.lineText)}`;
  return `${positionText(place)}: ${message}${line}`;
}

/**
 * The package whose code is in the stack, of those that a strategy imports; `undefined` where ours is in it, too.
 * `imports`: as `LoadedFile.packages` has them, such as `pkg/part`, or `pkg#2` for another copy of it.
 */
export function packageInStack(error: Error, imports: readonly string[]): string | undefined {
  const stack = (stackOf(error) ?? '').replaceAll('\\', '/');
  if (OURS.some((folder) => stack.includes(folder))) return undefined;
  return imports.map(packageOf).find((name) => stack.includes(`/node_modules/${name}/`));
}

function packageOf(imported: string): string {
  const [scope = '', name] = imported.replace(/#\d+$/, '').split('/');
  return scope.startsWith('@') && name !== undefined ? `${scope}/${name}` : scope;
}

/**
 * The stack of an Error; `undefined` where it is no text or cannot be read. Reading it runs code of a strategy that made
 * it a getter, or the message, of which the stack is composed when it is first read.
 */
export function stackOf(error: Error): string | undefined {
  try {
    const stack: unknown = error.stack;
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}

/** The message of an Error, whose getter may throw. */
export function messageOf(error: Error): string {
  try {
    return String(error.message);
  } catch {
    return 'an error whose message cannot be read';
  }
}

/** The text of a thrown value that is not an Error. */
function thrownText(value: unknown): string {
  try {
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  } catch {
    return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  }
}

/** Where the sources import this name; for names that a package lacks, which no stack shows. */
export function locateImport(
  name: string,
  origin: Pick<StrategyOrigin, 'sourceMap' | 'shown'>,
): ImportPlace | undefined {
  for (const [source, text] of origin.sourceMap.contents()) {
    for (const statement of text.matchAll(/\bimport\b[^;'"]*['"]([^'"]*)/g)) {
      const inside = new RegExp(`(?<![\\w$])${name.replace(/\$/g, '\\$&')}(?![\\w$])`).exec(statement[0]);
      if (inside === null) continue;
      const before = text.slice(0, statement.index + inside.index).split('\n');
      const line = before.length;
      const file = origin.shown(source);
      const column = (before.at(-1) as string).length + 1;
      return { file, line, column, lineText: text.split('\n')[line - 1], module: statement[1] as string };
    }
  }
  return undefined;
}

function lineOf(origin: StrategyOrigin, path: string, line: number): string | undefined {
  for (const [source, text] of origin.sourceMap.contents()) {
    if (source === path) return text.split('\n')[line - 1];
  }
  return undefined;
}

function pathOf(place: string): string {
  try {
    return place.startsWith('file://') ? fileURLToPath(place) : place;
  } catch {
    return place;
  }
}
