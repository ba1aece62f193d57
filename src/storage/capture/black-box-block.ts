/**
 * The format of a block of a black box: a gzip member whose header states its length in an extra field (RFC 1952,
 * 2.3.1.1). A file of blocks is therefore a valid gzip file, and the length tells a torn block from a changed one.
 */
const PLAIN_HEADER_BYTES = 10;
/**
 * Deflate, with an extra field, without a time and a system. The length of the field, its two-letter name and four
 * bytes of block length follow.
 */
const HEADER = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 8, 0, 0x54, 0x57, 4, 0] as const;
const HEADER_BYTES = HEADER.length + 4;
/** Checksum and length of the unpacked contents. */
const TRAILER_BYTES = 8;

/** Turns a gzip member without extra fields into a block, which states its length. */
export function blockOf(member: Uint8Array): Uint8Array {
  const contents = member.subarray(PLAIN_HEADER_BYTES);
  const block = new Uint8Array(HEADER_BYTES + contents.length);
  block.set(HEADER);
  new DataView(block.buffer).setUint32(HEADER.length, block.length, true);
  block.set(contents, HEADER_BYTES);
  return block;
}

export type BlockAt =
  /** A whole block. `end`: the offset behind it. Whether it can be unpacked is not checked. */
  | { readonly kind: 'block'; readonly end: number }
  /** A part of a block, or zeros where a block was to be written: the process or the machine died. */
  | { readonly kind: 'torn' }
  | { readonly kind: 'damage' };

/** Classifies what stands at an offset, which must be before the end of the bytes. */
export function blockAt(bytes: Uint8Array, start: number): BlockAt {
  const rest = bytes.subarray(start);
  const isHeader = HEADER.every((byte, index) => index >= rest.length || rest[index] === byte);
  if (!isHeader) return rest.every((byte) => byte === 0) ? { kind: 'torn' } : { kind: 'damage' };
  if (rest.length < HEADER_BYTES) return { kind: 'torn' };
  const length = new DataView(rest.buffer, rest.byteOffset).getUint32(HEADER.length, true);
  if (length < HEADER_BYTES + TRAILER_BYTES) return { kind: 'damage' };
  return length > rest.length ? { kind: 'torn' } : { kind: 'block', end: start + length };
}
