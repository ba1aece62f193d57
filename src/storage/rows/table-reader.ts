import type { ReadableFile } from '../../ports/files.js';
import { type ArrowTable, type TableBatch, wholeMessages } from './arrow-table.js';

/** How far a file consists of complete messages, and whether its end mark follows. */
export interface TableEnd {
  readonly end: number;
  /** Where each of them begins. */
  readonly starts: readonly number[];
  readonly ended: boolean;
}

/** Size of the pieces that are held in memory, unless a single message is longer. */
const PIECE_BYTES = 1 << 20;

/** Yields the batches of a table's file with one piece in memory at a time; returns how far the file is complete. */
export async function* readTable(
  table: ArrowTable,
  path: string,
  file: ReadableFile,
  pieceBytes = PIECE_BYTES,
): AsyncGenerator<TableBatch, TableEnd, undefined> {
  const pieces = tablePieces(file, pieceBytes);
  const schema = table.schemaMessage();
  for (let isFirst = true; ; isFirst = false) {
    const next = await pieces.next();
    if (next.done === true) return next.value;
    // The first piece contains the file's own schema, which is checked; the others get ours in front.
    const stream = isFirst ? next.value : Buffer.concat([schema, next.value]);
    yield* table.read(path, stream, file.size);
  }
}

/** How far a table's file is complete, without decoding its batches. */
export async function tableEnd(file: ReadableFile, pieceBytes = PIECE_BYTES): Promise<TableEnd> {
  const pieces = tablePieces(file, pieceBytes);
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return next.value;
  }
}

/** Yields the complete messages of a file, as many at a time as fit into a piece. */
async function* tablePieces(
  file: ReadableFile,
  pieceBytes: number,
): AsyncGenerator<Uint8Array, TableEnd, undefined> {
  let end = 0;
  const starts: number[] = [];
  let size = pieceBytes;
  for (;;) {
    const piece = new Uint8Array(Math.min(size, file.size - end));
    const filled = await file.readInto(piece, end);
    const whole = wholeMessages(piece.subarray(0, filled), { isStart: end === 0 });
    if (whole.end > 0) yield piece.subarray(0, whole.end);
    for (const start of whole.starts) starts.push(end + start);
    end += whole.end;
    if (whole.ended) return { end, starts, ended: true };
    if (whole.needs === undefined || end + whole.needs > file.size || filled < piece.length)
      return { end, starts, ended: false };
    size = Math.max(pieceBytes, whole.needs);
  }
}
