import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMarket } from '../../src/model/market.js';
import type { AppendFile, Files } from '../../src/ports/files.js';
import { checkRecordings } from '../../src/storage/certificate/certificate.js';
import { isDiskFull } from '../../src/storage/disk-full.js';
import { FactWriter } from '../../src/storage/facts/fact-writer.js';
import { readMarketHistory } from '../../src/storage/facts/rare-facts.js';
import { marketSpecOf } from '../../src/storage/market-spec.js';
import { readGaps } from '../../src/storage/rows/gap-file.js';
import { readDay } from '../../src/storage/rows/day-file.js';
import { readMarket } from '../../src/storage/rows/market-file.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { CATALOGUE, type CatalogueEntry } from '../../src/venue/catalogue.js';
import { files, folder, PAIR, trade } from './support.js';

const DAY_MS = 86_400_000;
const DAY_ONE = 1_717_200_000_000;

/** A real disk with so much room for what is written, which can be given more. */
class SmallDisk {
  room = 0;

  readonly files: Files = {
    ...files,
    openAppend: async (path) => this.#limited(await files.openAppend(path)),
    writeAtomic: async (path, contents, mode) => {
      this.#take(contents.length);
      await files.writeAtomic(path, contents, mode);
    },
  };

  #limited(file: AppendFile): AppendFile {
    return {
      size: () => file.size(),
      append: (bytes) => {
        this.#take(bytes.length);
        return file.append(bytes);
      },
      sync: () => file.sync(),
      truncate: (size) => file.truncate(size),
      close: () => file.close(),
    };
  }

  #take(bytes: number): void {
    if (bytes > this.room) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    this.room -= bytes;
  }
}

describe('on a full disk', () => {
  it('nothing that was taken is lost or there twice, however often and wherever writing failed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: 0, max: 3 * DAY_MS - 1 }), { minLength: 1, maxLength: 120 }),
        async (rooms, times) => {
          const disk = new SmallDisk();
          const directory = await folder();
          const writer = await RecordingWriter.open(disk.files, directory, PAIR);
          const portion = Math.ceil(times.length / rooms.length);
          for (const [index, room] of rooms.entries()) {
            disk.room = room;
            for (const [at, time] of times.slice(index * portion, (index + 1) * portion).entries()) {
              writer.add(trade(index * portion + at + 1, DAY_ONE + time));
            }
            writer.gap({ from: index, to: index, missing: undefined });
            await writer.flush().catch((error: unknown) => expect(isDiskFull(error)).toBe(true));
          }
          disk.room = 1e9;
          await writer.close();
          const [certificate] = await checkRecordings(files, [directory]);
          expect(certificate).toMatchObject({ trades: times.length, duplicates: 0, outOfOrder: 0 });
          expect(writer.totals).toMatchObject({ trades: times.length, duplicates: 0 });
          expect((await readGaps(files, join(directory, PAIR))).length).toBe(rooms.length);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('market facts wait in memory until there is room', async () => {
    const disk = new SmallDisk();
    const directory = await folder();
    const writer = await FactWriter.open(disk.files, directory, PAIR);
    writer.funding({ time: DAY_ONE, rate: '0.0001' });
    for (let i = 0; i < 3; i++) {
      writer.depth({ kind: 'depth', time: DAY_ONE + i * DAY_MS, bids: [[i, 1]], asks: [] });
    }
    for (const room of [0, 500, 2_000, 2_500, 1e9]) {
      disk.room = room;
      await writer.flush().catch((error: unknown) => expect(isDiskFull(error)).toBe(true));
    }
    await writer.close();
    const names = (await files.list(join(directory, PAIR))).map(({ name }) => name);
    expect(names).toEqual([
      '2024-06-01.depth.arrow',
      '2024-06-02.depth.arrow',
      '2024-06-03.depth.arrow',
      'funding.ndjson',
    ]);
  });

  it('a change of the market that was written in part reaches both of its files with the next writer', async () => {
    const disk = new SmallDisk();
    const directory = await folder();
    const change = { time: DAY_ONE, spec: marketSpecOf(defineMarket((CATALOGUE[0] as CatalogueEntry).spec)) };
    const length = `${JSON.stringify(change)}\n`.length;
    for (const room of [0, length, 2 * length]) {
      disk.room = room;
      const writer = await FactWriter.open(disk.files, directory, PAIR);
      writer.market(change.time, change.spec);
      await writer.flush().catch((error: unknown) => expect(isDiskFull(error)).toBe(true));
      await writer.abandon();
    }
    disk.room = 1e9;
    const writer = await FactWriter.open(disk.files, directory, PAIR);
    writer.market(change.time, change.spec);
    await writer.close();
    const pairFolder = join(directory, PAIR);
    expect(await readMarketHistory(files, [pairFolder])).toHaveLength(1);
    expect(await readMarket(files, pairFolder)).toMatchObject({ source: 'given' });
  });
});

describe('a written day', () => {
  it('takes at most 40 bytes a trade with ids of ten digits, even where it was saved every few seconds', async () => {
    const directory = await folder();
    const writer = await RecordingWriter.open(files, directory, PAIR);
    const trades = 40_000;
    for (let i = 0; i < trades; i++) {
      writer.add(trade(5_266_583_935 + i, DAY_ONE + i * 2_000));
      if (i % 100 === 99) await writer.flush();
    }
    // The day is over when the first trade of the next one is written.
    writer.add(trade(5_266_583_935 + trades, DAY_ONE + DAY_MS));
    await writer.close();
    const path = join(directory, PAIR, '2024-06-01.arrow');
    expect((await readDay(files, path)).count).toBe(trades);
    expect(((await files.stat(path))?.size ?? Infinity) / trades).toBeLessThanOrEqual(40);
  });
});
