import { counted } from '../../model/counted.js';

/**
 * Control characters and characters that reverse or hide text, also runs of spaces, which could push text out of sight.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const MOST_TITLE = 200;
const MOST_LINE = 400;
const MOST_LINES = 24;

/** External text as one short line without secrets. Texts of the venue or a strategy may contain anything. */
export function cleanLine(text: string, scrub: (text: string) => string, most = MOST_LINE): string {
  return shortened(scrub(text).replaceAll(UNPRINTABLE, ' ').trim(), most);
}

/** Like `cleanLine`, but keeps the lines, such as those of a code excerpt. */
export function cleanText(text: string, scrub: (text: string) => string): string {
  const lines = scrub(text)
    .split(/\r?\n/)
    .map((line) => shortened(line.replaceAll(HIDDEN, '\uFFFD'), MOST_LINE));
  return lines.length <= MOST_LINES ? lines.join('\n') : [...lines.slice(0, MOST_LINES), '…'].join('\n');
}

export function cleanTitle(text: string, scrub: (text: string) => string): string {
  return cleanLine(text, scrub, MOST_TITLE);
}

export function cleanLines(lines: readonly string[], scrub: (text: string) => string): readonly string[] {
  const clean = lines
    .slice(0, MOST_LINES)
    .map((line) => cleanLine(line, scrub))
    .filter((line) => line !== '');
  return lines.length <= MOST_LINES
    ? clean
    : [...clean, `and ${counted(lines.length - MOST_LINES, 'line')} more`];
}

function shortened(line: string, most: number): string {
  // A cut must not leave half of a surrogate pair.
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
