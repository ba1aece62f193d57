import type { Message } from 'apache-arrow';
import type { ReadableFile } from '../../ports/files.js';
import { areLaidOut, type BatchHeader, decodeMessage } from './arrow-message.js';

/** Bytes of the mark and the length in front of each message. */
export const PREFIX_BYTES = 8;
/** Bound on the metadata of a message: those of our schemas and batches take some 600 bytes. */
export const MOST_METADATA_BYTES = 1 << 16;
/** Bound on a torn tail. A power loss may take several batches that were not synced, and leave zeros in their place. */
export const MOST_TORN_BYTES = 16 * 1_024 * 1_024;
/** Disks write whole sectors, and file systems multiples of them: what never reached the disk is a sector at least. */
const SECTOR_BYTES = 512;

/** What is known about the batches of a file. */
export interface BatchShape {
  /** Bounds on a batch; `undefined`: only `MOST_TORN_BYTES`. */
  readonly mostBytes?: number | undefined;
  readonly mostRows?: number | undefined;
  /** Bytes of metadata of the batches before. They have the same columns, so another length is damage. */
  readonly headBytes?: number | undefined;
  /** So many of its first Arrow buffers hold no value of 8 zero bytes. */
  readonly neverZero: number;
}

/**
 * Whether a writer that died, or is at work, can have left the bytes from `at` to the end of the file:
 *
 * - the beginning of one batch, as it is after a kill;
 * - zeros, where nothing reached the disk before a power loss;
 * - one batch with zeros in the place of some of its sectors.
 *
 * With a message behind them they are damage, because a batch is on the disk before the next one is written.
 */
export async function isTornTail(file: ReadableFile, at: number, shape: BatchShape): Promise<boolean> {
  if (file.size - at > MOST_TORN_BYTES) return false;
  const bytes = new Uint8Array(file.size - at);
  await file.readInto(bytes, at);
  if (isZeros(bytes)) return true;
  if (bytes.length > (shape.mostBytes ?? MOST_TORN_BYTES)) return false;
  return isBeginning(bytes, shape) || isWithHoles(bytes, at, shape);
}

/** Whether the bytes are a batch without its end. */
function isBeginning(bytes: Uint8Array, shape: BatchShape): boolean {
  if (bytes.length < PREFIX_BYTES) return bytes.subarray(0, 4).every((byte) => byte === 0xff);
  const { mark, metadataBytes } = prefixAt(bytes, 0);
  if (mark !== -1 || metadataBytes <= 0 || metadataBytes > MOST_METADATA_BYTES) return false;
  if (shape.headBytes !== undefined && metadataBytes !== shape.headBytes) return false;
  const bodyAt = PREFIX_BYTES + metadataBytes;
  if (bodyAt > bytes.length) return true;
  const message = decodeMessage(bytes.slice(PREFIX_BYTES, bodyAt));
  return isBatch(message, shape) && bodyAt + message.bodyLength > bytes.length;
}

/** Whether the bytes are one batch that lacks sectors, and perhaps its end. `at`: their place in the file. */
function isWithHoles(bytes: Uint8Array, at: number, shape: BatchShape): boolean {
  if (bytes.length < PREFIX_BYTES) return false;
  const { mark, metadataBytes } = prefixAt(bytes, 0);
  // The prefix does not cross a sector, as messages begin at multiples of 8.
  if (mark === 0 && metadataBytes === 0) return !hasMessage(bytes, PREFIX_BYTES);
  if (mark !== -1 || metadataBytes <= 0 || metadataBytes > MOST_METADATA_BYTES) return false;
  const bodyAt = PREFIX_BYTES + metadataBytes;
  const metadata = bytes.slice(PREFIX_BYTES, bodyAt);
  const message = decodeMessage(metadata);
  if (!isBatch(message, shape)) {
    return (isZeros(metadata) || lacksSector(bytes, at, bodyAt)) && !hasMessage(bytes, PREFIX_BYTES);
  }
  const { buffers } = message.header() as BatchHeader;
  const { offset, length } = buffers[
    Math.min(shape.neverZero, buffers.length) - 1
  ] as BatchHeader['buffers'][number];
  const valuesEnd = bodyAt + offset + length;
  const isLast = isZeros(bytes.subarray(bodyAt + message.bodyLength));
  return isLast && (isZeros(bytes.subarray(valuesEnd - 8)) || lacksSector(bytes, at, valuesEnd));
}

/** Whether a sector that begins before `end` is all zeros, as far as the bytes reach. */
function lacksSector(bytes: Uint8Array, at: number, end: number): boolean {
  for (let from = 0; from < Math.min(end, bytes.length); ) {
    const to = from + SECTOR_BYTES - ((at + from) % SECTOR_BYTES);
    if (isZeros(bytes.subarray(from, to))) return true;
    from = to;
  }
  return false;
}

/** Whether a later message, or at least its head, is complete. */
function hasMessage(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at + PREFIX_BYTES <= bytes.length; at += PREFIX_BYTES) {
    const { mark, metadataBytes } = prefixAt(bytes, at);
    const metadataAt = at + PREFIX_BYTES;
    if (mark !== -1 || metadataBytes <= 0 || metadataAt + metadataBytes > bytes.length) continue;
    if (decodeMessage(bytes.slice(metadataAt, metadataAt + metadataBytes)) !== undefined) return true;
  }
  return false;
}

function prefixAt(bytes: Uint8Array, at: number): { readonly mark: number; readonly metadataBytes: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, PREFIX_BYTES);
  return { mark: view.getInt32(0, true), metadataBytes: view.getInt32(4, true) };
}

/** Whether it is a batch whose header fits its columns. A damaged length could make it claim more. */
function isBatch(message: Message | undefined, { mostRows }: BatchShape): message is Message {
  if (message === undefined || !message.isRecordBatch()) return false;
  const { buffers, length: rows } = message.header() as BatchHeader;
  return buffers.length > 0 && rows <= (mostRows ?? Infinity) && areLaidOut(message);
}

function isZeros(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
