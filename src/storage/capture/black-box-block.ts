/**
 * A block of a black box: one gzip member that says how long it is, in an extra field of its header (RFC 1952, 2.3.1.1).
 * So a file of blocks is a file of gzip, and what is torn is told from what was changed.
 */
const PLAIN_HEADER_BYTES = 10;
/** Deflate, an extra field, no time, no system; the field's length, its two letters, and four bytes follow. */
const HEADER = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 8, 0, 0x54, 0x57, 4, 0] as const;
const HEADER_BYTES = HEADER.length + 4;
/** Checksum and length of the contents. */
const TRAILER_BYTES = 8;

/** A gzip member without extra fields, made one with its length in it. */
export function blockOf(member: Uint8Array): Uint8Array {
  const contents = member.subarray(PLAIN_HEADER_BYTES);
  const block = new Uint8Array(HEADER_BYTES + contents.length);
  block.set(HEADER);
  new DataView(block.buffer).setUint32(HEADER.length, block.length, true);
  block.set(contents, HEADER_BYTES);
  return block;
}

export type BlockAt =
  /** `end`: offset of what follows. Whether it can be unpacked is another question. */
  | { readonly kind: 'block'; readonly end: number }
  /** The beginning of a block, or room that was never written: the process or the machine died. */
  | { readonly kind: 'torn' }
  | { readonly kind: 'damage' };

/** What stands at an offset before the end. */
export function blockAt(bytes: Uint8Array, start: number): BlockAt {
  const rest = bytes.subarray(start);
  const isHeader = HEADER.every((byte, index) => index >= rest.length || rest[index] === byte);
  if (!isHeader) return rest.every((byte) => byte === 0) ? { kind: 'torn' } : { kind: 'damage' };
  if (rest.length < HEADER_BYTES) return { kind: 'torn' };
  const length = new DataView(rest.buffer, rest.byteOffset).getUint32(HEADER.length, true);
  if (length < HEADER_BYTES + TRAILER_BYTES) return { kind: 'damage' };
  return length > rest.length ? { kind: 'torn' } : { kind: 'block', end: start + length };
}
