import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTrades, type Trade } from '../../src/model/trade.js';
import { DAY_MS } from '../../src/storage/rows/day.js';
import { writeMarket } from '../../src/storage/rows/market-file.js';
import { findRecordings, openRecording, type RecordingQuery } from '../../src/storage/recording/recording.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { files, folder, PAIR, T0, trade } from './support.js';

const MARKET = {
  source: 'given',
  spec: {
    pair: PAIR,
    base: 'BTC',
    quote: 'USD',
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '1000', step: '0.001' },
    fees: { maker: '0', taker: '0' },
  },
} as const;

async function write(directory: string, trades: Iterable<Trade>) {
  const writer = await RecordingWriter.open(files, directory, PAIR);
  for (const one of trades) {
    writer.add(one);
    if (writer.isFull) await writer.settle();
  }
  await writer.close();
  await writeMarket(files, join(directory, PAIR), MARKET);
  return writer.totals;
}

async function read(directory: string, query: RecordingQuery = {}): Promise<Trade[]> {
  const rows: Trade[] = [];
  const recording = await openRecording(files, [directory], query);
  for await (const chunk of recording.chunks()) {
    for (let i = 0; i < chunk.count; i++) {
      rows.push({
        id: chunk.id(i),
        time: chunk.time[i] as number,
        price: chunk.price[i] as number,
        quantity: chunk.quantity[i] as number,
        isBuyerMaker: chunk.isBuyerMaker[i] === 1,
      });
    }
  }
  return rows;
}

const dayFile = (directory: string, day: string) => join(directory, PAIR, `${day}.arrow`);

const trades = fc.uniqueArray(
  fc.record({
    id: fc.oneof(
      fc.integer({ min: 0, max: 9_999_999_999 }).map(String),
      fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
    ),
    time: fc.integer({ min: T0, max: T0 + 2 * DAY_MS }),
    price: fc.double({ min: 1e-8, max: 1e9, noNaN: true }),
    quantity: fc.double({ min: 1e-8, max: 1e9, noNaN: true }),
    isBuyerMaker: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 60 },
);

describe('a recording', () => {
  it('gives back every trade exactly, by (time, id), in whatever order and portions they came', async () => {
    await fc.assert(
      fc.asyncProperty(trades, fc.array(fc.nat({ max: 20 }), { maxLength: 6 }), async (rows, portions) => {
        const directory = await folder();
        let at = 0;
        for (const size of [...portions, rows.length]) {
          const writer = await RecordingWriter.open(files, directory, PAIR);
          for (const row of rows.slice(at, at + size)) writer.add(row);
          at += size;
          await writer.close();
        }
        await writeMarket(files, join(directory, PAIR), MARKET);
        const expected = [...rows].sort(compareTrades);
        expect(rows.length === 0 ? [] : await read(directory)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('keeps one file a UTC day, which other Arrow readers open', async () => {
    const midnight = Math.ceil(T0 / DAY_MS) * DAY_MS;
    const directory = await folder();
    await write(directory, [
      trade(1, midnight - 1, { price: 61_800.3, isBuyerMaker: true }),
      trade(2, midnight),
    ]);
    const [found] = await findRecordings(files, [directory]);
    expect(found?.days.map(({ path }) => path)).toEqual([
      dayFile(directory, '2024-08-08'),
      dayFile(directory, '2024-08-09'),
    ]);
    const table = tableFromIPC(await readFile(dayFile(directory, '2024-08-08')));
    expect(String(table.schema)).toBe(
      'Schema<{ 0: id: Utf8, 1: time: Timestamp<MILLISECOND, UTC>, 2: price: Float64, 3: qty: Float64, 4: is_buyer_maker: Bool }>',
    );
    expect(table.toArray().map((row) => row.toJSON())).toEqual([
      { id: '1', time: midnight - 1, price: 61_800.3, qty: 1, is_buyer_maker: true },
    ]);
  });

  it('is framed as the Arrow format says, with the end mark only on days that are over', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0), trade(2, T0 + DAY_MS)]);
    expect(await frames(dayFile(directory, '2024-08-08'))).toEqual({ messages: 2, ended: true });
    expect(await frames(dayFile(directory, '2024-08-09'))).toEqual({ messages: 2, ended: false });
  });

  it('takes at most 40 bytes a trade with ids of ten characters', async () => {
    const directory = await folder();
    const count = 20_000;
    await write(
      directory,
      Array.from({ length: count }, (_, i) => trade(5_266_583_935 + i, T0 + (i >> 6))),
    );
    const [found] = await findRecordings(files, [directory]);
    expect((found?.days[0]?.bytes ?? 0) / count).toBeLessThanOrEqual(40);
  });

  it('goes on after its last day was ended', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0), trade(2, T0 + DAY_MS)]);
    await files.remove(dayFile(directory, '2024-08-09'));
    expect(await write(directory, [trade(3, T0 + 5)])).toMatchObject({ trades: 1, duplicates: 0, late: 0 });
    expect((await read(directory)).map(({ id }) => id)).toEqual(['1', '3']);
  });

  it('reads a stretch with the first moment and without the last', async () => {
    const directory = await folder();
    const rows = Array.from({ length: 300 }, (_, i) => trade(i, T0 + i * 3_600_000));
    await write(directory, rows);
    const from = T0 + 20 * 3_600_000;
    const to = T0 + 200 * 3_600_000;
    expect(await read(directory, { from, to })).toEqual(rows.slice(20, 200));
    expect(await read(directory, { from: to + 1_000 * DAY_MS })).toEqual([]);
  });

  it('hands out at most 65 536 rows at a time, full chunks of small batches too', async () => {
    const directory = await folder();
    const rows = Array.from({ length: 70_000 }, (_, i) => trade(i + 1, T0 + (i >> 7)));
    await write(directory, rows.slice(0, 5_000));
    await write(directory, rows.slice(5_000));
    const recording = await openRecording(files, [directory]);
    const counts: number[] = [];
    for await (const chunk of recording.chunks()) counts.push(chunk.count);
    expect(counts).toEqual([65_536, 4_464]);
  });

  it('rewrites a day of many small saves in full batches when it is over', async () => {
    const directory = await folder();
    const writer = await RecordingWriter.open(files, directory, PAIR);
    for (let i = 0; i < 100; i++) {
      writer.add(trade(i, T0 + i));
      await writer.flush();
    }
    expect((await frames(dayFile(directory, '2024-08-08'))).messages).toBe(101);
    writer.add(trade(1_000, T0 + DAY_MS));
    await writer.close();
    expect(await frames(dayFile(directory, '2024-08-08'))).toEqual({ messages: 2, ended: true });
    await writeMarket(files, join(directory, PAIR), MARKET);
    expect(await read(directory)).toHaveLength(101);
  });
});

describe('what comes twice or late', () => {
  it('is put at its place, and counted', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0), trade(5, T0 + 500)]);
    const totals = await write(directory, [
      trade(5, T0 + 500),
      trade(3, T0 + 300),
      trade(6, T0 + 600),
      trade(6, T0 + 600),
    ]);
    expect(totals).toEqual({ trades: 2, duplicates: 2, late: 1, gaps: 0, from: T0 + 300, to: T0 + 600 });
    expect((await read(directory)).map(({ id }) => id)).toEqual(['1', '3', '5', '6']);
  });

  it('does not come of two writes at once, nor is lost what comes while one is under way', async () => {
    const directory = await folder();
    const writer = await RecordingWriter.open(files, directory, PAIR);
    for (const id of [1, 3, 2]) writer.add(trade(id, T0 + id));
    const writes = [writer.flush(), writer.flush()];
    await new Promise((resolve) => setImmediate(resolve));
    writer.add(trade(4, T0 + 4));
    await Promise.all([...writes, writer.settle(), writer.close()]);
    await writeMarket(files, join(directory, PAIR), MARKET);
    expect(writer.totals).toMatchObject({ trades: 4, duplicates: 0 });
    expect((await read(directory)).map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
  });

  it('is noticed among rows that still wait, after ascending ids and after descending ones', async () => {
    const directory = await folder();
    const rows = [1, 2, 3, 3, 2, 9, 8, 8, 9, 10, 10].map((id) => trade(id, T0 + id));
    expect(await write(directory, rows)).toMatchObject({ trades: 6, duplicates: 5 });
    expect((await read(directory)).map(({ id }) => id)).toEqual(['1', '2', '3', '8', '9', '10']);
  });

  it('may not contradict itself', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0), trade(2, T0 + 1)]);
    await expect(write(directory, [trade(1, T0, { price: 101 })])).rejects.toThrow(
      `trade 1 must be the same wherever it occurs, received 1 @ 100 at ${T0} (buyer taker) and 1 @ 101 at ${T0} (buyer taker)`,
    );
    const writer = await RecordingWriter.open(files, directory, PAIR);
    writer.add(trade(9, T0 + 9));
    expect(() => writer.add(trade(9, T0 + 9, { quantity: 2 }))).toThrow(
      'trade 9 must be the same wherever it occurs',
    );
    await writer.abandon();
  });
});

describe('after a crash', () => {
  it('what was to take the place of a day is removed, and nothing that is another writer’s', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0)]);
    const left = (name: string) => join(directory, PAIR, `.${name}.0123456789ab.tmp`);
    const others = ['2024-08-08.ticker.arrow', '2024-08-08.bars.arrow', 'market.json', 'lock-1'];
    for (const name of ['2024-08-08.arrow', '2024-08-07.arrow', ...others])
      await writeFile(left(name), 'half');
    await write(directory, [trade(2, T0 + 1)]);
    const names = (await files.list(join(directory, PAIR))).map(({ path }) => path);
    expect(names.filter((path) => path.endsWith('.tmp')).sort()).toEqual(others.map(left).sort());
    expect(await read(directory)).toHaveLength(2);
  });

  it('wherever the file was torn, whole batches stay, the rest is cut, and writing goes on', async () => {
    const whole = await folder();
    const writer = await RecordingWriter.open(files, whole, PAIR);
    const ends = [0];
    for (let i = 1; i <= 3; i++) {
      writer.add(trade(i, T0 + i));
      await writer.flush();
      ends.push((await files.stat(dayFile(whole, '2024-08-08')))?.size ?? 0);
    }
    await writer.close();
    const bytes = await readFile(dayFile(whole, '2024-08-08'));
    for (let cut = 0; cut < bytes.length; cut += 41) {
      const directory = await folder();
      await files.makeDirectory(join(directory, PAIR));
      await writeFile(dayFile(directory, '2024-08-08'), bytes.subarray(0, cut));
      await writeMarket(files, join(directory, PAIR), MARKET);
      const survivors = ends.filter((end) => end > 0 && end <= cut).length;
      expect(await read(directory)).toHaveLength(survivors);
      await write(directory, [trade(9, T0 + 9)]);
      expect((await read(directory)).map(({ id }) => id)).toEqual([
        ...['1', '2', '3'].slice(0, survivors),
        '9',
      ]);
    }
  });

  it('a tail of zeros, as a power loss leaves it, is cut', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0)]);
    await appendFile(dayFile(directory, '2024-08-08'), new Uint8Array(1_000));
    expect(await read(directory)).toHaveLength(1);
    await write(directory, [trade(2, T0 + 1)]);
    expect((await read(directory)).map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('a day that is nothing but zeros is begun anew', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0), trade(2, T0 + DAY_MS)]);
    const path = dayFile(directory, '2024-08-09');
    await writeFile(path, Buffer.alloc((await readFile(path)).length));
    expect((await read(directory)).map(({ id }) => id)).toEqual(['1']);
    const writer = await RecordingWriter.open(files, directory, PAIR);
    // Of the day before: from there on trades are asked for again, and what is known comes again.
    expect(writer.lastTime).toBe(T0);
    for (const [id, time] of [
      [1, T0],
      [2, T0 + DAY_MS],
    ] as const) {
      writer.add(trade(id, time));
    }
    await writer.close();
    expect((await read(directory)).map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('a batch whose length is there and whose contents are zeros is cut', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0)]);
    const first = (await files.stat(dayFile(directory, '2024-08-08')))?.size ?? 0;
    await write(directory, [trade(2, T0 + 1)]);
    const path = dayFile(directory, '2024-08-08');
    const bytes = await readFile(path);
    // The body of this batch: everything behind prefix and metadata.
    const body = first + 8 + bytes.readInt32LE(first + 4);
    await writeFile(path, Buffer.concat([bytes.subarray(0, body), Buffer.alloc(bytes.length - body)]));
    await write(directory, [trade(3, T0 + 2)]);
    expect((await read(directory)).map(({ id }) => id)).toEqual(['1', '3']);
  });

  it('a torn line in the list of gaps is cut', async () => {
    const directory = await folder();
    const writer = await RecordingWriter.open(files, directory, PAIR);
    writer.add(trade(1, T0));
    writer.gap({ from: T0, to: T0 + 5, missing: 4 });
    await writer.close();
    const path = join(directory, PAIR, 'gaps.ndjson');
    await appendFile(path, '{"from":17');
    const again = await RecordingWriter.open(files, directory, PAIR);
    again.gap({ from: T0 + 7, to: T0 + 9, missing: undefined });
    await again.close();
    await writeMarket(files, join(directory, PAIR), MARKET);
    expect((await openRecording(files, [directory])).gaps).toEqual([
      { from: T0, to: T0 + 5, missing: 4 },
      { from: T0 + 7, to: T0 + 9, missing: undefined },
    ]);
  });
});

describe('after a crash', () => {
  /** Two batches that were written and not synced, behind one that was; where each of them ends. */
  async function written(batch: (from: number) => Trade[]) {
    const directory = await folder();
    const path = dayFile(directory, '2024-08-08');
    const ends: number[] = [];
    for (const from of [0, 20_000, 40_000]) {
      await write(directory, batch(from));
      ends.push((await readFile(path)).length);
    }
    return { directory, path, ends };
  }

  it('a batch that lost a block of its ids is cut, with those behind it', async () => {
    const ids = 10_000;
    const { directory, path, ends } = await written((from) =>
      Array.from({ length: ids }, (_, i) => trade(10_000 + from + i, T0 + from + i)),
    );
    const bytes = await readFile(path);
    const at = bytes.indexOf(String(30_000 + ids / 2), ends[0]);
    expect(at).toBeGreaterThan(ends[0] as number);
    const block = at - (at % 4_096);
    await writeFile(path, bytes.fill(0, block, block + 4_096));
    await write(directory, [trade('next', T0 + 60_000)]);
    const rows = await read(directory);
    expect(rows).toHaveLength(ids + 1);
    expect(rows.at(-1)?.id).toBe('next');
  });

  it.each([64, 200])('a full batch with ids of %i characters is cut where it is torn', async (length) => {
    const directory = await folder();
    const path = dayFile(directory, '2024-08-08');
    await write(directory, [trade(1, T0)]);
    const full = Array.from({ length: 65_536 }, (_, i) => trade(String(i).padStart(length, 'x'), T0 + 1 + i));
    await write(directory, full);
    await truncate(path, (await readFile(path)).length - 8);
    await write(directory, [trade('next', T0 + 70_000)]);
    expect((await read(directory)).map(({ id }) => id)).toEqual(['1', 'next']);
  });
});

describe('what is no recording is refused with its name', () => {
  it.each([
    ['nothing there', async () => '/nowhere/at/all', 'must be a recording or a folder of recordings'],
    ['an empty folder', folder, 'must hold recordings'],
  ])('%s', async (_, make, message) => {
    await expect(openRecording(files, [await make()])).rejects.toThrow(message);
  });

  it.each(['newest', 'older'])('to a writer, an %s day that is damaged at its head', async (place) => {
    const directory = await folder();
    await write(directory, [trade(1, T0), trade(2, T0 + 1)]);
    if (place === 'older') await write(directory, [trade(3, T0 + DAY_MS)]);
    const path = dayFile(directory, '2024-08-08');
    const bytes = await readFile(path);
    bytes.write('XXXX');
    await writeFile(path, bytes);
    expect(await read(directory)).toHaveLength(place === 'older' ? 1 : 0);
    await expect(write(directory, [trade(4, T0 + 2)])).rejects.toThrow(
      `${path} must be whole but for its last batch, received damage from byte 0 on (moved elsewhere, it is in nobody's way: tickwright data check names all such files)`,
    );
    expect(await readFile(path)).toEqual(bytes);
  });

  it('a recording without its market', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0)]);
    await files.remove(join(directory, PAIR, 'market.json'));
    await expect(openRecording(files, [directory])).rejects.toThrow('must hold market.json, received none');
  });

  it('the wrong pair, and several where one must be named', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0)]);
    await expect(openRecording(files, [directory], { pair: 'USD_ETH_PERP' })).rejects.toThrow(
      `must hold USD_ETH_PERP, received ${PAIR}`,
    );
    const other = await RecordingWriter.open(files, directory, 'USD_ETH_PERP');
    other.add(trade(1, T0));
    await other.close();
    await expect(openRecording(files, [directory])).rejects.toThrow(
      `received recordings of ${PAIR}, USD_ETH_PERP`,
    );
  });

  it('the same day in two places', async () => {
    const [one, two] = [await folder(), await folder()];
    await write(one, [trade(1, T0)]);
    await write(two, [trade(1, T0)]);
    await expect(openRecording(files, [one, two])).rejects.toThrow('must be in one place only');
  });

  it('a name that would leave the folder', async () => {
    await expect(RecordingWriter.open(files, await folder(), '../x')).rejects.toThrow(
      'a pair must be a name',
    );
  });

  it('a day whose times go backwards', async () => {
    const [one, two] = [await folder(), await folder()];
    await write(one, [trade(1, T0 + 5)]);
    await write(two, [trade(2, T0)]);
    const later = await readFile(dayFile(two, '2024-08-08'));
    const schemaBytes = 8 + later.readInt32LE(4);
    await appendFile(dayFile(one, '2024-08-08'), later.subarray(schemaBytes));
    await expect(read(one)).rejects.toThrow(
      `trades must be in order of time, received trade 2 at ${T0} after one at ${T0 + 5}`,
    );
  });

  it('a file of another pair, when it is to be written to', async () => {
    const directory = await folder();
    const writer = await RecordingWriter.open(files, directory, 'USD_ETH_PERP');
    writer.add(trade(1, T0));
    await writer.close();
    await files.makeDirectory(join(directory, PAIR));
    await writeFile(
      dayFile(directory, '2024-08-08'),
      await readFile(join(directory, 'USD_ETH_PERP', '2024-08-08.arrow')),
    );
    await expect(write(directory, [trade(2, T0)])).rejects.toThrow(
      `must hold trades of ${PAIR}, received USD_ETH_PERP`,
    );
  });

  it.each([
    ['the mark', (start: number) => start],
    ['the length', (start: number) => start + 6],
    ['a length that reaches behind the end', (start: number) => start + 5],
    ['the header', (start: number) => start + 8],
  ])('a day of which a batch is damaged at %s, with trades behind', async (_, place) => {
    const directory = await folder();
    const path = dayFile(directory, '2024-08-08');
    const ends: number[] = [];
    for (const id of [1, 2, 3]) {
      await write(directory, [trade(id, T0 + id)]);
      ends.push((await readFile(path)).length);
    }
    const bytes = await readFile(path);
    const at = place(ends[0] as number);
    bytes[at] = (bytes[at] as number) ^ 0x44;
    await writeFile(path, bytes);
    await expect(write(directory, [trade(4, T0 + 4)])).rejects.toThrow(
      `${path} must be whole but for its last batch, received damage from byte ${ends[0]} on`,
    );
    expect(await readFile(path)).toEqual(bytes);
  });

  it('a day with a time of another day, and trades behind', async () => {
    const directory = await folder();
    const path = dayFile(directory, '2024-08-08');
    await write(directory, [trade(1, T0)]);
    const start = (await readFile(path)).length;
    await write(directory, [trade(2, T0 + 1)]);
    await write(directory, [trade(3, T0 + 2)]);
    const bytes = await readFile(path);
    const time = Buffer.alloc(8);
    time.writeBigInt64LE(BigInt(T0 + 1));
    const at = bytes.indexOf(time, start);
    expect(at).toBeGreaterThan(start);
    bytes.writeBigInt64LE(BigInt(T0 + 1 + DAY_MS), at);
    await writeFile(path, bytes);
    await expect(write(directory, [trade(4, T0 + 3)])).rejects.toThrow(
      `${path} must be whole but for its last batch, received damage from byte ${start} on`,
    );
    expect(await readFile(path)).toEqual(bytes);
  });

  it('more garbage than a torn batch can be is not cut off', async () => {
    const directory = await folder();
    await write(directory, [trade(1, T0)]);
    await truncate(dayFile(directory, '2024-08-08'), 20 * 1_024 * 1_024);
    await expect(write(directory, [trade(2, T0)])).rejects.toThrow('must be whole but for its last batch');
  });
});

/** Walks the message framing by the letter of the Arrow specification, with no code of ours or of Arrow's. */
async function frames(path: string): Promise<{ messages: number; ended: boolean }> {
  const bytes = await readFile(path);
  let at = 0;
  let messages = 0;
  while (at < bytes.length) {
    expect(bytes.readInt32LE(at)).toBe(-1);
    expect(at % 8).toBe(0);
    const metadata = bytes.readInt32LE(at + 4);
    if (metadata === 0) {
      expect(at + 8).toBe(bytes.length);
      return { messages, ended: true };
    }
    // Flatbuffers: root table → vtable → field 3 of Message (bodyLength), absent = 0.
    const root = at + 8;
    const table = root + bytes.readUInt32LE(root);
    const vtable = table - bytes.readInt32LE(table);
    const slot = vtable + 4 + 2 * 3;
    const offset = slot < vtable + bytes.readUInt16LE(vtable) ? bytes.readUInt16LE(slot) : 0;
    const body = offset === 0 ? 0 : Number(bytes.readBigInt64LE(table + offset));
    messages += 1;
    at = root + metadata + body;
  }
  expect(at).toBe(bytes.length);
  return { messages, ended: false };
}
