import type { FoundEscape } from './escapes.js';

const NEAR = 200;
const MEMBER = /(?<=\.)constructor\b|(?<=[{,]\s*)constructor(?=\s*[:,}])/g;
const TEXT = /(["'])constructor\1/g;
const COMPARED_AFTER = /^\s*[!=]==?(?!=)/;
/** A comparison, with the names that lead to the compared member. */
const COMPARED_BEFORE = /[!=]==?\s+(?:[\w$]+\??\.)*$/;
/** The expression ends here: neither a call nor a member follows. */
const OVER = /^\s*(?:[;,)\]}:]|\?(?!\.)|&&|\|\||$)/;

/**
 * The `constructor` of a function makes functions from texts, which could reach anything. Reading its name or comparing
 * it is harmless.
 */
export function constructorEscapes(code: string): readonly FoundEscape[] {
  const members = [...code.matchAll(MEMBER)].filter(({ 0: { length }, index }) => {
    const after = code.slice(index + length, index + length + NEAR);
    return !/^\??\.name\b/.test(after) && !isCompared(code, index, after);
  });
  const texts = [...code.matchAll(TEXT)].filter(({ 0: { length }, index }) => {
    const after = code.slice(index + length, index + length + NEAR);
    return !/\bcase\s+$/.test(code.slice(Math.max(0, index - 10), index)) && !isCompared(code, index, after);
  });
  return [
    ...members.map(({ index }): FoundEscape => ({ at: index, name: 'constructor', instead: 'classes' })),
    ...texts.map(
      ({ index }): FoundEscape => ({ at: index, name: "the text 'constructor'", instead: 'words' }),
    ),
  ];
}

function isCompared(code: string, at: number, after: string): boolean {
  if (COMPARED_AFTER.test(after)) return true;
  return COMPARED_BEFORE.test(code.slice(Math.max(0, at - NEAR), at)) && OVER.test(after);
}
