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
 * With a message behind them they are damage to a reader, which cannot know whether that was on the disk before.
 */
export async function isTornTail(file: ReadableFile, at: number, shape: BatchShape): Promise<boolean> {
  if (file.size - at > MOST_TORN_BYTES) return false;
  const bytes = await readBetween(file, at, file.size);
  if (isZeros(bytes) || isBeginning(bytes, shape)) return true;
  return lacksSectors(bytes, at, shape) && isLast(bytes, shape);
}

/**
 * Whether a power loss can have kept sectors of the batch at `at` from the disk, whatever is behind it: a writer saves
 * several batches before it syncs, and the disk may take them in any order. `end`: where the batch ends, if that is known.
 */
export async function isHoled(
  file: ReadableFile,
  at: number,
  shape: BatchShape,
  end = file.size,
): Promise<boolean> {
  if (file.size - at > MOST_TORN_BYTES) return false;
  return lacksSectors(await readBetween(file, at, end), at, shape);
}

export async function readBetween(file: ReadableFile, from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from);
  await file.readInto(bytes, from);
  return bytes;
}

/** Whether the bytes are a batch without its end. */
function isBeginning(bytes: Uint8Array, shape: BatchShape): boolean {
  if (bytes.length < PREFIX_BYTES) return bytes.subarray(0, 4).every((byte) => byte === 0xff);
  const head = headOf(bytes, shape);
  if (head === undefined) return false;
  const { bodyAt, batch } = head;
  return bodyAt > bytes.length || (batch !== undefined && bodyAt + batch.bodyLength > bytes.length);
}

/** Whether the batch with which the bytes begin lacks sectors. `at`: their place in the file. */
export function lacksSectors(bytes: Uint8Array, at: number, shape: BatchShape): boolean {
  // The prefix does not cross a sector, as messages begin at multiples of 8.
  if (isZeros(bytes.subarray(0, PREFIX_BYTES))) return lacksSector(bytes, at, PREFIX_BYTES);
  const head = headOf(bytes, shape);
  if (head === undefined) return false;
  const { bodyAt, batch } = head;
  if (batch === undefined) return lacksSector(bytes, at, bodyAt);
  const { buffers, length: rows } = batch.header() as BatchHeader;
  if (rows === 0) return false;
  const { offset, length } = buffers[
    Math.min(shape.neverZero, buffers.length) - 1
  ] as BatchHeader['buffers'][number];
  const valuesEnd = bodyAt + offset + length;
  return isZeros(bytes.subarray(valuesEnd - 8)) || lacksSector(bytes, at, valuesEnd);
}

/** Whether only zeros follow the batch with which the bytes begin; no message, where its length is not known. */
function isLast(bytes: Uint8Array, shape: BatchShape): boolean {
  const head = headOf(bytes, shape);
  if (head?.batch === undefined) return !hasMessage(bytes, PREFIX_BYTES);
  return isZeros(bytes.subarray(head.bodyAt + head.batch.bodyLength));
}

/** Where the body begins behind the head at the beginning of the bytes, and the batch if that can be read. */
function headOf(
  bytes: Uint8Array,
  shape: BatchShape,
): { readonly bodyAt: number; readonly batch: Message | undefined } | undefined {
  if (bytes.length < PREFIX_BYTES) return undefined;
  const { mark, metadataBytes } = prefixAt(bytes, 0);
  if (mark !== -1 || metadataBytes <= 0 || metadataBytes > MOST_METADATA_BYTES) return undefined;
  if (shape.headBytes !== undefined && metadataBytes !== shape.headBytes) return undefined;
  const bodyAt = PREFIX_BYTES + metadataBytes;
  const message = decodeMessage(bytes.slice(PREFIX_BYTES, bodyAt));
  return { bodyAt, batch: isBatch(message, shape) ? message : undefined };
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
