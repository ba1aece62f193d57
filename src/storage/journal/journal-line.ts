/**
 * One line of a journal: `crc32hex SP sequence SP json LF`, where the checksum covers `sequence SP json`. Reading checks
 * every byte, so a line is either exactly what was written or no line at all.
 */
import { crc32Bytes } from '../crc32.js';

const LF = 0x0a;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const CRC_DIGITS = 8;
const BODY = CRC_DIGITS + 1;
const HEX = new TextEncoder().encode('0123456789abcdef');
/** Value of a hex digit by its byte; −1 for any other byte. */
const HEX_VALUES = new Int8Array(256).map((_, byte) => HEX.indexOf(byte));
const MOST_BYTES_PER_CHARACTER = 3;

/** Builds lines in a buffer that it reuses. */
export class LineSealer {
  readonly #encoder = new TextEncoder();
  #buffer = new Uint8Array(4_096);

  /** The bytes of the line; valid until the next call. */
  seal(sequence: number, json: string): Uint8Array {
    const body = `${sequence} ${json}`;
    const most = BODY + body.length * MOST_BYTES_PER_CHARACTER + 1;
    if (this.#buffer.length < most) this.#buffer = new Uint8Array(most * 2);
    const buffer = this.#buffer;
    const end = BODY + this.#encoder.encodeInto(body, buffer.subarray(BODY)).written;
    let crc = crc32Bytes(buffer, BODY, end);
    for (let at = CRC_DIGITS - 1; at >= 0; at--) {
      buffer[at] = HEX[crc & 15] as number;
      crc >>>= 4;
    }
    buffer[CRC_DIGITS] = SPACE;
    buffer[end] = LF;
    return buffer.subarray(0, end + 1);
  }
}

/** The position of a complete line within some bytes. */
export interface LineAt {
  readonly sequence: number;
  /** Offset of the JSON, which ends before `end - 1`. */
  readonly json: number;
  /** Offset after the line end. */
  readonly end: number;
}

/** The line that begins at this byte; `undefined` when none begins there, or when it is damaged. */
export function lineAt(bytes: Uint8Array, start: number): LineAt | undefined {
  if (!hasShape(bytes, start)) return undefined;
  const lineEnd = bytes.indexOf(LF, start + BODY);
  if (lineEnd === -1) return undefined;
  let sequence = 0;
  let at = start + BODY;
  // We write no leading zero, and no number that is too long to be exact as a double.
  for (; at < lineEnd && isDigit(bytes[at]) && at < start + BODY + 15; at++) {
    sequence = sequence * 10 + (bytes[at] as number) - ZERO;
  }
  if (sequence === 0 || bytes[start + BODY] === ZERO || bytes[at] !== SPACE) return undefined;
  if (crc32Bytes(bytes, start + BODY, lineEnd) !== hexAt(bytes, start)) return undefined;
  return { sequence, json: at + 1, end: lineEnd + 1 };
}

/**
 * The first complete line at any byte from `start` on whose sequence is at least `least`. It also searches in the middle
 * of lines, because a damaged line end hides the beginning of the next line.
 */
export function nextLine(
  bytes: Uint8Array,
  start: number,
  least: number,
): { readonly offset: number; readonly sequence: number } | undefined {
  for (
    let space = bytes.indexOf(SPACE, start + CRC_DIGITS);
    space !== -1;
    space = bytes.indexOf(SPACE, space + 1)
  ) {
    const line = lineAt(bytes, space - CRC_DIGITS);
    if (line !== undefined && line.sequence >= least) {
      return { offset: space - CRC_DIGITS, sequence: line.sequence };
    }
  }
  return undefined;
}

function hasShape(bytes: Uint8Array, start: number): boolean {
  return (
    bytes[start + CRC_DIGITS] === SPACE && isDigit(bytes[start + BODY]) && hexAt(bytes, start) !== undefined
  );
}

/** The number of eight lower-case hex digits; we never write capitals, so these count as damage. */
function hexAt(bytes: Uint8Array, start: number): number | undefined {
  let value = 0;
  for (let at = start; at < start + CRC_DIGITS; at++) {
    const digit = HEX_VALUES[bytes[at] ?? 0] as number;
    if (digit === -1) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
