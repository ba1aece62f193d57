/** Reads parts of generated code by patterns, without parsing all of it. */
import jsTokens, { type Token } from 'js-tokens';

const FAR = 2_000;

/**
 * Offsets at which a name is used: not as a part of another name, nor as a member. `end`: a pattern that has to follow.
 */
export function usesOf(code: string, name: string, end: string): readonly number[] {
  const pattern = new RegExp(
    `(?<![\\w$#]|(?<!\\.\\.)\\.)${name.replaceAll('$', '\\$').replaceAll('.', '\\.')}${end}`,
    'g',
  );
  return [...code.matchAll(pattern)].map(({ index }) => index);
}

/** The text between the brackets that open at `at`; `undefined` when none open there. */
export function bracketsAt(code: string, at: number): string | undefined {
  if (code[at] !== '(') return undefined;
  const text = code.slice(at, at + FAR);
  let end = 0;
  walk(text, (character, depth, i) => {
    if (end === 0 && depth === 0 && character === ')') end = i;
  });
  return text.slice(1, end === 0 ? undefined : end);
}

/** The arguments that stand in brackets, each as it is written. */
export function argumentsIn(text: string): readonly string[] {
  const list: string[] = [];
  let start = 0;
  walk(text, (character, depth, i) => {
    if (character !== ',' || depth !== 0) return;
    list.push(text.slice(start, i));
    start = i + 1;
  });
  return [...list, text.slice(start)].map((each) => each.trim()).filter((each) => each !== '');
}

/** The expression that begins at `at`, up to the next comma, semicolon or closing bracket. */
function expressionAt(code: string, at: number): string {
  const text = code.slice(at, at + FAR);
  let end: number | undefined;
  walk(text, (character, depth, i) => {
    if (depth < 0 || (depth === 0 && /[,;]/.test(character))) end ??= i;
  });
  return text.slice(0, end).trim();
}

/** All values that the code assigns to a name. */
export function valuesOf(code: string, name: string): readonly string[] {
  return usesOf(code, name, ' = ').map((at) => expressionAt(code, at + name.length + ' = '.length));
}

/** The end of the block that contains `at`, or of the code. */
export function blockEnd(code: string, at: number): number {
  const rest = code.slice(at);
  let end = rest.length;
  walk(rest, (_, depth, i) => {
    if (depth < 0 && i < end) end = i;
  });
  return at + end;
}

/** Visits each character outside of texts, with the number of open brackets after it. */
function walk(text: string, visit: (character: string, depth: number, at: number) => void): void {
  let depth = 0;
  let quote: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (quote !== undefined) {
      if (character === '\\') i++;
      else if (character === quote) quote = undefined;
      continue;
    }
    if (character === '"' || character === "'") quote = character;
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    visit(character, depth, i);
  }
}

/**
 * Blanks out comments, texts and patterns without moving anything; a quoted key is not a text. Where a text begins and a
 * division is none takes a whole tokenizer: what is blanked by mistake is not looked at.
 */
export function withoutTexts(code: string): string {
  const tokens = [...jsTokens(code)];
  return tokens.map((token, at) => (isKey(tokens[at + 1]) ? token.value : blanked(token))).join('');
}

/** As it is generated, nothing stands between a key and its colon, and a space before that of a condition. */
function isKey(after: Token | undefined): boolean {
  return after?.value === ':';
}

function blanked({ type, value }: Token): string {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ');
  switch (type) {
    case 'StringLiteral':
      return `${value[0]}${blank(value.slice(1, -1))}${value[0]}`;
    case 'RegularExpressionLiteral':
    case 'SingleLineComment':
    case 'MultiLineComment':
      return blank(value);
    default:
      return value;
  }
}
