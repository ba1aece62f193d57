/** What generated code says at a place, as far as that can be told without reading all of it. */

const FAR = 2_000;

/** Where a name is used, as it is and not as a part of another one or as a member. `end`: what has to follow, as a pattern. */
export function usesOf(code: string, name: string, end: string): readonly number[] {
  const pattern = new RegExp(
    `(?<![\\w$#]|(?<!\\.\\.)\\.)${name.replaceAll('$', '\\$').replaceAll('.', '\\.')}${end}`,
    'g',
  );
  return [...code.matchAll(pattern)].map(({ index }) => index);
}

/** What stands between the brackets that open at `at`; `undefined` when none do. */
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

/** The expression that begins at `at`: to the comma, the semicolon or the closing bracket behind it. */
function expressionAt(code: string, at: number): string {
  const text = code.slice(at, at + FAR);
  let end: number | undefined;
  walk(text, (character, depth, i) => {
    if (depth < 0 || (depth === 0 && /[,;]/.test(character))) end ??= i;
  });
  return text.slice(0, end).trim();
}

/** What a name becomes, wherever the code says so. */
export function valuesOf(code: string, name: string): readonly string[] {
  return usesOf(code, name, ' = ').map((at) => expressionAt(code, at + name.length + ' = '.length));
}

/** Where the block that `at` lies in is over: the bracket that was open before closes; else the end. */
export function blockEnd(code: string, at: number): number {
  const rest = code.slice(at);
  let end = rest.length;
  walk(rest, (_, depth, i) => {
    if (depth < 0 && i < end) end = i;
  });
  return at + end;
}

/** Each character outside of texts, with how many brackets are open behind it. */
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
