import type { Message, Schema } from 'apache-arrow';
import { UsageError } from '../../model/errors.js';
import type { ReadableFile } from '../../ports/files.js';
import { BATCH_ROWS, COLUMN_TYPES, FORMAT_VERSION } from './arrow-batch.js';
import { areLaidOut, type BatchHeader, decodeMessage } from './arrow-message.js';
import { DAY_MS, dayName } from './day.js';
import { type BatchShape, isHoled, isTornTail, MOST_METADATA_BYTES, PREFIX_BYTES } from './torn-tail.js';
import type { TradeColumns } from './trade-columns.js';

const WINDOW_BYTES = 4 * 1_024 * 1_024;
/** The ids, times, prices and quantities are among these; the last one holds flags. */
const NEVER_ZERO_BUFFERS = 9;

/** A record batch within the reader's window; valid until the next batch is requested. */
export interface RawBatch {
  readonly rows: number;
  /** ms; `undefined` when the batch has no rows. */
  readonly firstTime: number | undefined;
  readonly lastTime: number | undefined;
  /** File offsets at which its message and the next message start. */
  readonly start: number;
  readonly end: number;
  /**
   * `rowsAbove`: number of rows in the batches before, for messages. `areOrdered`: the caller checks that times ascend,
   * so it suffices to check the first and the last time.
   *
   * @throws DamagedRecording at the first row that cannot be a trade of this UTC day
   */
  demandTrades(options: {
    readonly day: number;
    readonly rowsAbove: number;
    readonly areOrdered: boolean;
  }): void;
  /** Copies rows [from, to) to the end of the columns. */
  copyTo(target: TradeColumns, from: number, to: number): void;
  /**
   * Makes `target` a view of all rows while this batch is valid. Times and flags, which Arrow packs differently, are
   * copied into the given arrays, which must be at least as long.
   */
  showIn(target: TradeColumns, time: Float64Array, isBuyerMaker: Uint8Array): void;
}

/** The bytes after the last complete message of a file. */
export interface StreamRest {
  /** `torn`: left by a writer that died or is still writing, see `isTornTail`. */
  readonly kind: 'torn' | 'damaged';
  /** Offset of its first byte. */
  readonly at: number;
  readonly bytes: number;
  /** What must stand there, if that is known: the message with which a backtest ends. */
  readonly why?: string | undefined;
}

/** A part of a recording exists but has the wrong contents. */
export class DamagedRecording extends UsageError {
  readonly rest: StreamRest;

  constructor(path: string, why: string, { at, bytes }: { readonly at: number; readonly bytes: number }) {
    super('TICKWRIGHT_E_RECORDING', why, { facts: { path } });
    this.rest = { kind: 'damaged', at, bytes, why };
  }
}

/**
 * Reads the messages of an Arrow IPC stream of trades, in a window of a few MiB whatever the length of the file.
 *
 * A stream that ends inside a message is not an error: a writer that died leaves a torn tail, and a writer that is at
 * work may not have finished a message. `goodBytes` tells how far the file is complete, `rest` what follows.
 */
export class ArrowTradeStream {
  readonly #file: ReadableFile;
  readonly #path: string;
  #window: Uint8Array<ArrayBuffer>;
  /** File offset of the window's first byte, number of bytes in it, and index of the next unread one. */
  #base = 0;
  #filled = 0;
  #at = 0;
  #pair: string | undefined;
  #schemaBytes = 0;
  /** Bytes of metadata of the last batch. Batches of a file have the same columns, so another length is damage. */
  #headBytes: number | undefined;
  #ended = false;

  /** Takes ownership of the file: `close` closes it. */
  constructor(file: ReadableFile, path: string, windowBytes = WINDOW_BYTES) {
    this.#file = file;
    this.#path = path;
    this.#window = new Uint8Array(Math.min(windowBytes, Math.ceil(file.size / 8) * 8));
  }

  /** Offset after the last complete message that was read, without the end mark. */
  get goodBytes(): number {
    return this.#base + this.#at;
  }

  get size(): number {
    return this.#file.size;
  }

  /** Length of the schema message; 0 before it was read. */
  get schemaBytes(): number {
    return this.#schemaBytes;
  }

  /** Whether the end mark was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** What follows the last complete message, once all batches were read; `undefined` when nothing does. */
  async rest(): Promise<StreamRest | undefined> {
    const at = this.goodBytes + (this.#ended ? PREFIX_BYTES : 0);
    const bytes = this.size - at;
    if (bytes <= 0) return undefined;
    return { kind: !this.#ended && (await this.isTorn(at)) ? 'torn' : 'damaged', at, bytes };
  }

  /** Whether the bytes from this offset on, where a batch should begin, are torn off and not damaged. */
  isTorn(at: number): Promise<boolean> {
    return isTornTail(this.#file, at, this.#shape());
  }

  /** Whether a power loss can have kept parts of the batch at this offset from the disk, see `isHoled`. */
  isHoled(at: number, end?: number): Promise<boolean> {
    return isHoled(this.#file, at, this.#shape(), end);
  }

  /** The pair that the file's schema names. */
  get pair(): string | undefined {
    return this.#pair;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** @throws DamagedRecording when the file is not a recording of ours, or its contents violate its schema. */
  async next(): Promise<RawBatch | undefined> {
    for (let found = await this.#message(); found !== undefined; found = await this.#message()) {
      const { message, bodyAt } = found;
      const start = this.goodBytes;
      if (!(await this.#ensure(bodyAt + message.bodyLength))) return undefined;
      const body = this.#at + bodyAt;
      this.#at = body + message.bodyLength;
      if (message.isSchema()) {
        this.#takeSchema(message.header(), start);
        this.#schemaBytes = this.goodBytes;
        continue;
      }
      if (!message.isRecordBatch() || this.#pair === undefined) {
        throw this.#unreadable(
          start,
          'must hold a schema and then record batches only',
          `message type ${message.headerType}`,
        );
      }
      this.#headBytes = bodyAt - PREFIX_BYTES;
      return this.#batch(message, body, start);
    }
    return undefined;
  }

  /**
   * Goes to the end of the complete messages and returns their number of rows. The bodies are skipped without any check:
   * with a small window this costs little more than reading the heads of the batches.
   */
  async skip(): Promise<number> {
    let rows = 0;
    for (let found = await this.#message(); found !== undefined; found = await this.#message()) {
      const { message, bodyAt } = found;
      const bytes = bodyAt + message.bodyLength;
      if (this.goodBytes + bytes > this.#file.size) return rows;
      this.#pass(bytes);
      if (!message.isRecordBatch()) continue;
      this.#headBytes = bodyAt - PREFIX_BYTES;
      rows += (message.header() as BatchHeader).length;
    }
    return rows;
  }

  /** The head of the next message, which begins at the current position, and the offset of its body from there. */
  async #message(): Promise<{ readonly message: Message; readonly bodyAt: number } | undefined> {
    if (this.#ended) return undefined;
    if (!(await this.#ensure(PREFIX_BYTES))) return undefined;
    const prefix = new DataView(this.#window.buffer, this.#at, PREFIX_BYTES);
    const metadataBytes = prefix.getInt32(4, true);
    if (prefix.getInt32(0, true) !== -1) return undefined;
    if (metadataBytes === 0) {
      this.#ended = true;
      return undefined;
    }
    if (metadataBytes < 0 || metadataBytes > MOST_METADATA_BYTES) return undefined;
    const bodyAt = PREFIX_BYTES + metadataBytes;
    if (!(await this.#ensure(bodyAt))) return undefined;
    // A copy, because reading the body may move the window, and the header is decoded lazily.
    const metadata = this.#window.slice(this.#at + PREFIX_BYTES, this.#at + bodyAt);
    const message = decodeMessage(metadata);
    return message === undefined ? undefined : { message, bodyAt };
  }

  /** Moves forward by this many bytes, which need not be in the window. */
  #pass(bytes: number): void {
    if (this.#at + bytes <= this.#filled) {
      this.#at += bytes;
      return;
    }
    this.#base += this.#at + bytes;
    this.#at = 0;
    this.#filled = 0;
  }

  /** Makes sure that this many bytes from the current position are in the window. False when the file is too short. */
  async #ensure(bytes: number): Promise<boolean> {
    if (this.#at + bytes <= this.#filled) return true;
    if (this.#base + this.#at + bytes > this.#file.size) return false;
    const rest = this.#window.subarray(this.#at, this.#filled);
    if (bytes > this.#window.length) {
      // The size is a multiple of 8, so that data aligned in the file is aligned in the window.
      const larger = new Uint8Array(Math.ceil((bytes * 1.25) / 8) * 8);
      larger.set(rest);
      this.#window = larger;
    } else {
      this.#window.copyWithin(0, this.#at, this.#filled);
    }
    this.#base += this.#at;
    this.#filled -= this.#at;
    this.#at = 0;
    this.#filled += await this.#file.readInto(this.#window.subarray(this.#filled), this.#base + this.#filled);
    return bytes <= this.#filled;
  }

  #shape(): BatchShape {
    return { mostRows: BATCH_ROWS, headBytes: this.#headBytes, neverZero: NEVER_ZERO_BUFFERS };
  }

  #takeSchema(schema: Schema, start: number): void {
    const columns = schema.fields.map((field) => `${field.name}: ${String(field.type)}`).join(', ');
    const expected = COLUMN_TYPES.map(([name, type]) => `${name}: ${type}`).join(', ');
    if (columns !== expected) throw this.#unreadable(start, `must have the columns ${expected}`, columns);
    const version = schema.metadata.get('tickwright.formatVersion');
    if (version !== String(FORMAT_VERSION)) {
      throw this.#unreadable(start, `must have format version ${FORMAT_VERSION}`, version ?? 'none');
    }
    this.#pair = schema.metadata.get('tickwright.pair') ?? '';
  }

  #batch(message: Message, body: number, start: number): RawBatch {
    const header = message.header() as BatchHeader;
    const { buffers, nodes, length: rows } = header;
    if (header.compression !== null)
      throw this.#unreadable(start, 'must hold batches without compression', 'a compressed one');
    if (
      nodes.length !== 5 ||
      buffers.length !== 11 ||
      rows < 0 ||
      nodes.some((node) => node.length !== rows)
    ) {
      throw this.#unreadable(start, 'must hold batches of its five columns', `${nodes.length} columns`);
    }
    if (nodes.some((node) => node.nullCount !== 0)) {
      throw this.#unreadable(start, 'must hold no nulls', 'nulls');
    }
    if (!areLaidOut(message)) {
      throw this.#unreadable(
        start,
        `must hold its columns one behind the other in the batch at byte ${start}`,
        'others',
      );
    }
    const view = <T>(make: ViewMaker<T>, index: number, items: number): T => {
      const { offset, length } = buffers[index] as { offset: number; length: number };
      const bytes = items * make.BYTES_PER_ELEMENT;
      if (length < bytes) {
        throw this.#unreadable(
          start,
          `must hold whole columns in the batch at byte ${start}`,
          `${length} of ${bytes} bytes`,
        );
      }
      const at = body + offset;
      if (at % make.BYTES_PER_ELEMENT === 0) return new make(this.#window.buffer, at, items);
      return new make(this.#window.slice(at, at + bytes).buffer, 0, items);
    };
    const idStarts = rows === 0 ? new Int32Array(1) : view(Int32Array, 1, rows + 1);
    if (!ascending(idStarts)) {
      throw this.#unreadable(start, `must hold ids in the batch at byte ${start}`, 'none that can be read');
    }
    const idBytes = view(Uint8Array, 2, idStarts[rows] as number);
    const time = view(Int32Array, 4, rows * 2);
    const price = view(Float64Array, 6, rows);
    const quantity = view(Float64Array, 8, rows);
    const isBuyerMaker = view(Uint8Array, 10, (rows + 7) >> 3);
    const timeOf = (row: number) => (rows === 0 ? undefined : timeAt(time, row));
    return {
      rows,
      firstTime: timeOf(0),
      lastTime: timeOf(rows - 1),
      start,
      end: this.goodBytes,
      demandTrades: ({ day, rowsAbove, areOrdered }) => {
        const isSound =
          areOrdered &&
          areAmounts(price, quantity) &&
          [0, rows - 1].every((row) => isOf(day, timeAt(time, row)));
        const row = rows === 0 || isSound ? undefined : firstImpossible({ rows, time, price, quantity }, day);
        if (row === undefined) return;
        const [what, value] = impossible([price[row], quantity[row], timeAt(time, row)], day);
        throw this.#unreadable(
          start,
          `must hold trades with ${what}`,
          `${value} in row ${rowsAbove + row + 1}`,
        );
      },
      copyTo(target, from, to) {
        const row = target.count;
        target.appendIds(idStarts, idBytes, from, to);
        target.price.set(price.subarray(from, to), row);
        target.quantity.set(quantity.subarray(from, to), row);
        copyTimes(time, from, to, target.time, row);
        copyBits(isBuyerMaker, from, to, target.isBuyerMaker, row);
        target.count = row + to - from;
      },
      showIn(target, times, flags) {
        copyTimes(time, 0, rows, times, 0);
        copyBits(isBuyerMaker, 0, rows, flags, 0);
        target.show({
          count: rows,
          time: times,
          price,
          quantity,
          isBuyerMaker: flags,
          idStarts,
          ids: idBytes,
        });
      },
    };
  }

  #unreadable(at: number, must: string, received: string): DamagedRecording {
    const bytes = this.size - at;
    return new DamagedRecording(this.#path, `${this.#path} ${must}, received ${received}`, { at, bytes });
  }
}

interface TradeNumbers {
  readonly rows: number;
  readonly time: Int32Array;
  readonly price: Float64Array;
  readonly quantity: Float64Array;
}

/**
 * Whether all values of both columns are finite and above 0. Every trade of a backtest passes this check. Two rows per
 * turn, and one sum in which any infinity shows, bring it down to two thirds of the time.
 */
function areAmounts(price: Float64Array, quantity: Float64Array): boolean {
  const last = price.length - 1;
  let sum = (price[last] as number) + (quantity[last] as number);
  for (let row = 0; row < last; row += 2) {
    const p = price[row] as number;
    const q = quantity[row] as number;
    const nextP = price[row + 1] as number;
    const nextQ = quantity[row + 1] as number;
    if (!(p > 0 && q > 0 && nextP > 0 && nextQ > 0)) return false;
    sum += p + q + (nextP + nextQ);
  }
  return isAmount(price[last]) && isAmount(quantity[last]) && sum < Infinity;
}

function firstImpossible({ rows, time, price, quantity }: TradeNumbers, day: number): number | undefined {
  for (let row = 0; row < rows; row++) {
    if (!(isAmount(price[row]) && isAmount(quantity[row]) && isOf(day, timeAt(time, row)))) return row;
  }
  return undefined;
}

function impossible(
  [price, quantity, time]: readonly [number | undefined, number | undefined, number],
  day: number,
): readonly [must: string, received: number | undefined] {
  if (!isAmount(price)) return ['a price above 0', price];
  return isAmount(quantity) ? [`a time of ${dayName(day)}`, time] : ['a quantity above 0', quantity];
}

function isAmount(value: number | undefined): boolean {
  return value !== undefined && value > 0 && value < Infinity;
}

function isOf(day: number, time: number): boolean {
  return time >= day * DAY_MS && time < (day + 1) * DAY_MS;
}

interface ViewMaker<T> {
  new (buffer: ArrayBufferLike, offset: number, items: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

function ascending(starts: Int32Array): boolean {
  let signs = starts[0] as number;
  for (let i = 1; i < starts.length; i++) signs |= (starts[i] as number) - (starts[i - 1] as number);
  return signs >= 0;
}

/** Copies int64 ms, given as two 32-bit halves each, into doubles. */
function copyTimes(words: Int32Array, from: number, to: number, target: Float64Array, row: number): void {
  for (let i = from, at = row; i < to; i++, at++) {
    target[at] = timeAt(words, i);
  }
}

function timeAt(words: Int32Array, row: number): number {
  return (words[2 * row + 1] as number) * 4_294_967_296 + ((words[2 * row] as number) >>> 0);
}

function copyBits(packed: Uint8Array, from: number, to: number, target: Uint8Array, row: number): void {
  let i = from;
  let at = row;
  if ((from & 7) === 0) {
    for (; i + 8 <= to; i += 8, at += 8) {
      const byte = packed[i >> 3] as number;
      target[at] = byte & 1;
      target[at + 1] = (byte >> 1) & 1;
      target[at + 2] = (byte >> 2) & 1;
      target[at + 3] = (byte >> 3) & 1;
      target[at + 4] = (byte >> 4) & 1;
      target[at + 5] = (byte >> 5) & 1;
      target[at + 6] = (byte >> 6) & 1;
      target[at + 7] = byte >> 7;
    }
  }
  for (; i < to; i++, at++) target[at] = ((packed[i >> 3] as number) >> (i & 7)) & 1;
}
