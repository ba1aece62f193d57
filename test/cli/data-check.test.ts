import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backtest } from '../../src/cli/commands/backtest.js';
import { dataCheck } from '../../src/cli/commands/data-check.js';
import { dataExport } from '../../src/cli/commands/data-export.js';
import { nodeFiles } from '../../src/platform/files.js';
import { DAY_MS, dayOf } from '../../src/storage/day.js';
import { dayPath } from '../../src/storage/layout.js';
import { writeMarket } from '../../src/storage/market-file.js';
import { marketSpecOf } from '../../src/storage/market-spec.js';
import { RecordingWriter } from '../../src/storage/recording-writer.js';
import { BTC } from '../support/markets.js';

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
