import {
  Bool,
  Field,
  Float64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
} from 'apache-arrow';
import type { TradeColumns } from './trade-columns.js';

/** Version of the contents of a recording; files of another version are refused. */
export const FORMAT_VERSION = 1;

/** Rows of a full record batch, and the most rows that a reader yields at a time. */
export const BATCH_ROWS = 65_536;

const FIELDS = [
  new Field('id', new Utf8(), false),
  new Field('time', new TimestampMillisecond('UTC'), false),
  new Field('price', new Float64(), false),
  new Field('qty', new Float64(), false),
  new Field('is_buyer_maker', new Bool(), false),
];
const ROW = new Struct(FIELDS);

/** The types that the columns of a recording must have, as Arrow prints them. */
export const COLUMN_TYPES: readonly (readonly [name: string, type: string])[] = FIELDS.map((field) => [
  field.name,
  String(field.type),
]);

/** The end mark of an Arrow stream. A day that may still grow has none, because readers ignore batches after it. */
export const END_MARK = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** The schema message that a day file of this pair starts with. */
export function schemaMessage(pair: string): Uint8Array {
  const stream = encodeStream(schemaOf(pair), []);
  return stream.subarray(0, stream.length - END_MARK.length);
}

/** Rows [from, to) as one record batch message, to be appended to a stream of the same pair. */
export function batchMessage(pair: string, columns: TradeColumns, from: number, to: number): Uint8Array {
  const length = to - from;
  const firstByte = columns.idStarts[from] as number;
  const valueOffsets = columns.idStarts.slice(from, to + 1);
  for (let i = 0; i <= length; i++) valueOffsets[i] = (valueOffsets[i] as number) - firstByte;
  const [id, time, price, quantity, isBuyerMaker] = FIELDS.map(({ type }) => type) as [
    Utf8,
    TimestampMillisecond,
    Float64,
    Float64,
    Bool,
  ];
  const common = { length, nullCount: 0 };
  const children = [
    makeData({
      ...common,
      type: id,
      valueOffsets,
      data: columns.idBytes.slice(firstByte, columns.idStarts[to]),
    }),
    makeData({ ...common, type: time, data: timestamps(columns.time, from, to) }),
    makeData({ ...common, type: price, data: columns.price.slice(from, to) }),
    makeData({ ...common, type: quantity, data: columns.quantity.slice(from, to) }),
    makeData({ ...common, type: isBuyerMaker, data: bits(columns.isBuyerMaker, from, to) }),
  ];
  const schema = schemaOf(pair);
  const stream = encodeStream(schema, [
    new RecordBatch(schema, makeData({ type: ROW, length, nullCount: 0, children })),
  ]);
  return stream.subarray(schemaMessage(pair).length, stream.length - END_MARK.length);
}

function schemaOf(pair: string): Schema {
  return new Schema(
    FIELDS,
    new Map([
      ['tickwright.formatVersion', String(FORMAT_VERSION)],
      ['tickwright.pair', pair],
    ]),
  );
}

/** A whole stream: schema, batches, end mark. */
export function encodeStream(schema: Schema, batches: readonly RecordBatch[]): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  for (const batch of batches) writer.write(batch);
  writer.close();
  return writer.toUint8Array(true);
}

/** Whole ms as int64, built from two 32-bit halves: a BigInt for each row would cost more than all the rest. */
export function timestamps(time: ArrayLike<number>, from: number, to: number): BigInt64Array {
  const words = new Int32Array((to - from) * 2);
  for (let i = from, w = 0; i < to; i++, w += 2) {
    const ms = time[i] as number;
    const high = Math.floor(ms / 4_294_967_296);
    words[w] = ms - high * 4_294_967_296;
    words[w + 1] = high;
  }
  return new BigInt64Array(words.buffer);
}

function bits(flags: Uint8Array, from: number, to: number): Uint8Array {
  const packed = new Uint8Array((to - from + 7) >> 3);
  for (let i = from; i < to; i++) {
    if (flags[i] === 1)
      packed[(i - from) >> 3] = (packed[(i - from) >> 3] as number) | (1 << ((i - from) & 7));
  }
  return packed;
}
