import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { exportParquet } from '../../src/storage/recording/export-parquet.js';
import { exportText } from '../../src/storage/recording/export-text.js';
import { importData } from '../../src/storage/import/import-bars.js';
import { openRecording, type Recording } from '../../src/storage/recording/recording.js';
import { RecordingWriter } from '../../src/storage/rows/recording-writer.js';
import { writeMarket } from '../../src/storage/rows/market-file.js';
import type { Trade } from '../../src/model/trade.js';
import { seededRandom } from '../../src/model/random.js';
import { files, folder, PAIR, T0, trade } from './support.js';

const SPEC = {
  pair: PAIR,
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.1', max: '1000000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0', taker: '0.0006' },
} as const;

async function recordingOf(trades: readonly Trade[]): Promise<Recording> {
  const directory = await folder();
  const writer = await RecordingWriter.open(files, directory, PAIR);
  for (const one of trades) {
    writer.add(one);
    if (writer.isFull) await writer.settle();
  }
  await writer.close();
  await writeMarket(files, join(directory, PAIR), { spec: SPEC, source: 'given' });
  return openRecording(files, [directory]);
}

/** More than one row group, with numbers that are awkward in text. */
function awkward(): Trade[] {
  const random = seededRandom('export');
  const trades = Array.from({ length: 70_000 }, (_, i) =>
    trade(i + 1, T0 + i * 100, {
      price: random.integer(1, 10_000_000) / 10,
      quantity: random.integer(1, 100_000) / 1_000,
      isBuyerMaker: random.next() < 0.5,
    }),
  );
  return [
    ...trades,
    trade('x,"y"', T0 + 8_000_000, { price: 1e-7, quantity: 1e21 }),
    trade('ü', T0 + 8_000_001, { price: 0.1 + 0.2, quantity: 5e-324 }),
  ];
}

async function textOf(recording: Recording, format: 'csv' | 'ndjson'): Promise<string> {
  let text = '';
  for await (const part of exportText(recording, format)) text += part;
  return text;
}

async function parquetOf(recording: Recording): Promise<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for await (const part of exportParquet(recording)) parts.push(part);
  const whole = Buffer.concat(parts);
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length);
}

async function tradesOf(recording: Recording): Promise<Trade[]> {
  const trades: Trade[] = [];
  for await (const chunk of recording.chunks()) {
    for (let row = 0; row < chunk.count; row++) trades.push(chunk.trade(row));
  }
  return trades;
}

describe('an export', () => {
  it.each(['csv', 'ndjson'] as const)('as %s reads back as the same trades', async (format) => {
    const trades = awkward();
    const text = await textOf(await recordingOf(trades), format);
    expect(text).not.toMatch(/\de[+-]?\d/);
    const source = join(await folder(), 'export.txt');
    await writeFile(source, text);
    const directory = await folder();
    await importData(files, {
      sources: [source],
      directory,
      pair: PAIR,
      market: { spec: SPEC, source: 'given' },
    });
    expect(await tradesOf(await openRecording(files, [directory]))).toEqual(trades);
  });

  it('as Parquet reads back as the same trades, in groups of rows', async () => {
    const trades = awkward();
    const file = await parquetOf(await recordingOf(trades));
    const rows = await parquetReadObjects({ file });
    expect(
      rows.map((row) => ({
        id: row['id'] as string,
        time: (row['time'] as Date).getTime(),
        price: row['price'] as number,
        quantity: row['qty'] as number,
        isBuyerMaker: row['is_buyer_maker'] as boolean,
      })),
    ).toEqual(trades);
    const metadata = parquetMetadata(file);
    expect(metadata.row_groups.length).toBeGreaterThan(1);
    expect(metadata.key_value_metadata).toContainEqual({ key: 'tickwright.pair', value: PAIR });
  });

  it('of bars reads back as the same bars, in every format', async () => {
    const source = join(await folder(), 'bars.csv');
    const rows = Array.from({ length: 3_000 }, (_, i) => [
      1_640_995_200_000 + i * 60_000,
      100 + i,
      103 + i,
      99 + i,
      101 + i,
      i / 7,
    ]);
    await writeFile(
      source,
      `time,open,high,low,close,volume\n${rows.map((row) => row.join(',')).join('\n')}`,
    );
    const directory = await folder();
    await importData(files, { sources: [source], directory, pair: PAIR });
    const recording = await openRecording(files, [directory]);
    for (const format of ['csv', 'ndjson'] as const) {
      const again = join(await folder(), 'again.txt');
      await writeFile(again, await textOf(recording, format));
      const copy = await folder();
      await importData(files, { sources: [again], directory: copy, pair: PAIR });
      expect(await readFile(join(copy, PAIR, '2022-01-02.bars.arrow'))).toEqual(
        await readFile(join(directory, PAIR, '2022-01-02.bars.arrow')),
      );
    }
    const objects = await parquetReadObjects({ file: await parquetOf(recording) });
    expect(
      objects.map((row) => [
        (row['open_time'] as Date).getTime(),
        row['open'],
        row['high'],
        row['low'],
        row['close'],
        row['base_volume'],
      ]),
    ).toEqual(rows);
  });

  it('of nothing is a file without rows', async () => {
    const trades = [trade(1, T0), trade(2, T0 + 1)];
    const recording = await recordingOf(trades);
    const none = await openRecording(files, recording.folders, { from: T0 + 5 });
    expect(await textOf(none, 'csv')).toBe('id,pair,is_buyer_maker,qty,price,time\n');
    expect(await parquetReadObjects({ file: await parquetOf(none) })).toEqual([]);
  });
});
