/** A log line that cannot break the log: of bounded length, and with nothing in it that moves a cursor or hides text. */
const MOST_BYTES = 16_384;
const MOST_MESSAGE = 500;
const MOST_HEAD = 3_000;
/** What JSON leaves as it is, and a terminal or an editor does not: C1, DEL, line separators, and what turns text. */
const ACTIVE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** `line`: one JSON document and a line feed. What is too long becomes its time, level and message, and the beginning of the rest as text. */
export function boundedLine(line: string): string {
  const bytes = Buffer.byteLength(line);
  return escaped(bytes <= MOST_BYTES ? line : cut(line, bytes));
}

function cut(line: string, bytes: number): string {
  const head = line.slice(0, MOST_HEAD);
  let known: Readonly<Record<string, unknown>> = {};
  try {
    known = JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    // Its head is all there is to say.
  }
  const { level, time } = known;
  const msg = typeof known['msg'] === 'string' ? known['msg'].slice(0, MOST_MESSAGE) : '';
  return `${JSON.stringify({ level, time, cutFromBytes: bytes, head, msg })}\n`;
}

/** Such a character is always inside a JSON string, where it may be written by its number. */
function escaped(line: string): string {
  return line.replaceAll(
    ACTIVE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
