import { counted } from '../../model/counted.js';

/** Control characters, and those that turn or hide text; runs of spaces too, which would push text out of sight. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const MOST_TITLE = 200;
const MOST_LINE = 400;
const MOST_LINES = 24;

/** Text from outside as one short line without secrets: what the venue or a strategy says may be anything. */
export function cleanLine(text: string, scrub: (text: string) => string, most = MOST_LINE): string {
  return shortened(scrub(text).replaceAll(UNPRINTABLE, ' ').trim(), most);
}

/** The same with its lines, such as those of a code excerpt. */
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
  // Half a surrogate pair is no text.
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
