import {
  type Data,
  DataType,
  Field,
  Float64,
  List,
  makeData,
  RecordBatch,
  RecordBatchReader,
  Schema,
  Struct,
  TimestampMillisecond,
} from 'apache-arrow';
import { UsageError } from '../../model/errors.js';
import { encodeStream, END_MARK, FORMAT_VERSION, timestamps } from './arrow-batch.js';
import { areLaidOut, decodeMessage } from './arrow-message.js';
import { DamagedRecording } from './arrow-stream.js';
import { PREFIX_BYTES } from './torn-tail.js';

/**
 * A column: `time` is in ms. With `optional`, a `number` may be NaN, which the file holds as null. A `list` consists of
 * numbers.
 */
export interface TableColumn {
  readonly name: string;
  readonly kind: 'time' | 'number' | 'list';
  readonly optional?: true;
}

export type ColumnValues = ArrayLike<number> | readonly (readonly number[])[];

/** The format of a small table with a few rows a second at most, so values may be handled one by one. */
export class ArrowTable {
  readonly #kind: string;
  readonly #columns: readonly TableColumn[];
  readonly #fields: readonly Field[];
  /** Constants such as the pair, which are kept in the schema of each file. */
  readonly #facts: ReadonlyMap<string, string>;

  constructor(kind: string, columns: readonly TableColumn[], facts: Readonly<Record<string, string>>) {
    this.#kind = kind;
    this.#columns = columns;
    this.#fields = columns.map(({ name, kind: type, optional }) => {
      if (type === 'list') return new Field(name, new List(new Field('item', new Float64(), false)), false);
      return new Field(
        name,
        type === 'time' ? new TimestampMillisecond('UTC') : new Float64(),
        optional === true,
      );
    });
    this.#facts = new Map([
      ['tickwright.formatVersion', String(FORMAT_VERSION)],
      ['tickwright.kind', kind],
      ...Object.entries(facts).map(([name, value]) => [`tickwright.${name}`, value] as const),
    ]);
  }

  /** The schema message that a file starts with. */
  schemaMessage(): Uint8Array {
    const stream = encodeStream(this.#schema(), []);
    return stream.subarray(0, stream.length - END_MARK.length);
  }

  /** One record batch message, to be appended after the schema; `values` has one list for each column. */
  batchMessage(values: readonly ColumnValues[], rows: number): Uint8Array {
    const children = this.#columns.map((column, index) => columnData(column, values[index] ?? [], rows));
    const type = new Struct([...this.#fields]);
    const schema = this.#schema();
    const batch = new RecordBatch(schema, makeData({ type, length: rows, nullCount: 0, children }));
    const stream = encodeStream(schema, [batch]);
    return stream.subarray(this.schemaMessage().length, stream.length - END_MARK.length);
  }

  /**
   * The batches of a file as columns of values: numbers, NaN for null, or lists. A torn tail is skipped.
   *
   * @param fileBytes - length of the whole file, where `bytes` are only a piece of it behind the schema
   * @throws DamagedRecording when the file has another format, or its contents violate its schema.
   */
  *read(path: string, bytes: Uint8Array, fileBytes = bytes.length): Generator<TableBatch, void, undefined> {
    const whole = wholeMessages(bytes);
    if (whole.end === 0) return;
    const stream = new Uint8Array(whole.end + END_MARK.length);
    stream.set(bytes.subarray(0, whole.end));
    stream.set(END_MARK, whole.end);
    const rest = { at: 0, bytes: fileBytes };
    const batches: TableBatch[] = [];
    try {
      const reader = RecordBatchReader.from(stream);
      reader.open();
      this.#check(path, reader.schema);
      for (const batch of reader) {
        demandWhole(batch, bytes.length);
        // The decoder invents an empty batch for a stream without any.
        if (batch.numRows === 0) continue;
        batches.push({
          rows: batch.numRows,
          columns: this.#columns.map((column, index) => columnValues(batch, column, index)),
        });
      }
    } catch (cause) {
      const why =
        cause instanceof UsageError
          ? cause.message
          : `${path} must hold ${this.#kind}, received ${String(cause)}`;
      throw new DamagedRecording(path, why, rest);
    }
    yield* batches;
  }

  /** A constant from the schema of a file, e.g. `pair`. @throws DamagedRecording when its schema cannot be read */
  static fact(path: string, bytes: Uint8Array, name: string): string | undefined {
    const { end } = wholeMessages(bytes);
    if (end === 0) return undefined;
    try {
      const reader = RecordBatchReader.from(Buffer.concat([bytes.subarray(0, end), END_MARK]));
      reader.open();
      return reader.schema.metadata.get(`tickwright.${name}`);
    } catch (cause) {
      const rest = { at: 0, bytes: bytes.length };
      throw new DamagedRecording(path, `${path} must hold a schema, received ${String(cause)}`, rest);
    }
  }

  #schema(): Schema {
    return new Schema([...this.#fields], new Map(this.#facts));
  }

  #check(path: string, schema: Schema): void {
    const received = describe(schema);
    const expected = describe(this.#schema());
    if (received !== expected) {
      throw new UsageError(
        'TICKWRIGHT_E_RECORDING',
        `${path} must hold ${this.#kind} with the columns ${expected}, received ${received}`,
        { facts: { path } },
      );
    }
    for (const [name, value] of this.#facts) {
      const found = schema.metadata.get(name);
      if (found !== value) {
        throw new UsageError(
          'TICKWRIGHT_E_RECORDING',
          `${path} must have ${name} ${value}, received ${found ?? 'none'}`,
          { facts: { path } },
        );
      }
    }
  }
}

export interface TableBatch {
  readonly rows: number;
  readonly columns: readonly ColumnValues[];
}

function describe(schema: Schema): string {
  return schema.fields.map((field) => `${field.name}: ${String(field.type)}`).join(', ');
}

function columnData({ kind, optional }: TableColumn, values: ColumnValues, length: number) {
  if (kind === 'list') {
    const lists = values as readonly (readonly number[])[];
    const valueOffsets = new Int32Array(length + 1);
    for (let i = 0; i < length; i++)
      valueOffsets[i + 1] = (valueOffsets[i] as number) + (lists[i]?.length ?? 0);
    const items = Float64Array.from(lists.flat());
    const child = makeData({ type: new Float64(), length: items.length, nullCount: 0, data: items });
    return makeData({
      type: new List(new Field('item', new Float64(), false)),
      length,
      nullCount: 0,
      valueOffsets,
      child,
    });
  }
  const numbers = values as ArrayLike<number>;
  const { bitmap, nulls } = nullsOf(numbers, length);
  const common = {
    length,
    nullCount: nulls,
    ...(optional === true && nulls > 0 ? { nullBitmap: bitmap } : {}),
  };
  const known = Float64Array.from({ length }, (_, i) => {
    const value = numbers[i] as number;
    return Number.isNaN(value) ? 0 : value;
  });
  return kind === 'time'
    ? makeData({ ...common, type: new TimestampMillisecond('UTC'), data: timestamps(known, 0, length) })
    : makeData({ ...common, type: new Float64(), data: known });
}

function nullsOf(values: ArrayLike<number>, length: number) {
  const bitmap = new Uint8Array((length + 7) >> 3);
  let nulls = 0;
  for (let i = 0; i < length; i++) {
    if (Number.isNaN(values[i])) nulls += 1;
    else bitmap[i >> 3] = (bitmap[i >> 3] as number) | (1 << (i & 7));
  }
  return { bitmap, nulls };
}

/** The decoder trusts the lengths in a batch, and would silently read `undefined` beyond the data. */
function demandWhole({ numRows, data }: RecordBatch, fileBytes: number): void {
  const isWhole = ({ length, type, values, valueOffsets, children }: Data): boolean => {
    if (length !== numRows) return false;
    if (length === 0) return true;
    if (!DataType.isList(type)) return (values as ArrayLike<number>).length >= numRows;
    const items = (children[0]?.values as ArrayLike<number> | undefined)?.length ?? 0;
    const ends = Array.from((valueOffsets as Int32Array).subarray(0, numRows + 1));
    return (
      ends.length === numRows + 1 &&
      ends.every((end, i) => end >= (ends[i - 1] ?? 0)) &&
      (ends.at(-1) as number) <= items
    );
  };
  if (numRows >= 0 && numRows <= fileBytes && data.children.every((column) => isWhole(column))) return;
  throw new RangeError(`a batch of ${numRows} rows without all of its columns`);
}

function columnValues(batch: RecordBatch, { kind }: TableColumn, index: number): ColumnValues {
  const vector = batch.getChildAt(index);
  const rows = batch.numRows;
  if (vector === null) return new Float64Array(rows);
  if (kind === 'list') {
    return Array.from({ length: rows }, (_, row) =>
      Array.from((vector.get(row) as Iterable<number> | null) ?? []),
    );
  }
  const target = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const value = vector.get(row) as number | null;
    target[row] = value ?? Number.NaN;
  }
  return target;
}

/**
 * How far the bytes of an Arrow stream are complete messages; after that comes a torn tail or the end mark. `starts`: where
 * each of them begins. `needs`: how many bytes from there on are needed to see more, when a message goes on beyond `bytes`.
 */
export function wholeMessages(
  bytes: Uint8Array,
  { isStart }: { readonly isStart: boolean } = { isStart: true },
): {
  readonly end: number;
  readonly starts: readonly number[];
  readonly ended: boolean;
  readonly needs?: number;
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const starts: number[] = [];
  for (;;) {
    if (at + PREFIX_BYTES > bytes.length) return { end: at, starts, ended: false, needs: PREFIX_BYTES };
    if (view.getInt32(at, true) !== -1) break;
    const metadataBytes = view.getInt32(at + 4, true);
    if (metadataBytes === 0) return { end: at, starts, ended: true };
    if (metadataBytes < 0) break;
    const metadataAt = at + PREFIX_BYTES;
    const bodyAt = metadataAt + metadataBytes;
    if (bodyAt > bytes.length) return { end: at, starts, ended: false, needs: bodyAt - at };
    const message = decodeMessage(bytes.slice(metadataAt, bodyAt));
    if (message === undefined || message.isSchema() !== (isStart && at === 0)) break;
    if (message.isRecordBatch() && !areLaidOut(message)) break;
    const next = bodyAt + message.bodyLength;
    if (next > bytes.length) return { end: at, starts, ended: false, needs: next - at };
    starts.push(at);
    at = next;
  }
  return { end: at, starts, ended: false };
}
