/** Whatever happens to the bytes of a day, its certificate is made, and says so where it can be seen. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { END_MARK } from '../../src/storage/rows/arrow-batch.js';
import { type Certificate, checkRecordings, isBroken } from '../../src/storage/certificate/certificate.js';
import { dayOf } from '../../src/storage/rows/day.js';
import { dayPath } from '../../src/storage/rows/layout.js';
import { writeMarket } from '../../src/storage/rows/market-file.js';
import { marketSpecOf } from '../../src/storage/market-spec.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { BTC } from '../support/markets.js';
import { sharedFolder } from '../support/temp-folder.js';
import { files, PAIR, T0, trade } from './support.js';

const BATCHES = 3;
const BATCH = 21;
const MARK = Buffer.from([0xff, 0xff, 0xff, 0xff]);

interface Wound {
  readonly kind: 'flip' | 'zero' | 'cut' | 'insert' | 'overwrite';
  /** Where, as a share of the file. */
  readonly place: number;
  readonly noise: Uint8Array;
}

const wounds: fc.Arbitrary<Wound> = fc.record({
  kind: fc.constantFrom('flip', 'zero', 'cut', 'insert', 'overwrite'),
  place: fc.nat(9_999).map((part) => part / 10_000),
  noise: fc.uint8Array({ minLength: 1, maxLength: 64 }),
});

/** What is left, and the bytes of the old file that were touched: [from, to). */
function wounded(bytes: Buffer, { kind, place, noise }: Wound): [Buffer, from: number, to: number] {
  const at = Math.floor(place * bytes.length);
  const copy = Buffer.from(bytes);
  switch (kind) {
    case 'flip':
      copy[at] = (copy[at] as number) ^ (1 << ((noise[0] as number) & 7));
      return [copy, at, at + 1];
    case 'zero':
      return [copy.fill(0, at, Math.min(bytes.length, at + 64)), at, Math.min(bytes.length, at + 64)];
    case 'overwrite':
      copy.set(noise.subarray(0, bytes.length - at), at);
      return [copy, at, Math.min(bytes.length, at + noise.length)];
    case 'cut':
      return [copy.subarray(0, at), at, bytes.length];
    case 'insert':
      return [Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]), at, bytes.length];
  }
}

describe('a damaged day of trades', () => {
  const shared = sharedFolder('storage');
  let directory: string;
  let path: string;
  let bytes: Buffer;
  /** Of the columns of each batch: [from, to). */
  let bodies: (readonly [from: number, to: number])[];
  /** Of the first 0, 1 … batches. */
  let hashes: string[];

  beforeAll(async () => {
    directory = await shared;
    path = dayPath(join(directory, PAIR), dayOf(T0));
    await writeMarket(files, join(directory, PAIR), { spec: marketSpecOf(BTC), source: 'given' });
    const writer = await RecordingWriter.open(files, directory, PAIR);
    hashes = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      for (let i = 1; i <= BATCH; i++) {
        const id = batch * BATCH + i;
        writer.add(trade(id, T0 + id, { price: 60_000 + id / 10, quantity: id / 1_000 }));
      }
      await writer.flush();
      hashes.push((await certificate()).hash);
    }
    await writer.close();
    bytes = await readFile(path);
    const starts: number[] = [];
    for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 4)) starts.push(at);
    bodies = starts.slice(1).map((start, i) => {
      return [start + 8 + bytes.readInt32LE(start + 4), starts[i + 2] ?? bytes.length];
    });
    await writeFile(path, bytes.subarray(0, starts[1]));
    hashes.unshift((await certificate()).hash);
  });

  async function certificate(): Promise<Certificate> {
    const [only] = await checkRecordings(files, [directory]);
    return only as Certificate;
  }

  /** Trades that a backtest reads; `undefined` where it ends with an error. */
  async function read(): Promise<number | undefined> {
    try {
      let trades = 0;
      const recording = await openRecording(files, [directory]);
      for await (const { count } of recording.chunks()) trades += count;
      return trades;
    } catch {
      return undefined;
    }
  }

  const runs = { numRuns: 150, seed: 7 };

  it('has a certificate that calls it whole only for trades that are the first of the old ones', async () => {
    await fc.assert(
      fc.asyncProperty(wounds, fc.boolean(), async (wound, isFinished) => {
        const [left, from, to] = wounded(isFinished ? Buffer.concat([bytes, END_MARK]) : bytes, wound);
        await writeFile(path, left);
        const found = await certificate();
        if (isBroken(found)) return;
        // A number that became another possible one shows in the hash alone.
        const touched = bodies.findIndex(([start, end]) => from < end && to > start);
        const isNumber = touched >= 0 && (wound.kind === 'insert' || found.trades > touched * BATCH);
        if (!isNumber) expect(hashes).toContain(found.hash);
        expect(found.trades % BATCH).toBe(0);
        expect(found.trades > 0 || left.length <= (bodies[0]?.[0] ?? 0)).toBe(true);
        expect(await read()).toBe(found.trades);
      }),
      runs,
    );
  });
});
