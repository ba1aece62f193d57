/**
 * Conditions over a result, for `--fail-if`. The grammar, in full:
 *
 *     condition  = and { "||" and }
 *     and        = term { "&&" term }
 *     term       = "!" term | "(" condition ")" | operand ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) operand
 *     operand    = key | number [ "%" ] | "'" text "'" | '"' text '"'
 *
 * A key is one of the result (`maxDrawdown`, `pnl.through`, `data.gaps`), or of its metrics by its last name
 * (`winRate`); `pnl` alone is the lowest of the fill models. It may have `-` and `.` inside, as the pair of
 * `strategies.BTC-USDT.pnl.queue` has. Nothing is evaluated but this. A figure that there is too little data for fails
 * every gate, however it is spelt: what compares it counts as that which makes the condition hold.
 */
import { UsageError } from '../model/errors.js';

type Value = number | string | null;

/** Looks a key up; `undefined` when there is none. `null` is a figure that there is too little data for. */
export type Lookup = (key: string) => Value | undefined;

export interface FailIf {
  readonly text: string;
  /** The keys that are compared with a percentage. */
  readonly shares: readonly string[];
  /** What holds, as `sharpe < 1: 0.42 < 1`; empty when the condition does not. @throws UsageError for an unknown key */
  check(lookup: Lookup): readonly string[];
}

type Node =
  | { readonly kind: 'or' | 'and'; readonly parts: readonly Node[] }
  | { readonly kind: 'not'; readonly part: Node }
  | {
      readonly kind: 'compare';
      readonly left: Operand;
      readonly operator: Operator;
      readonly right: Operand;
    };
type Operand =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'value'; readonly value: number | string; readonly isShare?: boolean };
type Operator = '<' | '<=' | '>' | '>=' | '==' | '!=';

interface Token {
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /\s*(?:(\|\||&&|<=|>=|==|!=|[<>!()])|(-?(?:\d+\.?\d*|\.\d+)%?)|([A-Za-z_](?:[\w.-]*\w)?)|('[^']*'|"[^"]*"))/y;
const OPERATORS: readonly string[] = ['<', '<=', '>', '>=', '==', '!='];
const MOST_CHARACTERS = 1_000;

/** @throws UsageError with the column of what is not understood */
export function parseFailIf(text: string): FailIf {
  const tokens = tokensOf(text);
  const shares: string[] = [];
  let next = 0;
  const root = condition();
  const rest = tokens[next];
  if (rest !== undefined) throw unexpected(text, rest, 'the end, && or ||');
  return { text, shares, check };

  function check(lookup: Lookup): readonly string[] {
    const { isTrue, reasons } = holds(root, lookup, true);
    return isTrue ? reasons : [];
  }

  function condition(): Node {
    const parts = [conjunction()];
    while (take('||')) parts.push(conjunction());
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'or', parts };
  }

  function conjunction(): Node {
    const parts = [term()];
    while (take('&&')) parts.push(term());
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'and', parts };
  }

  function term(): Node {
    if (take('!')) return { kind: 'not', part: term() };
    if (take('(')) {
      const inner = condition();
      if (!take(')')) throw unexpected(text, tokens[next], ')');
      return inner;
    }
    const left = operand();
    const operator = tokens[next];
    if (operator === undefined || !OPERATORS.includes(operator.text)) {
      throw unexpected(text, operator, 'one of < <= > >= == !=');
    }
    next++;
    const right = operand();
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (one.kind === 'key' && other.kind === 'value' && other.isShare === true) shares.push(one.key);
    }
    return { kind: 'compare', left, operator: operator.text as Operator, right };
  }

  function operand(): Operand {
    const token = tokens[next];
    const first = token?.text[0] ?? '';
    if (token === undefined || !/[\w.'"-]/.test(first))
      throw unexpected(text, token, 'a key, a number or a text');
    next++;
    if (/["']/.test(first)) return { kind: 'value', value: token.text.slice(1, -1) };
    if (/[A-Za-z_]/.test(first)) return { kind: 'key', key: token.text };
    const isShare = token.text.endsWith('%');
    const number = Number(isShare ? token.text.slice(0, -1) : token.text);
    return { kind: 'value', value: isShare ? number / 100 : number, isShare };
  }

  function take(symbol: string): boolean {
    if (tokens[next]?.text !== symbol) return false;
    next++;
    return true;
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  if (end > MOST_CHARACTERS) {
    throw usage(`--fail-if must have at most ${MOST_CHARACTERS} characters, received ${end}`);
  }
  for (let at = 0; at < end; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) {
      const rest = text.slice(at);
      const start = at + rest.length - rest.trimStart().length;
      throw unexpected(text, { text: text[start] ?? '', at: start }, 'a key, a number or a sign');
    }
    const word = match[0].trimStart();
    at += match[0].length;
    tokens.push({ text: word, at: at - word.length });
  }
  return tokens;
}

interface Truth {
  readonly isTrue: boolean;
  /** What makes it true; for a false condition, only the missing figures. */
  readonly reasons: readonly string[];
}

/** `unknown`: the value of a comparison with a missing figure, chosen so that the whole condition holds. */
function holds(node: Node, lookup: Lookup, unknown: boolean): Truth {
  switch (node.kind) {
    case 'compare':
      return compared(node, lookup, unknown);
    case 'not': {
      const inner = holds(node.part, lookup, !unknown);
      return inner.isTrue
        ? { isTrue: false, reasons: [] }
        : { isTrue: true, reasons: [`not (${textOf(node.part)})`, ...inner.reasons] };
    }
    case 'and': {
      const parts = node.parts.map((part) => holds(part, lookup, unknown));
      const isTrue = parts.every((part) => part.isTrue);
      return { isTrue, reasons: reasonsOf(isTrue, parts) };
    }
    case 'or': {
      const parts = node.parts.map((part) => holds(part, lookup, unknown));
      const isTrue = parts.some((part) => part.isTrue);
      return { isTrue, reasons: reasonsOf(isTrue, parts) };
    }
  }
}

function reasonsOf(isTrue: boolean, parts: readonly Truth[]): readonly string[] {
  return parts.filter((part) => part.isTrue === isTrue).flatMap((part) => part.reasons);
}

/** A figure that is missing cannot be shown to be good, so it fails the gate. */
function compared(node: Node & { readonly kind: 'compare' }, lookup: Lookup, unknown: boolean): Truth {
  const left = valueOf(node.left, lookup);
  const right = valueOf(node.right, lookup);
  const said = textOf(node);
  if (left === null || right === null)
    return { isTrue: unknown, reasons: [`${said}: there is no such figure (n/a)`] };
  if (!isTrueOf(left, node.operator, right)) return { isTrue: false, reasons: [] };
  return { isTrue: true, reasons: [`${said}: ${left} ${node.operator} ${right}`] };
}

function isTrueOf(left: number | string, operator: Operator, right: number | string): boolean {
  if (typeof left !== typeof right) {
    const [one, other] = [left, right].map((value) => (typeof value === 'string' ? `'${value}'` : value));
    throw usage(
      `--fail-if must compare numbers with numbers and texts with texts, received ${one} ${operator} ${other}`,
    );
  }
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '==':
      return left === right;
    case '!=':
      return left !== right;
  }
}

function valueOf(operand: Operand, lookup: Lookup): Value {
  if (operand.kind === 'value') return operand.value;
  const value = lookup(operand.key);
  if (value === undefined) {
    throw usage(
      `--fail-if must name keys of the result that hold a number or a text, received ${operand.key}`,
    );
  }
  return value;
}

function textOf(node: Node): string {
  switch (node.kind) {
    case 'compare':
      return `${operandText(node.left)} ${node.operator} ${operandText(node.right)}`;
    case 'not':
      return `!(${textOf(node.part)})`;
    case 'and':
      return node.parts.map(textOf).join(' && ');
    case 'or':
      return `(${node.parts.map(textOf).join(' || ')})`;
  }
}

function operandText(operand: Operand): string {
  return operand.kind === 'key' ? operand.key : String(operand.value);
}

function unexpected(text: string, token: Token | undefined, wanted: string): UsageError {
  const column = (token?.at ?? text.length) + 1;
  return usage(
    `--fail-if must have ${wanted} at column ${column}, received ${token === undefined ? 'the end' : token.text}\n` +
      `  ${text}\n  ${' '.repeat(column - 1)}^`,
  );
}

function usage(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_FAIL_IF', message);
}

/** What a run did not follow of what was recorded, or was not told. */
const NOT_FOLLOWED = /data\.(?:unfundedUntil|missingRates|marginChangedAt)$/;
/** The time of an account's ruin, which may differ by model; parts of an account have none of their own. */
const RUINED_AT = /^(?:(models\.\w+)\.)?ruinedAt$/;
/** The time of the first liquidation, which each pair of an account has of its own. */
const LIQUIDATED_AT = /(^|\.)liquidatedAt$/;

/** Why figures of daily returns are missing: a text that is absent where they are not. */
const UNAVAILABLE = /^(?:((?:.*\.)?metrics)\.)?unavailable$/;

/** What a result has only where the strategy wanted a stop. */
export const PROTECTION_KEYS = ['heldMs', 'bareMs', 'longestBareMs', 'bareNotionalSeconds'].map(
  (name) => `protection.${name}`,
);

/** Looks keys up in a result, then in its metrics; decimal texts count as numbers. `pnl` is the lowest of the models. */
export function resultLookup(
  result: { readonly metrics: object; readonly pnl: object },
  extra: Readonly<Record<string, number | null>> = {},
): Lookup {
  return (key) => {
    if (Object.hasOwn(extra, key)) return extra[key];
    if (key === 'pnl') return Math.min(...Object.values(result.pnl).map(Number));
    const value = leaf(result, key);
    if (value === undefined && isAbsentForNever(result, key)) return 0;
    if (value === undefined && isNotUnavailable(result, key)) return '';
    // Not 0: without a want of a stop, all time with a position was time without one.
    if (value === undefined && isOfProtection(result, key)) return null;
    return value === undefined ? leaf(result.metrics, key) : value;
  };
}

/** Whether an absent key says that something never happened: it is one that the result would have otherwise. */
function isAbsentForNever(result: object, key: string): boolean {
  return mayBeRuined(result, key) || mayBeLiquidated(result, key) || mayNotBeFollowed(result, key);
}

function isNotUnavailable(result: object, key: string): boolean {
  const found = UNAVAILABLE.exec(key);
  if (found === null) return false;
  const [, path = 'metrics'] = found;
  return valueAt(result, path) !== undefined && valueAt(result, `${path}.unavailable`) === undefined;
}

function mayBeLiquidated(result: object, key: string): boolean {
  return LIQUIDATED_AT.test(key) && hasPosition(result, key.replace(LIQUIDATED_AT, '$1'));
}

function isOfProtection(result: object, key: string): boolean {
  const name = PROTECTION_KEYS.find((each) => key.endsWith(each));
  return name !== undefined && hasPosition(result, key.slice(0, -name.length));
}

/** What has open orders has a position of its own. `path`: empty, or ends with a dot. */
function hasPosition(result: object, path: string): boolean {
  return valueAt(result, `${path}openOrders`) !== undefined;
}

function mayBeRuined(result: object, key: string): boolean {
  const found = RUINED_AT.exec(key);
  if (found === null) return false;
  const [, model] = found;
  return model === undefined || ('strategies' in result && valueAt(result, model) !== undefined);
}

/** Data that was not followed; an account has these keys per part. */
function mayNotBeFollowed(result: object, key: string): boolean {
  return NOT_FOLLOWED.test(key) && valueAt(result, key.replace(NOT_FOLLOWED, 'data.factsHash')) !== undefined;
}

function leaf(document: object, key: string): Value | undefined {
  const value = valueAt(document, key);
  if (value === null || typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** A name may have dots itself, as a pair may: the longest that leads to a value is taken. */
function valueAt(document: unknown, key: string): unknown {
  if (typeof document !== 'object' || document === null) return undefined;
  const values = document as Record<string, unknown>;
  if (Object.hasOwn(values, key)) return values[key];
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    const name = key.slice(0, dot);
    const value = Object.hasOwn(values, name) ? valueAt(values[name], key.slice(dot + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
