/** CRC-32 (IEEE 802.3, reflected 0xEDB88320; what zlib and gzip use), for noticing changed or torn lines. */
const TABLE = new Uint32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

const ENCODER = new TextEncoder();

/** The checksum of a text in UTF-8, going on from `seed` (the checksum of what stands before it). */
export function crc32(text: string, seed = 0): number {
  const bytes = ENCODER.encode(text);
  return crc32Bytes(bytes, 0, bytes.length, seed);
}

/** The checksum of the bytes from `start` to before `end`. */
export function crc32Bytes(bytes: Uint8Array, start: number, end: number, seed = 0): number {
  let crc = ~seed;
  for (let at = start; at < end; at++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[at] as number)) & 0xff] as number);
  }
  return ~crc >>> 0;
}

/** Eight lower-case hex digits. */
export function crcText(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
