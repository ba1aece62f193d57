import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type Scalar } from 'yaml';
import type { ConfigProblem } from './config-problem.js';
import { type Environment, substitute } from './substitute.js';

export type Path = readonly (string | number)[];

/** Where a value stands, and how it was written. */
export interface Place {
  /** The key, where there is one. */
  readonly key: readonly [start: number, end: number] | undefined;
  readonly value: readonly [start: number, end: number];
}

export interface YamlDocument {
  /** Plain objects, lists and scalars. */
  readonly value: unknown;
  readonly problems: readonly ConfigProblem[];
  /** Of the value at this path, or of the nearest one around it. */
  placeOf(path: Path): Place;
  /** An environment variable stands in the value at this path. */
  isFromEnvironment(path: Path): boolean;
}

export interface YamlOptions {
  readonly environment: Environment;
  /** Scalars under these paths are taken as they are written: `0.10` is the text 0.10, not a number. */
  readonly isText: (path: Path) => boolean;
}

const MOST_DEPTH = 32;
const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype'];
const SECRET_KEY =
  /^(api[_-]?key|api[_-]?secret|secret([_-]?key)?|password|passphrase|token|private[_-]?key|credentials?)$/i;

/**
 * Reads YAML 1.2 strictly: no warnings, no aliases, no tags, no keys twice; with the place of every value.
 * Never throws for what is in the text.
 */
export function readYaml(text: string, options: YamlOptions): YamlDocument {
  const builder = new Builder(text, options);
  let value: unknown;
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      strict: true,
      uniqueKeys: true,
      merge: false,
      customTags: [],
      stringKeys: true,
      prettyErrors: false,
    });
    let last = -1;
    for (const { code, pos, message } of [...document.errors, ...document.warnings]) {
      const bare = bareVariable(text, pos[0]);
      if (bare !== undefined) {
        const expected = 'expected quotes around it inside of { } and [ ]';
        builder.problem(bare.start, bare.end, [], `${expected}, received \${${bare.name}}`);
        // Whatever follows is read by the wrong bracket.
        break;
      }
      // The parser may stumble many times over one place.
      if (pos[0] === last) continue;
      last = pos[0];
      const received = code === 'MULTIPLE_DOCS' ? 'one more' : `what is none: ${message}`;
      const expected = code === 'MULTIPLE_DOCS' ? 'one document in a file' : 'YAML';
      builder.problem(pos[0], pos[1], [], `expected ${expected}, received ${received}`);
    }
    if (builder.problems.length === 0) value = builder.build(document.contents, []);
  } catch (cause) {
    // The parser's own recursion is what ends on absurdly deep nesting.
    const reason = cause instanceof RangeError ? 'nesting that is too deep' : String(cause);
    builder.problem(0, 1, [], `expected YAML, received ${reason}`);
  }
  return {
    value,
    problems: builder.problems,
    placeOf: (path) => builder.placeOf(path),
    isFromEnvironment: (path) => builder.isFromEnvironment(path),
  };
}

const BARE_VARIABLE = /^\$\{(\w*)[^\n}]*\}?/;

/** The `${NAME}` whose brace the parser stumbled over at `at`: inside of a flow map or list it begins another map. */
function bareVariable(
  text: string,
  at: number,
): { readonly start: number; readonly end: number; readonly name: string } | undefined {
  const start = at - 1;
  const [placeholder, name = ''] = (start < 0 ? null : BARE_VARIABLE.exec(text.slice(start))) ?? [];
  return placeholder === undefined ? undefined : { start, end: start + placeholder.length, name };
}

class Builder {
  readonly problems: ConfigProblem[] = [];
  readonly #text: string;
  readonly #options: YamlOptions;
  readonly #places = new Map<string, Place>();
  readonly #fromEnvironment = new Set<string>();

  constructor(text: string, options: YamlOptions) {
    this.#text = text;
    this.#options = options;
  }

  problem(start: number, end: number, path: Path, message: string): void {
    this.problems.push({ start, end, path: pathText(path), message });
  }

  placeOf(path: Path): Place {
    for (let length = path.length; length >= 0; length--) {
      const place = this.#places.get(keyOf(path.slice(0, length)));
      if (place !== undefined) return place;
    }
    return { key: undefined, value: [0, 1] };
  }

  isFromEnvironment(path: Path): boolean {
    return this.#fromEnvironment.has(keyOf(path));
  }

  build(node: Node | null, path: Path, key?: readonly [number, number]): unknown {
    const [start = key?.[1] ?? 0, end = start] = node?.range ?? [];
    this.#places.set(keyOf(path), { key, value: [start, end] });
    if (path.length > MOST_DEPTH) {
      this.problem(start, end, path, `expected at most ${MOST_DEPTH} levels, received more`);
      return undefined;
    }
    if (isMap(node)) return this.#map(node.items, path);
    if (isSeq(node))
      return node.items.map((item, index) => this.build(item as Node | null, [...path, index]));
    if (isScalar(node)) return this.#scalar(node, path, start);
    if (isAlias(node)) this.problem(start, end, path, `expected a value, received the alias *${node.source}`);
    return null;
  }

  #map(pairs: readonly Pair[], path: Path): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const pair of pairs) {
      // stringKeys: a key that is no text was an error of the parser.
      const keyNode = pair.key as Scalar<string>;
      const name = keyNode.value;
      const [start, end] = keyNode.range ?? [0, 0];
      const at = [...path, name];
      if (FORBIDDEN_KEYS.includes(name)) {
        this.problem(start, end, at, `expected an ordinary key, received ${name}`);
        continue;
      }
      if (SECRET_KEY.test(name)) {
        this.problem(
          start,
          end,
          at,
          `expected no secret in this file, received ${name}: ${WHERE_SECRETS_GO}`,
        );
        continue;
      }
      object[name] = this.build(pair.value as Node | null, at, [start, end]);
    }
    return object;
  }

  #scalar(node: Scalar, path: Path, start: number): unknown {
    const asText = this.#options.isText(path);
    if (typeof node.value !== 'string') return asText && node.value !== null ? node.source : node.value;
    const { text, isFromEnvironment, problems } = substitute(node.value, this.#options.environment);
    if (isFromEnvironment) this.#fromEnvironment.add(keyOf(path));
    for (const { start: from, end: to, message } of problems) {
      // Quotes and escapes may stand before it: it is looked up in the file.
      const shift = Math.max(0, this.#text.indexOf(node.value.slice(from, to), start) - start);
      this.problem(start + shift, start + shift + to - from, path, message);
    }
    return node.type === 'PLAIN' && text !== node.value && !asText ? plainValue(text) : text;
  }
}

const WHERE_SECRETS_GO =
  'put it into a file of your own (chmod 600) and name that in venue.apiKeyFile and venue.apiSecretFile, or use ' +
  'TICKWRIGHT_VENUE__API_KEY and TICKWRIGHT_VENUE__API_SECRET';

/** `limits.maxPosition`, `strategies[0].pair`. */
export function pathText(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

/** What a plain scalar of YAML's core schema is, once its variables are replaced. */
function plainValue(text: string): unknown {
  if (/^(true|True|TRUE)$/.test(text)) return true;
  if (/^(false|False|FALSE)$/.test(text)) return false;
  if (/^(null|Null|NULL|~|)$/.test(text)) return null;
  if (/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  return text;
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
