/** Whatever a kill or a power loss leaves of the newest day, a writer goes on with it, and loses no batch before. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FactWriter } from '../../src/storage/facts/fact-writer.js';
import { depthTable, type DepthRow } from '../../src/storage/facts/fact-table.js';
import { readFactDay } from '../../src/storage/facts/fact-day.js';
import { dayOf } from '../../src/storage/rows/day.js';
import { readDay } from '../../src/storage/rows/day-file.js';
import { dayPath, factPath } from '../../src/storage/rows/layout.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { files, folder, PAIR, T0, trade } from './support.js';

const BATCHES = 3;
/** The smallest block of a file system; the schema of a file is in its first one, with the head of its first batch. */
const BLOCK = 1_024;

/** What the disk holds of the batches that were written last and not synced yet. */
interface Crash {
  /** The file ends after this share of them: after a power loss, at a block. */
  readonly length: number;
  /** Which blocks of them are zeros, in turn. None: a kill. */
  readonly holes: readonly boolean[];
  /** Bytes of zeros behind. */
  readonly zeros: number;
}

const share = fc.nat(1_000).map((part) => part / 1_000);
const crashes: fc.Arbitrary<Crash> = fc.oneof(
  fc.record({
    length: share,
    holes: fc.constant([]),
    zeros: fc.constant(0),
  }),
  fc.record({
    length: fc.oneof(fc.constant(1), share),
    holes: fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
    zeros: fc.constantFrom(0, 8, 5_000),
  }),
);

/** The file after the crash; all bytes before `synced` are on the disk. */
function crashed(bytes: Buffer, synced: number, { length, holes, zeros }: Crash): Buffer {
  const cut = synced + Math.floor(length * (bytes.length - synced));
  const end = holes.length === 0 || length === 1 ? cut : Math.max(synced, cut - (cut % BLOCK));
  const left = Buffer.from(bytes.subarray(0, end));
  for (let block = 0, from = synced; from < end && holes.length > 0; block++) {
    const to = Math.min(end, from + BLOCK - (from % BLOCK));
    if (holes[block % holes.length] === true) left.fill(0, from, to);
    from = to;
  }
  return Buffer.concat([left, Buffer.alloc(zeros)]);
}

interface Table {
  readonly path: (directory: string) => string;
  /** Writes the rows [from, to), saves, and closes. */
  readonly write: (directory: string, from: number, to: number) => Promise<void>;
  /** The numbers of the rows that can be read. */
  readonly read: (path: string) => Promise<number[]>;
}

const trades: Table = {
  path: (directory) => dayPath(join(directory, PAIR), dayOf(T0)),
  async write(directory, from, to) {
    const writer = await RecordingWriter.open(files, directory, PAIR);
    for (let row = from; row < to; row++) writer.add(trade(row, T0 + row, { isBuyerMaker: row % 3 === 0 }));
    await writer.close();
  },
  async read(path) {
    const { count, time } = await readDay(files, path);
    return Array.from(time.subarray(0, count), (at) => at - T0);
  },
};

const books: Table = {
  path: (directory) => factPath(join(directory, PAIR), dayOf(T0), 'depth'),
  async write(directory, from, to) {
    const writer = await FactWriter.open(files, directory, PAIR);
    for (let row = from; row < to; row++) writer.depth(book(row));
    await writer.close();
  },
  async read(path) {
    const rows: number[] = [];
    for await (const some of readFactDay(files, path, depthTable(PAIR))) {
      rows.push(...some.map(({ time }) => time - T0));
    }
    return rows;
  },
};

function book(row: number): DepthRow {
  return { kind: 'depth', time: T0 + row, bids: [[100, 1]], asks: [[101, row % 2]] };
}

describe.each([
  ['trades', trades],
  ['books', books],
] as const)('the newest day of %s', (_, table) => {
  it.each([1, 10, 150])('after a crash before batches of %i rows were synced', async (batch) => {
    const directory = await folder();
    const path = table.path(directory);
    const ends: number[] = [];
    for (let i = 0; i < BATCHES; i++) {
      await table.write(directory, i * batch, (i + 1) * batch);
      ends.push((await readFile(path)).length);
    }
    const bytes = await readFile(path);
    const all = await table.read(path);
    expect(all).toHaveLength(BATCHES * batch);
    await fc.assert(
      fc.asyncProperty(crashes, fc.nat(BATCHES - 1), fc.nat(BATCHES - 1), async (crash, synced, more) => {
        const written = Math.min(BATCHES, synced + 1 + more);
        const left = crashed(bytes.subarray(0, ends[written - 1]), ends[synced - 1] ?? 0, crash);
        await writeFile(path, left);
        const next = BATCHES * batch;
        await table.write(directory, next, next + 1);
        const rows = await table.read(path);
        expect(rows.pop()).toBe(next);
        // All of the batches that were synced, and of each other one all or nothing.
        expect(rows.length % batch).toBe(0);
        expect(rows.length).toBeGreaterThanOrEqual(synced * batch);
        expect(rows.length).toBeLessThanOrEqual(written * batch);
        expect(rows).toEqual(all.slice(0, rows.length));
      }),
      { numRuns: 100 },
    );
  });
});
