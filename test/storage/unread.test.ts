/** What cannot be read of a recording is said, and told apart: torn off by a writer that died, or damaged. */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Message } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { Files } from '../../src/ports/files.js';
import { END_MARK } from '../../src/storage/rows/arrow-batch.js';
import { writeBarDay } from '../../src/storage/rows/bar-file.js';
import { type Certificate, checkRecordings, isBroken } from '../../src/storage/certificate/certificate.js';
import { DAY_MS, dayOf } from '../../src/storage/rows/day.js';
import { FactWriter } from '../../src/storage/facts/fact-writer.js';
import { barsPath, dayPath, factPath } from '../../src/storage/rows/layout.js';
import { writeMarket } from '../../src/storage/rows/market-file.js';
import { marketSpecOf } from '../../src/storage/market-spec.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { beginImport } from '../../src/storage/rows/unfinished-import.js';
import { BTC } from '../support/markets.js';
import { files, folder, PAIR, T0, trade } from './support.js';
import { NO_PRICES } from '../support/no-prices.js';

const TRADES = 60;
const BATCH = 20;

/** A day of three batches, where each begins, and its length. */
async function recorded(): Promise<{ directory: string; path: string; bytes: Buffer; starts: number[] }> {
  const directory = await folder();
  await writeMarket(files, join(directory, PAIR), { spec: marketSpecOf(BTC), source: 'given' });
  const writer = await RecordingWriter.open(files, directory, PAIR);
  for (let id = 1; id <= TRADES; id++) {
    writer.add(trade(id, T0 + id));
    if (id % BATCH === 0) await writer.flush();
  }
  await writer.close();
  const [day] = (await openRecording(files, [directory])).days;
  const path = day?.path ?? '';
  const bytes = await readFile(path);
  // Each message begins with the continuation mark of its own.
  const starts: number[] = [];
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 4)) starts.push(at);
  return { directory, path, bytes, starts };
}

/** Where the values of a buffer begin in the batch at `start`. */
function columnAt(bytes: Buffer, start: number, buffer: number): number {
  const bodyAt = start + 8 + bytes.readInt32LE(start + 4);
  const { buffers } = Message.decode(bytes.subarray(start + 8, bodyAt)).header() as {
    readonly buffers: readonly { readonly offset: number }[];
  };
  return bodyAt + (buffers[buffer]?.offset as number);
}

const MARK = Buffer.from([0xff, 0xff, 0xff, 0xff]);

async function check(directory: string): Promise<Certificate> {
  const [certificate] = await checkRecordings(files, [directory]);
  return certificate as Certificate;
}

describe('a day file', () => {
  it('that is whole has nothing that cannot be read, with an end mark and without', async () => {
    const { directory, path, bytes } = await recorded();
    expect(await check(directory)).toMatchObject({ trades: TRADES, unread: [] });
    await writeFile(path, Buffer.concat([bytes, END_MARK]));
    expect(await check(directory)).toMatchObject({ trades: TRADES, unread: [] });
  });

  it('that ends inside of a batch, or in zeros, is torn, and is read up to there', async () => {
    const { directory, path, bytes, starts } = await recorded();
    const at = starts.at(-1) as number;
    for (const rest of [bytes.subarray(at, at + 4), bytes.subarray(at, -1), Buffer.alloc(4_096)]) {
      await writeFile(path, Buffer.concat([bytes.subarray(0, at), rest]));
      expect(await check(directory)).toMatchObject({
        trades: 2 * BATCH,
        unread: [{ kind: 'torn', file: path, at, bytes: rest.length }],
      });
    }
  });

  it('of which a batch claims more than it can be is damaged from there on', async () => {
    const { directory, path, bytes, starts } = await recorded();
    const [, at = 0, next = 0] = starts;
    const metadataBytes = bytes.readInt32LE(at + 4);
    const bodyBytes = Buffer.alloc(8);
    bodyBytes.writeBigInt64LE(BigInt(next - at - 8 - metadataBytes));
    const ofMetadata = Buffer.from(bytes);
    ofMetadata.writeInt32LE(1 << 20, at + 4);
    const ofBody = Buffer.from(bytes);
    ofBody.writeBigInt64LE(1n << 20n, bytes.indexOf(bodyBytes, at));
    for (const raised of [ofMetadata, ofBody]) {
      await writeFile(path, raised);
      expect(await check(directory)).toMatchObject({
        trades: 0,
        unread: [{ kind: 'damaged', file: path, at, bytes: bytes.length - at }],
      });
    }
  });

  it('in which a hole of zeros has more behind it than one batch is damaged', async () => {
    const { directory, path, bytes, starts } = await recorded();
    const holed = Buffer.from(bytes).fill(0, starts[1], (starts[1] as number) + 8);
    const rest = Buffer.alloc(5 * 1_024 * 1_024, 1);
    await writeFile(path, Buffer.concat([holed, rest]));
    expect(await check(directory)).toMatchObject({ unread: [{ kind: 'damaged', at: starts[1] }] });
  });

  it('of which a batch holds other bytes than its columns is damaged from there on, and no backtest reads it', async () => {
    const { directory, path, bytes, starts } = await recorded();
    const at = starts.at(-2) as number;
    const body = at + 8 + bytes.readInt32LE(at + 4);
    const damaged = Buffer.from(bytes).fill(0xa7, body, body + 64);
    await writeFile(path, damaged);
    const why = `${path} must hold ids in the batch at byte ${at}, received none that can be read`;
    const rest = { kind: 'damaged', at, bytes: bytes.length - at, why };
    expect(await check(directory)).toMatchObject({ trades: BATCH, unread: [{ file: path, ...rest }] });

    const recording = await openRecording(files, [directory], { onRest: () => undefined });
    await expect(recording.chunks().next()).rejects.toThrow(why);
    const told: object[] = [];
    const onRest = (_: string, what: object) => void told.push(what);
    const exported = await openRecording(files, [directory], { faults: 'tell', onRest });
    let trades = 0;
    for await (const { count } of exported.chunks()) trades += count;
    expect([trades, told]).toEqual([BATCH, [rest]]);
  });

  it.each([
    ['price', 6, 0, 'a price above 0, received 0'],
    ['price', 6, Number.NaN, 'a price above 0, received NaN'],
    ['price', 6, -5, 'a price above 0, received -5'],
    ['price', 6, Infinity, 'a price above 0, received Infinity'],
    ['quantity', 8, 0, 'a quantity above 0, received 0'],
    ['quantity', 8, Infinity, 'a quantity above 0, received Infinity'],
    ['time', 4, 5e-324, 'a time of 2024-08-08, received 1'],
  ] as const)('with an impossible %s (%i: %d) is damaged from its batch on', async (_, buffer, value, why) => {
    const { directory, path, bytes, starts } = await recorded();
    const at = starts.at(-2) as number;
    for (const row of [0, 1, BATCH - 2, BATCH - 1]) {
      const damaged = Buffer.from(bytes);
      damaged.writeDoubleLE(value, columnAt(bytes, at, buffer) + 8 * row);
      await writeFile(path, damaged);
      const says = `${path} must hold trades with ${why} in row ${BATCH + row + 1}`;
      expect(await check(directory)).toMatchObject({
        trades: BATCH,
        unread: [{ kind: 'damaged', file: path, at, bytes: bytes.length - at, why: says }],
      });
      const recording = await openRecording(files, [directory], { onRest: () => undefined });
      await expect(recording.chunks().next()).rejects.toThrow(says);
    }
  });

  it('with a whole batch behind a hole of zeros is damaged: no writer leaves that', async () => {
    const { directory, path, bytes, starts } = await recorded();
    const at = starts.at(-2) as number;
    await writeFile(path, Buffer.from(bytes).fill(0, at, at + 64));
    expect(await check(directory)).toMatchObject({ trades: BATCH, unread: [{ kind: 'damaged', at }] });
  });

  it('that ends in zeros of several batches is torn, and in more than a power loss takes damaged', async () => {
    const { directory, path, bytes } = await recorded();
    for (const [mib, kind] of [
      [16, 'torn'],
      [17, 'damaged'],
    ] as const) {
      await writeFile(path, Buffer.concat([bytes, Buffer.alloc(mib * 1_024 * 1_024)]));
      expect(await check(directory)).toMatchObject({ trades: TRADES, unread: [{ kind, at: bytes.length }] });
    }
  });

  it('that has lost its head is damaged, also where all of it is zeros', async () => {
    const { directory, path, bytes } = await recorded();
    for (const contents of [
      Buffer.alloc(bytes.length),
      Buffer.concat([Buffer.from('XXXX'), bytes.subarray(4)]),
      Buffer.from('id,pair,price\n1,2,3\n'),
    ]) {
      await writeFile(path, contents);
      const rest = { kind: 'damaged', file: path, at: 0, bytes: contents.length };
      expect(await check(directory)).toMatchObject({ trades: 0, unread: [rest] });
    }
  });

  it('of which not even the first batch is whole is damaged: nothing is left of it', async () => {
    const { directory, path, bytes, starts } = await recorded();
    const [, at = 0, next = 0] = starts;
    await writeFile(path, bytes.subarray(0, next - 1));
    expect(await check(directory)).toMatchObject({
      trades: 0,
      unread: [{ kind: 'damaged', file: path, at, bytes: next - 1 - at }],
    });
    await writeFile(path, bytes.subarray(0, at));
    expect(await check(directory)).toMatchObject({ trades: 0, unread: [] });
  });

  it('with a later day behind it is damaged where it ends inside of a batch: no writer is at work on it', async () => {
    const { directory, path, bytes, starts } = await recorded();
    const later = dayPath(dirname(path), dayOf(T0) + 1);
    const writer = await RecordingWriter.open(files, directory, PAIR);
    writer.add(trade(TRADES + 1, T0 + DAY_MS));
    await writer.flush();
    writer.add(trade(TRADES + 2, T0 + DAY_MS + 1));
    await writer.close();
    const at = starts.at(-1) as number;
    await writeFile(path, bytes.subarray(0, -1));
    const rest = { at, bytes: bytes.length - 1 - at };
    const damaged = { kind: 'damaged', file: path, ...rest };
    expect(await check(directory)).toMatchObject({ trades: 2 * BATCH + 2, unread: [damaged] });
    // Whatever of the recording is looked at.
    expect(await check(path)).toMatchObject({ unread: [damaged] });
    const told: object[] = [];
    const to = (dayOf(T0) + 1) * DAY_MS;
    const recording = await openRecording(files, [directory], {
      to,
      onRest: (file, what) => void told.push({ file, ...what }),
    });
    for await (const _ of recording.chunks());
    expect(told).toEqual([damaged]);

    await writeFile(later, (await readFile(later)).subarray(0, -1));
    await writeFile(path, Buffer.concat([bytes, END_MARK]));
    expect(await check(directory)).toMatchObject({ unread: [{ kind: 'torn', file: later }] });
  });

  it('that ended inside of a batch is torn where its writer has finished it since, and begun the next', async () => {
    const { directory, path, bytes, starts } = await recorded();
    await writeFile(path, bytes.subarray(0, -1));
    let isRead = false;
    const writtenMeanwhile: Files = {
      ...files,
      openRead: (file) => {
        isRead ||= file === path;
        return files.openRead(file);
      },
      list: async (listed) => {
        if (isRead) {
          await writeFile(path, Buffer.concat([bytes, END_MARK]));
          await writeFile(dayPath(dirname(path), dayOf(T0) + 1), bytes.subarray(0, starts[1]));
        }
        return files.list(listed);
      },
    };
    const at = starts.at(-1) as number;
    const rest = { kind: 'torn', file: path, at, bytes: bytes.length - 1 - at };
    expect((await checkRecordings(writtenMeanwhile, [directory]))[0]?.unread).toEqual([rest]);
    expect((await check(directory)).unread).toEqual([]);
  });

  it('with other bytes where a batch should begin, or behind its end, is damaged from there on', async () => {
    const { directory, path, bytes, starts } = await recorded();
    const at = starts.at(-2) as number;
    const damaged = Buffer.from(bytes);
    damaged.fill('?', at, at + 8);
    await writeFile(path, damaged);
    const rest = { kind: 'damaged', file: path, at, bytes: bytes.length - at };
    expect(await check(directory)).toMatchObject({ trades: BATCH, unread: [rest] });

    const told: object[] = [];
    const recording = await openRecording(files, [directory], {
      onRest: (file, what) => void told.push({ file, ...what }),
    });
    let trades = 0;
    for await (const { count } of recording.chunks()) trades += count;
    expect([trades, told]).toEqual([BATCH, [rest]]);

    await writeFile(path, Buffer.concat([bytes, END_MARK, Buffer.from('more')]));
    expect(await check(directory)).toMatchObject({
      trades: TRADES,
      unread: [{ kind: 'damaged', at: bytes.length + END_MARK.length, bytes: 4 }],
    });
  });
});

describe('a file of tickers', () => {
  const DAYS = 2;

  /** Two days of trades and tickers, three batches a day. */
  async function withTickers() {
    const { directory } = await recorded();
    const writer = await FactWriter.open(files, directory, PAIR);
    for (let day = 0; day < DAYS; day++) {
      for (let batch = 1; batch <= 3; batch++) {
        writer.ticker({ ticker: { ...NO_PRICES, time: T0 + day * DAY_MS + batch, markPrice: batch } });
        await writer.flush();
      }
    }
    await writer.abandon();
    const paths = [0, 1].map((day) => factPath(join(directory, PAIR), dayOf(T0) + day, 'ticker'));
    return { directory, paths: paths as [string, string] };
  }

  /** What a backtest that reads it hears. */
  async function heard(directory: string) {
    const told: unknown[] = [];
    const onRest = (path: string, { kind }: { readonly kind: string }) => told.push([path, kind]);
    const recording = await openRecording(files, [directory], { pair: PAIR, onRest });
    let tickers = 0;
    for await (const facts of recording.facts()) {
      tickers += facts.filter(({ kind }) => kind === 'ticker').length;
    }
    return { told, tickers };
  }

  it('that is whole has nothing that cannot be read', async () => {
    const { directory } = await withTickers();
    expect((await check(directory)).unread).toEqual([]);
    expect(await heard(directory)).toEqual({ told: [], tickers: 6 });
  });

  it('that is cut is torn on the newest day and damaged before it, and whoever reads it hears so', async () => {
    for (const [at, kind] of [
      [0, 'damaged'],
      [1, 'torn'],
    ] as const) {
      const { directory, paths } = await withTickers();
      const bytes = await readFile(paths[at]);
      await writeFile(paths[at], bytes.subarray(0, -40));
      expect((await check(directory)).unread).toMatchObject([{ kind, file: paths[at] }]);
      const { told, tickers } = await heard(directory);
      expect(told).toEqual([[paths[at], kind]]);
      expect(tickers).toBeLessThan(6);
    }
  });

  it('with other bytes than its columns is damaged, and whoever reads it ends', async () => {
    const { directory, paths } = await withTickers();
    const bytes = await readFile(paths[0]);
    for (let at = 0; at < bytes.length; at += 11) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0xff, at, Math.min(bytes.length, at + 4));
      await writeFile(paths[0], damaged);
      const { unread } = await check(directory);
      const ending = await heard(directory).catch((error: Error) => error.message);
      if (typeof ending === 'string') expect(unread).toMatchObject([{ kind: 'damaged', why: ending }]);
      else expect(ending.tickers === 6 || unread[0]?.kind === 'damaged', `byte ${at}`).toBe(true);
    }
  });

  it('that is empty, or overwritten, is told as well', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(500, 7)]) {
      const { directory, paths } = await withTickers();
      await writeFile(paths[0], bytes);
      expect((await check(directory)).unread).toEqual([
        { kind: 'damaged', file: paths[0], at: 0, bytes: bytes.length },
      ]);
      expect(await heard(directory)).toEqual({ told: [[paths[0], 'damaged']], tickers: 3 });
    }
  });
});

describe('a file of bars', () => {
  const BARS = 5;
  const MINUTE = 60_000;
  const START = dayOf(T0) * DAY_MS;

  async function withBars() {
    const directory = await folder();
    const pairFolder = join(directory, PAIR);
    await writeMarket(files, pairFolder, { spec: marketSpecOf(BTC), source: 'given' });
    const path = barsPath(pairFolder, dayOf(T0));
    const rows = Array.from({ length: BARS }, (_, i) => ({
      time: START + i * MINUTE,
      open: 100,
      high: 102,
      low: 98,
      close: 101,
      volume: 1,
    }));
    await writeBarDay(files, path, { pair: PAIR, barMs: MINUTE, rows });
    return { directory, path, rows };
  }

  it.each([
    ['close', 0, 'bars with prices above 0, received open 100, high 102, low 98, close 0'],
    ['open', Infinity, 'bars with prices above 0, received open Infinity, high 102, low 98, close 101'],
    ['low', 100.5, 'bars with open and close between low and high, received open 100, high 102, low 100.5'],
    ['high', 100.5, 'bars with open and close between low and high, received open 100, high 100.5, low 98'],
    ['volume', -1, 'bars with a volume of at least 0, received -1'],
    ['time', START - MINUTE, `bars that open on 2024-08-08, received ${START - MINUTE}`],
    ['time', START, 'bars in order of time, each after the end of the one before, received one at'],
  ] as const)('with an impossible %s (%d) is damaged, and no backtest reads it', async (name, value, must) => {
    const { directory, path, rows } = await withBars();
    const wrong = rows.map((row, i) => (i === 2 ? { ...row, [name]: value } : row));
    await writeBarDay(files, path, { pair: PAIR, barMs: MINUTE, rows: wrong });
    const { bars, unread } = await check(directory);
    expect([bars, unread]).toMatchObject([0, [{ kind: 'damaged', file: path, at: 0 }]]);
    expect(unread[0]?.why).toContain(`${path} must hold ${must}`);
    expect(unread[0]?.why).toContain('in row 3');
    const recording = await openRecording(files, [directory], { onRest: () => undefined });
    await expect(recording.bars().next()).rejects.toThrow(`${path} must hold ${must}`);
  });

  it('whatever happens to its bytes, has a certificate', async () => {
    const { directory, path } = await withBars();
    const bytes = await readFile(path);
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 0x40;
      await writeFile(path, damaged);
      const found = await check(directory);
      expect(found.bars === BARS || isBroken(found), `byte ${at}`).toBe(true);
    }
  });
});

describe('a file beside the days', () => {
  it.each([
    'market.json',
    'markets.ndjson',
    'funding.ndjson',
    'gaps.ndjson',
    'faults.ndjson',
  ])('that cannot be read is damaged: %s', async (name) => {
    const { directory } = await recorded();
    const path = join(directory, PAIR, name);
    await writeFile(path, '{\n');
    const { trades, unread } = await check(directory);
    expect(trades).toBe(TRADES);
    expect(unread).toMatchObject([{ kind: 'damaged', file: path, at: 0, bytes: 2 }]);
    expect(unread[0]?.why).toContain(path);
  });

  it('that an import left is told also where there is nothing else', async () => {
    const directory = await folder();
    await beginImport(files, join(directory, PAIR), ['trades.csv']);
    const sources = [{ name: 'trades.csv', bytes: 0 }];
    const unfinished = {
      pair: PAIR,
      trades: 0,
      unfinishedImports: [{ folder: join(directory, PAIR), sources }],
    };
    expect(await check(directory)).toMatchObject(unfinished);
    expect(await check(join(directory, PAIR))).toMatchObject(unfinished);
    expect(isBroken(await check(directory))).toBe(true);
    await expect(openRecording(files, [directory])).rejects.toThrow('must be whole');
  });
});
