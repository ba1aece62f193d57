import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadableFile } from '../../src/ports/files.js';
import { END_MARK } from '../../src/storage/rows/arrow-batch.js';
import { ArrowTable, type TableBatch, wholeMessages } from '../../src/storage/rows/arrow-table.js';
import { readTable, tableEnd } from '../../src/storage/rows/table-reader.js';

const PATH = 'depth.arrow';
const TABLE = new ArrowTable(
  'depth',
  [
    { name: 'time', kind: 'time' },
    { name: 'price', kind: 'number', optional: true },
    { name: 'levels', kind: 'list' },
  ],
  { pair: 'USD_BTC_PERP' },
);

/** A file with batches of so many rows, and how many bytes of it somebody read. */
function fileOf(bytes: Uint8Array): { file: ReadableFile; read: () => number } {
  let read = 0;
  return {
    read: () => read,
    file: {
      size: bytes.length,
      readInto: async (target, offset) => {
        const some = bytes.subarray(offset, offset + target.length);
        target.set(some);
        read += some.length;
        return some.length;
      },
      close: async () => undefined,
    },
  };
}

function bytesOf(batches: readonly number[], isEnded: boolean): Uint8Array {
  let time = 0;
  const messages = batches.map((rows) => {
    const times = Array.from({ length: rows }, () => ++time);
    const prices = times.map((at) => (at % 3 === 0 ? Number.NaN : at / 4));
    return TABLE.batchMessage([times, prices, times.map((at) => [at, at + 0.5].slice(0, at % 3))], rows);
  });
  return Buffer.concat([TABLE.schemaMessage(), ...messages, ...(isEnded ? [END_MARK] : [])]);
}

async function readBy(bytes: Uint8Array, pieceBytes: number) {
  const { file } = fileOf(bytes);
  const batches: TableBatch[] = [];
  const reader = readTable(TABLE, PATH, file, pieceBytes);
  for (;;) {
    const next = await reader.next();
    if (next.done === true) return { batches, end: next.value };
    batches.push(next.value);
  }
}

const anyBatches = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 });
const anyPiece = fc.integer({ min: 1, max: 3_000 });

describe('a table read by pieces', () => {
  it('is what it is when it is read at once, whatever the pieces are', async () => {
    await fc.assert(
      fc.asyncProperty(anyBatches, fc.boolean(), anyPiece, async (batches, isEnded, pieceBytes) => {
        const bytes = bytesOf(batches, isEnded);
        const { batches: read, end } = await readBy(bytes, pieceBytes);
        expect(read).toEqual([...TABLE.read(PATH, bytes)]);
        expect(end).toMatchObject({ end: bytes.length - (isEnded ? END_MARK.length : 0), ended: isEnded });
      }),
    );
  });

  it('is whole as far as it is at once where it is cut or a byte of it is another', async () => {
    const bytes = bytesOf([3, 20, 1, 7], true);
    const anyFault = fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length),
        fc.option(anyFault, { nil: undefined }),
        anyPiece,
        async (length, fault, pieceBytes) => {
          const faulty = bytes.slice(0, length);
          if (fault !== undefined && fault.at < length)
            faulty[fault.at] = (faulty[fault.at] as number) ^ fault.by;
          const { end, starts, ended } = wholeMessages(faulty);
          expect(await tableEnd(fileOf(faulty).file, pieceBytes)).toEqual({ end, starts, ended });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('names the whole file where it holds something else', async () => {
    const other = new ArrowTable('ticker', [{ name: 'time', kind: 'time' }], { pair: 'USD_BTC_PERP' });
    const bytes = Buffer.concat([other.schemaMessage(), other.batchMessage([[1, 2]], 2)]);
    await expect(readBy(bytes, 1)).rejects.toMatchObject({
      message: `${PATH} must hold depth with the columns time: Timestamp<MILLISECOND, UTC>, price: Float64, levels: List<Float64>, received time: Timestamp<MILLISECOND, UTC>`,
      rest: { kind: 'damaged', at: 0, bytes: bytes.length },
    });
  });

  it('is read no further than it is asked for', async () => {
    const bytes = bytesOf([100, 100, 100, 100], true);
    const { file, read } = fileOf(bytes);
    const reader = readTable(TABLE, PATH, file, 4_096);
    await reader.next();
    expect(read()).toBeLessThan(bytes.length / 2);
  });
});
