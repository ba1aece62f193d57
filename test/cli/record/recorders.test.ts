import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FactRecorder } from '../../../src/cli/record/fact-recorder.js';
import { PairRecorder, type RecorderMachine } from '../../../src/cli/record/pair-recorder.js';
import { silenceText } from '../../../src/cli/view/silence-text.js';
import { defineMarket, type Market } from '../../../src/model/market.js';
import { rateOf } from '../../../src/model/money.js';
import type { TickerRecord } from '../../../src/model/venue-records.js';
import type { WorldFact } from '../../../src/model/world-fact.js';
import { nodeFiles } from '../../../src/platform/files.js';
import type { AppendFile, ReadableFile } from '../../../src/ports/files.js';
import type { Log } from '../../../src/ports/log.js';
import { VenueError } from '../../../src/ports/venue-api.js';
import { schemaMessage } from '../../../src/storage/rows/arrow-batch.js';
import type { TickerRow } from '../../../src/storage/facts/fact-table.js';
import { FactWriter } from '../../../src/storage/facts/fact-writer.js';
import { checkRecordings } from '../../../src/storage/certificate/certificate.js';
import { readDay } from '../../../src/storage/rows/day-file.js';
import { readGaps } from '../../../src/storage/rows/gap-file.js';
import { marketSpecOf } from '../../../src/storage/market-spec.js';
import { RecordingWriter } from '../../../src/storage/rows/recording-writer.js';
import { openRecording } from '../../../src/storage/recording/recording.js';
import { FakeVenueApi } from '../../support/fake-venue-api.js';
import { BTC } from '../../support/markets.js';
import { MemoryFiles } from '../../support/memory-files.js';
import { VirtualTime } from '../../support/virtual-time.js';

const MINUTE = 60_000;
/** 2024-06-01T23:50: ten minutes before a day is over. */
const ORIGIN = 1_717_286_400_000 - 10 * MINUTE;

const made: string[] = [];
afterAll(() => Promise.all(made.map((path) => nodeFiles.remove(path))));

/** Memory that also appends and reads at offsets, as recordings need it. */
class Disk extends MemoryFiles {
  /** Appending waits for it. */
  held: Promise<void> | undefined;

  override openAppend(path?: string): Promise<AppendFile> {
    const file = this.openAppendSync(path as string);
    const later = (work: () => void) => new Promise<void>((resolve) => resolve(work()));
    return Promise.resolve({
      size: () => file.size(),
      append: async (bytes) => {
        if (this.held !== undefined) await this.held;
        const before = file.size();
        try {
          file.append(bytes);
        } catch (error) {
          file.truncate(before);
          throw error;
        }
      },
      sync: () => later(() => file.sync()),
      truncate: (size) => later(() => file.truncate(size)),
      close: () => later(() => file.close()),
    });
  }

  override openRead(path?: string): Promise<never> {
    const bytes = (this.contents.get(path as string) as Uint8Array).slice();
    const file: ReadableFile = {
      size: bytes.length,
      readInto: (target, offset) => {
        const part = bytes.subarray(offset, offset + target.length);
        target.set(part);
        return Promise.resolve(part.length);
      },
      close: () => Promise.resolve(),
    };
    return Promise.resolve(file as never);
  }

  /** The same on a real disk, where recordings are read. */
  async spill(): Promise<string> {
    const root = await nodeFiles.temporaryDirectory('tickwright-recorders-');
    made.push(root);
    for (const [path, bytes] of this.contents) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), bytes);
    }
    return join(root, 'data');
  }
}

function desk() {
  const time = new VirtualTime(ORIGIN);
  const api = new FakeVenueApi(time, BTC, ORIGIN);
  const files = new Disk();
  const said: string[] = [];
  const note = (message: string) => void said.push(message);
  const log: Log = { debug: () => undefined, info: note, warn: note, error: note };
  const machine = { clock: time.clock, timers: time.timers, files, log };
  return { time, api, files, said, machine };
}

function printEvery(api: FakeVenueApi, everyMs: number, forMs: number): number {
  const count = Math.floor(forMs / everyMs);
  for (let i = 0; i < count; i++) {
    api.print({
      id: String(i + 1),
      time: ORIGIN + i * everyMs,
      price: 100,
      quantity: 1,
      isBuyerMaker: false,
    });
  }
  return count;
}

describe('a recorder of trades', () => {
  const profile = { clock: 'system', maxLimit: 100, tradeIds: 'contiguous', visibilityLagMs: 0 } as const;

  it('follows the tape, not a print whose time is a day ahead', async () => {
    const { time, api, machine } = desk();
    const print = (id: number, at: number) =>
      api.print({ id: String(id), time: at, price: 100, quantity: 1, isBuyerMaker: false }, time.now);
    const recorder = await PairRecorder.open({
      machine,
      connection: { api, profile },
      market: BTC,
      directory: 'data',
    });
    const running = recorder.run(1_000).subscribe();
    for (let id = 1; id <= 60; id++) {
      print(id, id === 20 ? api.venueTime + 24 * 60 * MINUTE : api.venueTime);
      await time.advance(1_000);
    }
    running.unsubscribe();
    await recorder.close();
    expect(recorder.totals).toMatchObject({ trades: 59, duplicates: 0 });
    expect(recorder.totals.to).toBeLessThanOrEqual(api.venueTime);
  });

  it('calls a gap what it does not get once the clock of the venue was set back, where ids tell nothing', async () => {
    const { time, api, files, machine } = desk();
    const recorder = await PairRecorder.open({
      machine,
      connection: { api, profile: { ...profile, tradeIds: 'opaque', visibilityLagMs: 5_000 } },
      market: BTC,
      directory: 'data',
    });
    const running = recorder.run(1_000).subscribe();
    const printed: number[] = [];
    for (let second = 1; second <= 120; second++) {
      api.clockFrozenAt = ORIGIN + second * 1_000 - (second < 30 ? 0 : 10 * MINUTE);
      printed.push(api.venueTime);
      api.print({ id: `t${second}`, time: api.venueTime, price: 100, quantity: 1, isBuyerMaker: false });
      await time.advance(1_000);
    }
    running.unsubscribe();
    await recorder.close();
    const gaps = await readGaps(files, `data/${BTC.pair}`);
    expect(recorder.totals).toMatchObject({ trades: 29, gaps: 1 });
    const lost = printed.slice(29).filter((at) => !gaps.some(({ from, to }) => from <= at && at <= to));
    expect(lost).toEqual([]);
  });

  it.each<[string, (parts: ReturnType<typeof desk>) => { begin: () => void; end: () => void }]>([
    ['nothing goes wrong', () => ({ begin: () => undefined, end: () => undefined })],
    [
      'the venue is away for three minutes',
      ({ api }) => ({
        begin: () => (api.fault = (kind) => (kind === 'trades' ? 'fail' : undefined)),
        end: () => (api.fault = () => undefined),
      }),
    ],
    [
      'the disk is full for three minutes',
      ({ files }) => ({
        begin: () => (files.capacity = files.used() + 100),
        end: () => (files.capacity = Number.POSITIVE_INFINITY),
      }),
    ],
  ])('has every trade once, over midnight, when %s', async (_, plan) => {
    const parts = desk();
    const { time, api, files, machine } = parts;
    const trouble = plan(parts);
    const prints = printEvery(api, 500, 20 * MINUTE);
    const recorder = await PairRecorder.open({
      machine,
      connection: { api, profile },
      market: BTC,
      directory: 'data',
    });
    let failure: unknown;
    const running = recorder.run(1_000).subscribe({ error: (error: unknown) => (failure = error) });
    await time.advance(8 * MINUTE);
    expect(recorder.trouble).toBeUndefined();
    trouble.begin();
    await time.advance(3 * MINUTE);
    trouble.end();
    await time.advance(10 * MINUTE);
    running.unsubscribe();
    await recorder.close();
    expect(failure).toBeUndefined();
    expect(recorder.totals).toMatchObject({ trades: prints, gaps: 0, duplicates: 0 });
    await files.writeAtomic(
      `data/${BTC.pair}/market.json`,
      JSON.stringify({ formatVersion: 1, source: 'given', spec: marketSpecOf(BTC) }),
    );
    const [certificate] = await checkRecordings(nodeFiles, [await files.spill()]);
    expect(certificate).toMatchObject({ trades: prints, gaps: [], duplicates: 0, outOfOrder: 0 });
  });

  it('has every trade of a venue whose clock steps back by milliseconds, and says nothing of new counting', async () => {
    const { time, api, files, said, machine } = desk();
    for (let id = 1; id <= 200; id++) {
      const shown = ORIGIN + id * 10;
      const at = shown - 15 * Math.floor(id / 50);
      api.print({ id: String(id), time: at, price: 100, quantity: 1, isBuyerMaker: false }, shown);
    }
    const connection = { api, profile };
    const recorder = await PairRecorder.open({ machine, connection, market: BTC, directory: 'data' });
    const running = recorder.run(1_000).subscribe();
    await time.advance(MINUTE);
    running.unsubscribe();
    await recorder.close();
    expect(recorder.totals).toMatchObject({ trades: 200, gaps: 0 });
    expect((await readDay(files, `data/${BTC.pair}/2024-06-01.arrow`)).count).toBe(200);
    expect(said.filter((one) => one.includes('counts its trades anew'))).toEqual([]);
  });

  it('goes on, over a restart too, where the venue uses its ids again', async () => {
    const { time, api, files, said, machine } = desk();
    const record = async (ms: number) => {
      const connection = { api, profile };
      const recorder = await PairRecorder.open({ machine, connection, market: BTC, directory: 'data' });
      let failure: unknown;
      const running = recorder.run(1_000).subscribe({ error: (error: unknown) => (failure = error) });
      await time.advance(ms);
      running.unsubscribe();
      await recorder.close();
      expect(failure).toBeUndefined();
      return recorder.totals;
    };
    const print = (id: number, at: number, price: number) =>
      api.print({ id: String(id), time: ORIGIN + at, price, quantity: 1, isBuyerMaker: false });
    for (let id = 1; id <= 20; id++) print(id, id * 500, 100);
    // It was set up anew, and counts from the beginning, while trades of before still wait to be written.
    for (let id = 1; id <= 30; id++) print(id, 10_000 + id * 500, 200);
    expect(await record(25_000)).toMatchObject({ trades: 50, duplicates: 0, gaps: 1 });
    for (let id = 31; id <= 40; id++) print(id, 10_000 + id * 500, 200);
    expect(await record(6_000)).toMatchObject({ trades: 10, duplicates: 0, gaps: 0 });
    expect((await readDay(files, `data/${BTC.pair}/2024-06-01.arrow`)).count).toBe(60);
    expect(said.filter((one) => one.includes('counts its trades anew'))).toHaveLength(1);
  });

  it('tells a gap where the venue was set up anew while nobody recorded, and came to the same id again', async () => {
    const { time, api, files, machine } = desk();
    const record = async (told: Pick<FakeVenueApi, 'trades' | 'clock'>) => {
      const connection = { api: told, profile };
      const recorder = await PairRecorder.open({ machine, connection, market: BTC, directory: 'data' });
      const running = recorder.run(1_000).subscribe();
      await time.advance(15_000);
      running.unsubscribe();
      await recorder.close();
    };
    printEvery(api, 500, 10_000);
    await record(api);
    const anew = new FakeVenueApi(time, BTC, ORIGIN);
    for (let id = 1; id <= 30; id++) {
      const at = ORIGIN + 20_000 + id * 500;
      anew.print({ id: String(id), time: at, price: 200, quantity: 1, isBuyerMaker: false });
    }
    await time.advance(30_000);
    await record(anew);
    expect((await readDay(files, `data/${BTC.pair}/2024-06-01.arrow`)).count).toBe(50);
    expect(await readGaps(files, `data/${BTC.pair}`)).toMatchObject([
      { from: ORIGIN + 9_500, to: ORIGIN + 20_500 },
    ]);
  });

  it('keeps what it recorded first where the venue tells another story of it later', async () => {
    const { time, api, files, said, machine } = desk();
    let price = 100;
    const told = {
      clock: api.clock,
      trades: async (query: Parameters<FakeVenueApi['trades']>[0]) =>
        (await api.trades(query)).map((trade) => ({ ...trade, price })),
    };
    printEvery(api, 500, 10_000);
    for (const run of [1, 2]) {
      const connection = { api: told, profile };
      const recorder = await PairRecorder.open({ machine, connection, market: BTC, directory: 'data' });
      let failure: unknown;
      const running = recorder.run(1_000).subscribe({ error: (error: unknown) => (failure = error) });
      await time.advance(15_000);
      running.unsubscribe();
      await recorder.close();
      expect(failure).toBeUndefined();
      expect(recorder.totals).toMatchObject({ trades: run === 1 ? 20 : 0, duplicates: 0, gaps: 0 });
      price = 101;
    }
    const rows = await readDay(files, `data/${BTC.pair}/2024-06-01.arrow`);
    expect(Array.from(rows.price.subarray(0, rows.count)).every((one) => one === 100)).toBe(true);
    expect(said.filter((one) => one.includes('tells of a trade otherwise'))).toHaveLength(1);
  });

  it('says that it takes no trade before the end of a recording that lies ahead of the venue', async () => {
    const { time, api, files, said, machine } = desk();
    const writer = await RecordingWriter.open(files, 'data', BTC.pair);
    writer.add({ id: '9', time: ORIGIN + 15 * MINUTE, price: 100, quantity: 1, isBuyerMaker: false });
    await writer.close();
    printEvery(api, 500, 10_000);
    const recorder = await PairRecorder.open({
      machine,
      connection: { api, profile },
      market: BTC,
      directory: 'data',
    });
    const running = recorder.run(1_000).subscribe();
    await time.advance(MINUTE);
    running.unsubscribe();
    await recorder.close();
    expect(recorder.totals.trades).toBe(0);
    expect(said.filter((one) => one.includes('a time to come'))).toHaveLength(1);
  });

  it('says what it waits for', async () => {
    const { time, api, files, machine, said } = desk();
    printEvery(api, 500, 20 * MINUTE);
    const recorder = await PairRecorder.open({
      machine,
      connection: { api, profile },
      market: BTC,
      directory: 'data',
    });
    const running = recorder.run(1_000).subscribe();
    await time.advance(MINUTE);
    files.capacity = files.used();
    await time.advance(2 * MINUTE);
    expect(recorder.trouble).toBe('disk full, waiting for room');
    files.capacity = Number.POSITIVE_INFINITY;
    await time.advance(MINUTE);
    expect(recorder.trouble).toBeUndefined();
    api.fault = () => 'fail';
    await time.advance(MINUTE);
    expect(recorder.trouble).toMatch(/^no answer for \d+ s$/);
    expect(recorder.silence).toMatchObject({ reason: 'VenueError: trades was not answered' });
    api.fault = () => undefined;
    await time.advance(MINUTE);
    expect(recorder.silence).toBeUndefined();
    running.unsubscribe();
    expect(said).toContain('the disk is full: what came waits in memory, and nothing more is asked for');
    expect(said).toContain('the disk has room again');
  });

  it.each(['the disk', 'the venue'])('says at its end who kept the newest trades away: %s', async (who) => {
    const { time, api, files, machine } = desk();
    printEvery(api, 500, 20 * MINUTE);
    const connection = { api, profile };
    const recorder = await PairRecorder.open({ machine, connection, market: BTC, directory: 'data' });
    const running = recorder.run(1_000).subscribe();
    await time.advance(MINUTE);
    if (who === 'the disk') files.capacity = files.used();
    else api.fault = () => 'fail';
    await time.advance(2 * MINUTE);
    running.unsubscribe();
    // Room comes in time for what waited, and too late to ask for more.
    files.capacity = Number.POSITIVE_INFINITY;
    await recorder.close();
    expect(recorder.missing).toBeUndefined();
    const text = silenceText(BTC.pair, recorder.silence!);
    expect(text).toContain(
      who === 'the disk'
        ? `the disk must have room for the trades of ${BTC.pair}, received none for the last `
        : `the venue must tell the trades of ${BTC.pair}, received none for the last `,
    );
    expect(text).toContain('is not in the recording, and tickwright record goes on from there');
  });

  it('was not silent only because its end waited for the disk', async () => {
    const { time, api, files, machine } = desk();
    printEvery(api, 500, 20 * MINUTE);
    const connection = { api, profile };
    const recorder = await PairRecorder.open({ machine, connection, market: BTC, directory: 'data' });
    const running = recorder.run(1_000).subscribe();
    await time.advance(MINUTE);
    running.unsubscribe();
    let release: () => void = () => undefined;
    files.held = new Promise((resolve) => {
      release = resolve;
    });
    const closing = recorder.close();
    await time.advance(MINUTE);
    release();
    await closing;
    expect(recorder.silence).toBeUndefined();
  });

  it('is in no trouble between two polls that are far apart', async () => {
    const { time, api, machine } = desk();
    printEvery(api, 500, 20 * MINUTE);
    const connection = { api, profile };
    const recorder = await PairRecorder.open({ machine, connection, market: BTC, directory: 'data' });
    const running = recorder.run(30_000).subscribe();
    await time.advance(MINUTE + 29_000);
    expect(recorder.trouble).toBeUndefined();
    api.fault = () => 'fail';
    await time.advance(MINUTE);
    expect(recorder.trouble).toMatch(/^no answer for \d+ s$/);
    running.unsubscribe();
  });
});

describe('a recorder of trades of a cautious profile', () => {
  const profile = { clock: 'system', maxLimit: 100, tradeIds: 'opaque', visibilityLagMs: 5_000 } as const;
  const folderOfPair = `data/${BTC.pair}`;
  type Parts = ReturnType<typeof desk>;

  async function record({ time, machine }: Parts, api: Pick<FakeVenueApi, 'trades' | 'clock'>, ms: number) {
    const connection = { api, profile };
    const recorder = await PairRecorder.open({ machine, connection, market: BTC, directory: 'data' });
    const running = recorder.run(1_000).subscribe();
    await time.advance(ms);
    running.unsubscribe();
    await recorder.close();
    return recorder.totals;
  }

  it('tells of a gap where the budget ends its first walk after a restart', async () => {
    const parts = desk();
    const { time, api, files } = parts;
    printEvery(api, 100, 5 * MINUTE);
    const before = await record(parts, api, 20_000);
    await time.advance(2 * MINUTE);
    let calls = 0;
    api.fault = (kind) => (kind === 'trades' && ++calls === 5 ? 'throttle' : undefined);
    const after = await record(parts, api, 5_000);
    expect(await readGaps(files, folderOfPair)).toEqual([
      { from: before.to, to: after.from, missing: undefined },
    ]);
    expect((after.from as number) - (before.to as number)).toBeGreaterThan(MINUTE);
    expect(after).toMatchObject({ gaps: 1, duplicates: 0 });
  });

  /** Forgets what is older. */
  const forgetful = (api: FakeVenueApi, floor: () => number) => ({
    clock: api.clock,
    trades: async (query: Parameters<FakeVenueApi['trades']>[0]) =>
      (await api.trades(query)).filter((trade) => trade.time >= floor()),
  });

  it.each([
    ['some trades ago', 0],
    ['until now', 2 * MINUTE],
  ])('tells of a gap where the venue has forgotten all %s, once it ends', async (_, quietMs) => {
    const parts = desk();
    const { time, api, files } = parts;
    printEvery(api, 500, 5 * MINUTE);
    const before = await record(parts, api, 20_000);
    await time.advance(MINUTE);
    const floor = api.venueTime - 10_000 + quietMs;
    const forgotten = forgetful(api, () => floor);
    const after = await record(parts, forgotten, quietMs + 10_000);
    expect(await readGaps(files, folderOfPair)).toEqual([
      { from: before.to, to: after.from, missing: undefined },
    ]);
    expect(after.from).toBeGreaterThanOrEqual(floor);
  });

  it('tells of no gap where the venue has nothing to say at first', async () => {
    const parts = desk();
    const { time, api } = parts;
    const prints = printEvery(api, 500, MINUTE);
    const before = await record(parts, api, 20_000);
    const deaf = time.now + 5_000;
    const late = forgetful(api, () => (time.now < deaf ? Number.POSITIVE_INFINITY : 0));
    const after = await record(parts, late, MINUTE);
    expect(after).toMatchObject({ trades: prints - before.trades, gaps: 0, duplicates: 0 });
  });

  it('has a trade that shows late over a restart', async () => {
    const parts = desk();
    const { api, files } = parts;
    const prints = printEvery(api, 500, 18_000);
    const hidden = { id: 'late', time: ORIGIN + 16_250, price: 100, quantity: 1, isBuyerMaker: false };
    api.print(hidden, ORIGIN + 21_000);
    const before = await record(parts, api, 20_000);
    const after = await record(parts, api, 20_000);
    expect(before).toMatchObject({ trades: prints, duplicates: 0 });
    expect(after).toMatchObject({ trades: 1, late: 1, duplicates: 0, gaps: 0 });
    expect((await readDay(files, `${folderOfPair}/2024-06-01.arrow`)).count).toBe(prints + 1);
  });

  /** Four trades a second for three minutes, each of which shows up to 4.9 s late. */
  function lateTape(api: FakeVenueApi): readonly string[] {
    return Array.from({ length: 720 }, (_, index) => {
      const id = `t${String(index).padStart(5, '0')}`;
      const time = ORIGIN + index * 250;
      const shown = time + ((index * 37) % 50) * 98;
      api.print({ id, time, price: 100, quantity: 1, isBuyerMaker: false }, shown);
      return id;
    });
  }

  async function lacking(files: Disk, ids: readonly string[]) {
    const rows = await readDay(files, `${folderOfPair}/2024-06-01.arrow`);
    const have = new Set(Array.from({ length: rows.count }, (_, row) => rows.id(row)));
    return { lacks: ids.filter((id) => !have.has(id)), gaps: await readGaps(files, folderOfPair) };
  }

  it('loses no trade that shows late where it dies while it writes its day anew', async () => {
    const parts = desk();
    const { api, files } = parts;
    const ids = lateTape(api);
    const write = files.writeAtomic.bind(files);
    let left: Disk | undefined;
    files.writeAtomic = (path, ...contents) => {
      if (left === undefined && path.endsWith('2024-06-01.arrow') && api.venueTime > ORIGIN + 90_000) {
        left = new Disk();
        for (const [name, bytes] of files.contents) left.contents.set(name, bytes.slice());
      }
      return write(path, ...contents);
    };
    await record(parts, api, 130_000);
    if (left === undefined) throw new Error('a day must be written anew');
    await record({ ...parts, machine: { ...parts.machine, files: left } }, api, 3 * MINUTE);
    expect(await lacking(left, ids)).toEqual({ lacks: [], gaps: [] });
  });

  it('has after a restart what a full disk kept from being written anew', async () => {
    const parts = desk();
    const { time, api, files } = parts;
    const ids = lateTape(api);
    const write = files.writeAtomic.bind(files);
    files.writeAtomic = (path, ...contents) =>
      path.endsWith('.arrow') && api.venueTime > ORIGIN + 65_000 && api.venueTime < ORIGIN + 130_000
        ? Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
        : write(path, ...contents);
    await record(parts, api, 129_000);
    await time.advance(2_000);
    await record(parts, api, 3 * MINUTE);
    expect(await lacking(files, ids)).toEqual({ lacks: [], gaps: [] });
  });

  it('reads thousands of trades in one walk, though a page has a hundred', async () => {
    const parts = desk();
    const prints = 5_500;
    for (let i = 1; i <= prints; i++) {
      const time = ORIGIN - 40 * MINUTE + i * 100;
      parts.api.print({ id: String(i), time, price: 100, quantity: 1, isBuyerMaker: false });
    }
    expect(await record(parts, parts.api, 2_000)).toMatchObject({ trades: prints, gaps: 0 });
  });

  it('has each trade once when it is stopped while it writes', async () => {
    const { time, api, files, machine } = desk();
    const prints = printEvery(api, 500, 30_000);
    const connection = { api, profile };
    const recorder = await PairRecorder.open({ machine, connection, market: BTC, directory: 'data' });
    const running = recorder.run(1_000).subscribe();
    await time.advance(50_000);
    let release = () => undefined as void;
    files.held = new Promise((resolve) => (release = resolve));
    await time.advance(15_000);
    running.unsubscribe();
    const closed = recorder.close();
    await time.advance(1_000);
    release();
    await closed;
    expect(recorder.totals).toMatchObject({ trades: prints, duplicates: 0 });
    expect((await readDay(files, `${folderOfPair}/2024-06-01.arrow`)).count).toBe(prints);
  });
});

it('a recorder of trades that ends while the disk is full knows what is not in which file', async () => {
  const { time, api, files, machine } = desk();
  printEvery(api, 500, 20 * MINUTE);
  const recorder = await PairRecorder.open({
    machine,
    connection: {
      api,
      profile: { clock: 'system', maxLimit: 100, tradeIds: 'contiguous', visibilityLagMs: 0 },
    },
    market: BTC,
    directory: 'data',
  });
  const running = recorder.run(1_000).subscribe();
  await time.advance(MINUTE);
  files.capacity = files.used();
  await time.advance(2 * MINUTE);
  running.unsubscribe();
  const kept = recorder.totals;
  await recorder.close();
  expect(recorder.totals).toEqual(kept);
  expect(kept.trades).toBeGreaterThan(50);
  expect(recorder.missing?.count).toBeGreaterThan(10);
  expect(recorder.missing).toMatchObject({
    since: (kept.to as number) + 500,
    file: `data/${BTC.pair}/2024-06-01.arrow`,
  });
});

describe('a recorder of market facts', () => {
  /** A venue whose ticker, book, fees and funding follow its clock. */
  function venue(time: VirtualTime) {
    const truth = () => ORIGIN + Math.floor(time.now);
    const now = () => truth() + state.wrongMs;
    const asked: string[] = [];
    /** By how much our own clock, and not the venue's, is wrong: until the venue is asked for its time. */
    const state: { away: boolean; market: Market; wrongMs: number } = {
      away: false,
      market: BTC,
      wrongMs: 0,
    };
    const answer = <T>(what: string, make: () => T): Promise<T> => {
      asked.push(what);
      return state.away ? Promise.reject(new VenueError('unreachable', 'away')) : Promise.resolve(make());
    };
    const api = {
      clock: {
        now,
        reached: now,
        earliest: now,
        glance: () => ({ now: now(), reached: now() }),
        answered: now,
        steadyRate: () => 1,
        sync: () => answer('time', () => void (state.wrongMs = 0)),
      },
      markets: () => answer('pairs', () => new Map([[BTC.pair, state.market]])),
      tickers: (pair?: string) =>
        answer(`ticker ${pair ?? 'all'}`, () => {
          const due = Math.ceil((truth() + 1) / MINUTE) * MINUTE;
          const record = {
            pair: BTC.pair,
            closeTime: truth(),
            markPrice: 100,
            bidPrice: 0,
            fundingRate: (due - ORIGIN) / MINUTE / 10_000,
            nextFundingTime: due,
          } as Partial<TickerRecord> as TickerRecord;
          return new Map([[BTC.pair, record]]);
        }),
      depth: (pair: string, limit?: number) =>
        answer(`depth ${pair} ${limit}`, () => ({
          bids: [99, 98, 97].map((price) => ({ price, quantity: 1 })),
          asks: [{ price: 101, quantity: 2 }],
        })),
    };
    return { api, asked, state };
  }

  const factRecorder = (
    { machine, api }: { readonly machine: RecorderMachine; readonly api: ReturnType<typeof venue>['api'] },
    depthLevels = 0,
  ) =>
    FactRecorder.open({
      machine,
      connection: { api },
      pairs: [BTC.pair],
      directory: 'data',
      tickerMs: 2_000,
      depthLevels,
    });

  async function factsOf(disk: Disk): Promise<WorldFact[]> {
    const root = await disk.spill();
    const trades = join(root, BTC.pair, '2024-06-01.arrow');
    // Facts are read beside trades: one file of the day will do.
    await writeFile(trades, schemaMessage(BTC.pair));
    const recording = await openRecording(nodeFiles, [root]);
    const facts: WorldFact[] = [];
    for await (const some of recording.facts()) facts.push(...some);
    return facts;
  }

  it('has tickers and books at their pace, markets when they change, and funding when it was paid', async () => {
    const { time, files, machine } = desk();
    const { api, asked, state } = venue(time);
    const recorder = await factRecorder({ machine, api }, 2);
    const running = recorder.run().subscribe();
    await time.advance(4 * MINUTE + 30_000);
    state.market = defineMarket({ ...marketSpecOf(BTC), fees: { maker: '0', taker: '0.0004' } });
    await time.advance(MINUTE);
    state.away = true;
    await time.advance(3 * MINUTE);
    state.away = false;
    await time.advance(4 * MINUTE);
    running.unsubscribe();
    await recorder.close();
    const facts = await factsOf(files);
    const of = (kind: WorldFact['kind']) => facts.filter((fact) => fact.kind === kind);
    expect(asked).toContain(`ticker ${BTC.pair}`);
    expect(asked).toContain(`depth ${BTC.pair} 2`);
    expect(of('market').map(({ time: at }) => at - ORIGIN)).toEqual([0, 5 * MINUTE]);
    expect(of('depth')[0]).toMatchObject({
      bids: [
        [99, 1],
        [98, 1],
      ],
      asks: [[101, 2]],
    });
    expect(of('ticker')[0]).toMatchObject({ ticker: { markPrice: 100, bidPrice: undefined } });
    // One in two seconds, but for the three minutes of silence, in which pauses grow to half a minute.
    expect(of('ticker').length).toBeGreaterThan(260);
    // The rate of minute n is n basis points; those of minutes 7 and 8 nobody saw.
    expect(of('funding')).toEqual(
      [1, 2, 3, 4, 5, 6, 9, 10, 11, 12].map((minute) => ({
        kind: 'funding',
        time: ORIGIN + minute * MINUTE,
        rate: rateOf(minute / 10_000),
      })),
    );
    expect(recorder.totals(BTC.pair)).toMatchObject({ markets: 2, funding: of('funding').length });
    expect(recorder.missing(BTC.pair)).toEqual({ markets: 0, tickers: 0, funding: 0, depths: 0 });
  });

  it.each([
    ['slow', -10 * MINUTE],
    ['fast', 10 * MINUTE],
  ])('goes by the clock of the venue, also where ours is %s, or is set while it runs', async (_, wrongMs) => {
    const { time, files, machine } = desk();
    const { api, state } = venue(time);
    state.wrongMs = wrongMs;
    const recorder = await factRecorder({ machine, api }, 1);
    const running = recorder.run().subscribe();
    await time.advance(30_000);
    const facts = await recorder.close().then(() => factsOf(files));
    expect(facts.length).toBeGreaterThan(28);
    for (const { time: at } of facts) {
      expect(at).toBeGreaterThanOrEqual(ORIGIN);
      expect(at).toBeLessThanOrEqual(ORIGIN + 30_000);
    }
    running.unsubscribe();
  });

  it('is told where it has rows of a time to come, before which it takes none', async () => {
    const { time, files, said, machine } = desk();
    const { api } = venue(time);
    const early = await FactWriter.open(files, 'data', BTC.pair);
    const ticker = { time: ORIGIN + 5 * MINUTE } as TickerRow['ticker'];
    early.ticker({ ticker, fundingRate: undefined, nextFundingTime: undefined });
    await early.close();
    const recorder = await factRecorder({ machine, api });
    const running = recorder.run().subscribe();
    await time.advance(6 * MINUTE);
    running.unsubscribe();
    await recorder.close();
    expect(said.filter((one) => one.includes('a time to come'))).toHaveLength(1);
    expect(recorder.totals(BTC.pair).tickers).toBeGreaterThan(25);
  });

  it('knows the funding that was paid between two runs of it', async () => {
    const { time, files, machine } = desk();
    const { api } = venue(time);
    for (const runMs of [50_000, 20_000]) {
      const recorder = await factRecorder({ machine, api });
      const running = recorder.run().subscribe();
      await time.advance(runMs);
      running.unsubscribe();
      await recorder.close();
      await time.advance(20_000);
    }
    expect((await factsOf(files)).filter(({ kind }) => kind === 'funding')).toEqual([
      { kind: 'funding', time: ORIGIN + MINUTE, rate: rateOf(1 / 10_000) },
    ]);
  });

  it('counts no ticker that comes after its end, which is in no file', async () => {
    const { time, files, machine } = desk();
    const { api } = venue(time);
    const answers: { held?: Promise<void> } = {};
    const slow = {
      ...api,
      tickers: async (pair?: string) => {
        const answer = await api.tickers(pair);
        await answers.held;
        return answer;
      },
    };
    const recorder = await factRecorder({ machine, api: slow });
    const running = recorder.run().subscribe();
    await time.advance(MINUTE);
    let answer = () => undefined as void;
    answers.held = new Promise((resolve) => (answer = resolve));
    await time.advance(2_500);
    let write = () => undefined as void;
    files.held = new Promise((resolve) => (write = resolve));
    running.unsubscribe();
    const closed = recorder.close();
    await time.advance(100);
    write();
    await closed;
    answer();
    await time.advance(100);
    const kept = (await factsOf(files)).filter(({ kind }) => kind === 'ticker').length;
    expect(recorder.totals(BTC.pair).tickers).toBe(kept);
  });

  it('that ends while the disk is full knows how much is not in the files', async () => {
    const { time, files, machine } = desk();
    const { api } = venue(time);
    const recorder = await factRecorder({ machine, api });
    const running = recorder.run().subscribe();
    await time.advance(MINUTE);
    files.capacity = files.used();
    await time.advance(10_000);
    running.unsubscribe();
    await recorder.close();
    const { tickers } = recorder.missing(BTC.pair);
    expect(tickers).toBeGreaterThan(0);
    files.capacity = Number.POSITIVE_INFINITY;
    const kept = (await factsOf(files)).filter(({ kind }) => kind === 'ticker').length;
    expect(kept).toBe(recorder.totals(BTC.pair).tickers - tickers);
  });
});
