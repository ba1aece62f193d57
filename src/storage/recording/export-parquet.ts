import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { RecordedRows } from './recording.js';

/** Rows of a row group: a size that suits readers and can be built in memory. */
const GROUP_ROWS = 131_072;

const TIME = { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'REQUIRED' } as const;
const NUMBER = { type: 'DOUBLE', repetition_type: 'REQUIRED' } as const;

const TRADES: readonly SchemaElement[] = [
  { name: 'root', num_children: 5 },
  { name: 'id', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
  { name: 'time', ...TIME },
  { name: 'price', ...NUMBER },
  { name: 'qty', ...NUMBER },
  { name: 'is_buyer_maker', type: 'BOOLEAN', repetition_type: 'REQUIRED' },
];

const BARS: readonly SchemaElement[] = [
  { name: 'root', num_children: 7 },
  { name: 'open_time', ...TIME },
  { name: 'close_time', ...TIME },
  { name: 'open', ...NUMBER },
  { name: 'high', ...NUMBER },
  { name: 'low', ...NUMBER },
  { name: 'close', ...NUMBER },
  { name: 'base_volume', ...NUMBER },
];

/** A recording as a Parquet file, yielded in pieces: one row group after the other, then the footer. */
export async function* exportParquet(recording: RecordedRows): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [...(recording.kind === 'bars' ? BARS : TRADES)],
    kvMetadata: [{ key: 'tickwright.pair', value: recording.pair }],
    createdBy: 'tickwright',
  });
  for await (const columnData of recording.kind === 'bars' ? barGroups(recording) : tradeGroups(recording)) {
    await writer.write({ columnData: [...columnData], rowGroupSize: GROUP_ROWS });
    yield taken(bytes);
  }
  await writer.finish();
  yield taken(bytes);
}

/** The bytes since the last call. The writer's `offset` continues, because the footer is computed from it. */
function taken(bytes: ByteWriter): Uint8Array {
  const piece = bytes.getBytes().slice();
  bytes.index = 0;
  return piece;
}

async function* tradeGroups(recording: RecordedRows): AsyncGenerator<readonly ColumnSource[]> {
  for await (const chunk of recording.chunks()) {
    const { count } = chunk;
    const rows = Array.from({ length: count }, (_, row) => row);
    yield [
      { name: 'id', data: rows.map((row) => chunk.id(row)) },
      { name: 'time', data: rows.map((row) => BigInt(chunk.time[row] as number)) },
      { name: 'price', data: chunk.price.slice(0, count) },
      { name: 'qty', data: chunk.quantity.slice(0, count) },
      { name: 'is_buyer_maker', data: rows.map((row) => chunk.isBuyerMaker[row] === 1) },
    ];
  }
}

async function* barGroups(recording: RecordedRows): AsyncGenerator<readonly ColumnSource[]> {
  for await (const bars of recording.bars()) {
    const { count } = bars;
    const times = (column: Float64Array) => Array.from(column.subarray(0, count), (time) => BigInt(time));
    yield [
      { name: 'open_time', data: times(bars.time) },
      { name: 'close_time', data: times(bars.end) },
      { name: 'open', data: bars.open.slice(0, count) },
      { name: 'high', data: bars.high.slice(0, count) },
      { name: 'low', data: bars.low.slice(0, count) },
      { name: 'close', data: bars.close.slice(0, count) },
      { name: 'base_volume', data: bars.volume.slice(0, count) },
    ];
  }
}
