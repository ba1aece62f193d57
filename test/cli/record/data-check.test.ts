import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { dataCheck } from '../../../src/cli/commands/data-check.js';
import { dataExport } from '../../../src/cli/commands/data-export.js';
import { dataList } from '../../../src/cli/commands/data-list.js';
import { dataImport } from '../../../src/cli/commands/data-import.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { writeBarDay } from '../../../src/storage/rows/bar-file.js';
import { DAY_MS, dayOf } from '../../../src/storage/rows/day.js';
import { replaceDay } from '../../../src/storage/rows/day-file.js';
import { barsPath, dayPath } from '../../../src/storage/rows/layout.js';
import { writeMarket } from '../../../src/storage/rows/market-file.js';
import { marketSpecOf } from '../../../src/storage/market-spec.js';
import { RecordingWriter } from '../../../src/storage/rows/recording-writer.js';
import { asTold } from '../../../src/storage/rows/trade-identity.js';
import { TradeColumns } from '../../../src/storage/rows/trade-columns.js';
import { BTC } from '../../support/markets.js';

const PAIR = 'USD_BTC_PERP';
const START = Date.UTC(2024, 7, 8);

let directory: string;
let out: string;
let err: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tw-data-check-'));
  out = '';
  err = '';
  const written = (take: (text: string) => void) => (text: unknown, done?: unknown) => {
    take(String(text));
    if (typeof done === 'function') done();
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(written((text) => void (out += text)));
  vi.spyOn(process.stderr, 'write').mockImplementation(written((text) => void (err += text)));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(directory, { recursive: true });
});

/** Two days of three batches each; the last byte of one of them is gone. */
async function cutOff(day: 0 | 1): Promise<string> {
  const folder = join(directory, PAIR);
  await writeMarket(nodeFiles, folder, { spec: marketSpecOf(BTC), source: 'given' });
  const writer = await RecordingWriter.open(nodeFiles, directory, PAIR);
  for (let i = 0; i < 120; i++) {
    const time = START + Math.floor(i / 60) * DAY_MS + i * 1_000;
    writer.add({ id: String(i + 1), time, price: 60_000, quantity: 1, isBuyerMaker: false });
    if (i % 20 === 19) await writer.flush();
  }
  await writer.close();
  const path = dayPath(folder, dayOf(START) + day);
  const bytes = await readFile(path);
  // Without the mark of its end, where it has one.
  await writeFile(path, bytes.subarray(0, day === 0 ? -9 : -1));
  return path;
}

it('ends with 3 where a day that is over has lost its end, and with 0 where a writer may be at work', async () => {
  const finished = await cutOff(0);
  expect(await dataCheck(directory, {})).toBe(3);
  expect(out).toContain(`  damaged      ${finished}: its last `);
  const newest = await cutOff(1);
  out = '';
  expect(await dataCheck(directory, {})).toBe(0);
  expect(out).toContain(`  torn         ${newest}: its last `);
});

it('claims of ids only what they show: not what is missing at the end', async () => {
  await cutOff(1);
  await dataCheck(directory, {});
  expect(out).toContain('gaps         0 (ids are contiguous: every trade missing between those here shows)');
});

it('claims nothing of ids that came twice: what the recorder missed is a gap here, and of a backtest', async () => {
  const folder = join(directory, PAIR);
  await writeMarket(nodeFiles, folder, { spec: marketSpecOf(BTC), source: 'given' });
  const writer = await RecordingWriter.open(nodeFiles, directory, PAIR, {
    identity: asTold(() => undefined),
  });
  const times = [START, START + 300 * DAY_MS];
  for (const start of times) {
    for (let i = 0; i < 60; i++) {
      const time = start + i * 1_000;
      writer.add({ id: String(i + 1), time, price: 60_000, quantity: 1, isBuyerMaker: false });
    }
  }
  writer.gap({ from: START + 59_000, to: START + 300 * DAY_MS, missing: undefined });
  await writer.close();
  expect(await dataCheck(directory, {})).toBe(3);
  expect(out).toContain('gaps         1 (ids that came twice do not show every trade that is missing)\n');
  expect(out).toContain('some missing (the recorder says so)');
  out = '';
  const options = { fill: 'queue', seed: 1, data: [directory], save: false, json: true } as const;
  expect(await backtest(['sma-cross'], options)).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ trades: 120, data: { gaps: 1 } });
});

it('is promised by a backtest no more than it tells', async () => {
  const path = await cutOff(1);
  const options = { fill: 'queue', seed: 1, data: [directory], save: false, json: true } as const;
  expect(await backtest(['sma-cross'], options)).toBe(0);
  expect(err).toMatch(
    new RegExp(
      `warning: ${path}: its last \\d+ bytes, from byte \\d+ on, cannot be read \\(torn\\); what they held is missing here`,
    ),
  );
});

it('is a gap of a backtest where a later day is behind it', async () => {
  await cutOff(1);
  const rows = new TradeColumns(60);
  for (let i = 120; i < 180; i++) {
    const time = START + 2 * DAY_MS + i * 1_000;
    rows.push({ id: String(i + 1), time, price: 60_000, quantity: 1, isBuyerMaker: false });
  }
  const last = dayPath(join(directory, PAIR), dayOf(START) + 2);
  await replaceDay(nodeFiles, last, PAIR, rows, { finished: false });
  const options = { fill: 'queue', seed: 1, data: [directory], save: false, json: true } as const;
  expect(await backtest(['sma-cross'], { ...options, failIf: 'data.gaps > 0' })).toBe(3);
  expect(JSON.parse(out)).toMatchObject({ trades: 160, data: { gaps: 1 } });
  expect(err).toContain('failed: data.gaps > 0');
});

it('is told by an export, too, which ends with 3 where it lacks what a day held', async () => {
  const finished = await cutOff(0);
  expect(await dataExport(directory, { format: 'csv' })).toBe(3);
  expect(err).toContain(`warning: ${finished}: its last `);
  // The header, and the other day.
  expect(out.trimEnd().split('\n')).toHaveLength(1 + 60);
  // Both are written anew, and the end of the newest is what a writer may be at work on.
  await cutOff(1);
  err = '';
  const file = join(directory, 'all.csv');
  expect(await dataExport(directory, { format: 'csv', out: file })).toBe(0);
  expect(err).toContain('cannot be read (torn)');
});

/** What two writers at once have left: each trade twice, and those of one between those of the other. */
async function writtenByTwo(): Promise<string> {
  const folder = join(directory, PAIR);
  await writeMarket(nodeFiles, folder, { spec: marketSpecOf(BTC), source: 'given' });
  const path = dayPath(folder, dayOf(START));
  const rows = new TradeColumns(40);
  for (const first of [0, 0, 20, 20, 40]) {
    for (let i = first; i < first + 20; i++) {
      rows.push({
        id: String(i + 1),
        time: START + i * 1_000,
        price: 60_000,
        quantity: 1,
        isBuyerMaker: false,
      });
    }
  }
  await replaceDay(nodeFiles, path, PAIR, rows, { finished: false });
  return path;
}

it('out of order is exported all the same, and an import of that puts it right', async () => {
  const path = await writtenByTwo();
  expect(await dataCheck(directory, {})).toBe(3);
  await expect(
    backtest(['sma-cross'], { fill: 'queue', seed: 1, data: [directory], save: false, json: true }),
  ).rejects.toThrow('data export reads it all the same, and data import sorts what it wrote');
  const file = join(directory, 'all.csv');
  err = '';
  expect(await dataExport(directory, { format: 'csv', out: file })).toBe(0);
  expect(err).toContain(
    `warning: ${PAIR} is out of order: trade 1 at ${START} stands behind one at ${START + 19_000} (data import sorts, and drops what is there twice)`,
  );
  expect(err.match(/out of order/g)).toHaveLength(1);
  expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(1 + 100);
  await rm(path);
  expect(await dataImport(file, { pair: PAIR, out: directory })).toBe(0);
  out = '';
  expect(await dataCheck(directory, { json: true })).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ trades: 60, outOfOrder: 0 });
});

it('out of order gives a stretch of it, too', async () => {
  await writtenByTwo();
  const [from, to] = [10, 30].map((i) => new Date(START + i * 1_000).toISOString());
  expect(await dataExport(directory, { format: 'csv', from, to })).toBe(0);
  const ids = out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',')[0]));
  const range = (first: number) => Array.from({ length: 10 }, (_, i) => first + i);
  expect(ids).toEqual([...range(11), ...range(11), ...range(21), ...range(21)]);
});

it.each([
  [
    60_000,
    17_000,
    'off grid     2 bars, the first at 2024-08-08T00:00:17.000Z: each must open at a multiple of 1m since',
  ],
  [
    420_000,
    0,
    'unfit        bars must be of a length that divides a day, received 7m: no backtest reads them',
  ],
])('ends with 3 for bars of %d ms that open %d ms late: no backtest reads them', async (barMs, late, told) => {
  const folder = join(directory, PAIR);
  await writeMarket(nodeFiles, folder, { spec: marketSpecOf(BTC), source: 'given' });
  const row = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
  const rows = [0, 1].map((bar) => ({ time: START + late + bar * barMs, ...row }));
  await writeBarDay(nodeFiles, barsPath(folder, dayOf(START)), { pair: PAIR, barMs, rows });
  expect(await dataCheck(directory, {})).toBe(3);
  expect(out).toContain(told);
});

it('ends with 3 where nothing can be read of a day, of trades as of bars', async () => {
  await cutOff(1);
  await rm(dayPath(join(directory, PAIR), dayOf(START)));
  const newest = dayPath(join(directory, PAIR), dayOf(START) + 1);
  await truncate(newest, 900);
  expect(await dataCheck(directory, {})).toBe(3);
  expect(out).toContain(`${PAIR}: 0 trades, empty`);
  expect(out).toContain(`  damaged      ${newest}: its last `);
  await rm(newest);
  const row = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
  const bars = barsPath(join(directory, PAIR), dayOf(START));
  const rows = [0, 1].map((bar) => ({ time: START + bar * 60_000, ...row }));
  await writeBarDay(nodeFiles, bars, { pair: PAIR, barMs: 60_000, rows });
  await truncate(bars, (await readFile(bars)).length - 100);
  out = '';
  expect(await dataCheck(directory, {})).toBe(3);
  expect(out).toContain(`  damaged      ${bars}: its last `);
});

it('prints one document for a folder of several pairs, with each of them, and one of a pair as it is alone', async () => {
  const other = 'USD_ETH_PERP';
  await cutOff(0);
  const alone = join(directory, other);
  await writeMarket(nodeFiles, alone, { spec: { ...marketSpecOf(BTC), pair: other }, source: 'given' });
  const writer = await RecordingWriter.open(nodeFiles, directory, other);
  writer.add({ id: '1', time: START, price: 3_000, quantity: 1, isBuyerMaker: false });
  await writer.close();

  expect(await dataCheck(directory, { json: true })).toBe(3);
  const { schemaVersion, recordings } = JSON.parse(out) as Record<string, unknown>;
  expect(schemaVersion).toBe(1);
  expect(recordings).toMatchObject([
    { pair: PAIR, gaps: [], duplicates: 0 },
    { pair: other, trades: 1, duplicates: 0 },
  ]);
  out = '';
  expect(await dataCheck(directory, { json: true, pair: other })).toBe(0);
  expect(JSON.parse(out)).toEqual({ schemaVersion: 1, ...(recordings as object[])[1] });
});

it('a pair of which no trade was recorded is listed and certified with what it has, and no backtest reads it', async () => {
  const quiet = 'USD_ETH_PERP';
  const folder = join(directory, quiet);
  await cutOff(1);
  await mkdir(folder);
  await writeMarket(nodeFiles, folder, { spec: marketSpecOf(BTC), source: 'given' });
  await writeFile(join(folder, '2024-08-08.ticker.arrow'), '');
  await writeFile(join(folder, 'of-somebody-else.txt'), '');
  out = '';
  await dataList(directory, {});
  expect(out).toMatch(/^USD_ETH_PERP +no trades, market, ticker +none +none +0 /m);
  out = '';
  await dataList(directory, { json: true });
  expect(JSON.parse(out)).toMatchObject({
    recordings: [{ pair: PAIR }, { pair: quiet, days: [], besides: ['market', 'ticker'] }],
  });

  out = '';
  expect(await dataCheck(directory, { pair: quiet })).toBe(0);
  expect(out).toContain(`${quiet}: 0 trades, empty, 0 B\n  besides      market, ticker\n`);
  await writeFile(join(folder, 'funding.ndjson'), 'nonsense\n');
  out = '';
  expect(await dataCheck(directory, { pair: quiet })).toBe(3);
  expect(out).toContain(`damaged      ${join(folder, 'funding.ndjson')}`);

  const options = { data: [directory], fill: 'all', seed: 1, save: false } as const;
  await expect(backtest(['sma-cross'], { ...options, pair: quiet })).rejects.toThrow(
    `the recording of ${quiet} must hold trades, received funding, market, ticker and no trades (${folder})`,
  );
  await expect(backtest(['sma-cross'], { ...options, data: [folder] })).rejects.toThrow('must hold trades');
  // The pair that has trades is the only one that can be meant.
  expect(await backtest(['sma-cross'], options)).toBe(0);
});

it.each([
  'market.json',
  'markets.ndjson',
  'funding.ndjson',
  'gaps.ndjson',
])('is no matter of an export where %s is damaged: its rows need none of it', async (name) => {
  await cutOff(1);
  await writeFile(join(directory, PAIR, name), '{"of":\n{"another":1}\n');
  expect(await dataExport(directory, { format: 'csv' })).toBe(0);
  expect(out.trimEnd().split('\n')).toHaveLength(1 + 100);
});
