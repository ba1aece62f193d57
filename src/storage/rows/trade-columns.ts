import { compareIds, type Trade } from '../../model/trade.js';
import { IdDecoder } from './id-decoder.js';

/**
 * Trades as columns. The arrays may be longer than `count`. They belong to the maker of the chunk, and a reader reuses
 * them for the next chunk: copy what you keep.
 */
export interface TradeChunk {
  /** Number of valid rows: 0 to count − 1. */
  readonly count: number;
  /** ms since the epoch. */
  readonly time: Float64Array;
  /** Quote units. */
  readonly price: Float64Array;
  /** Base units. */
  readonly quantity: Float64Array;
  /** 1 when the buyer was the maker, else 0. */
  readonly isBuyerMaker: Uint8Array;
  /** 1 where an own order was the aggressor; absent: in no row. */
  readonly isOwn?: Uint8Array | undefined;
  /** The id as text, decoded on each call. */
  id(row: number): string;
}

const ENCODER = new TextEncoder();
const ZERO = 0x30;
const NINE = 0x39;

/** Growing columns in which trades are collected, sorted and written. Ids are kept as UTF-8 bytes. */
export class TradeColumns implements TradeChunk {
  count = 0;
  time: Float64Array;
  price: Float64Array;
  quantity: Float64Array;
  isBuyerMaker: Uint8Array;
  isOwn: Uint8Array | undefined = undefined;
  /** Row i's id is the bytes [idStarts[i], idStarts[i + 1]). */
  idStarts: Int32Array;
  #ids: Buffer;
  #decoder: IdDecoder;

  constructor(capacity: number) {
    this.time = new Float64Array(capacity);
    this.price = new Float64Array(capacity);
    this.quantity = new Float64Array(capacity);
    this.isBuyerMaker = new Uint8Array(capacity);
    this.idStarts = new Int32Array(capacity + 1);
    this.#ids = Buffer.allocUnsafe(Math.max(64, capacity * 12));
    this.#decoder = new IdDecoder(this.#ids);
  }

  static of(trades: Iterable<Trade>): TradeColumns {
    const columns = new TradeColumns(1_024);
    for (const trade of trades) columns.push(trade);
    return columns;
  }

  /**
   * Makes this a view of rows that lie elsewhere, until they are overwritten there. Nothing may be added to a view. `ids`
   * are the bytes that `idStarts` points into.
   */
  show(rows: Omit<TradeChunk, 'id'> & { readonly idStarts: Int32Array; readonly ids: Uint8Array }): void {
    const { ids } = rows;
    this.count = rows.count;
    this.time = rows.time;
    this.price = rows.price;
    this.quantity = rows.quantity;
    this.isBuyerMaker = rows.isBuyerMaker;
    this.isOwn = rows.isOwn;
    this.idStarts = rows.idStarts;
    this.#ids = Buffer.from(ids.buffer as ArrayBuffer, ids.byteOffset, ids.length);
    this.#decoder = new IdDecoder(this.#ids);
  }

  /** A view of rows [from, to), valid while these rows do not change. Nothing may be added to it. */
  part(from: number, to: number): TradeColumns {
    const view = new TradeColumns(0);
    view.show({
      count: to - from,
      time: this.time.subarray(from, to),
      price: this.price.subarray(from, to),
      quantity: this.quantity.subarray(from, to),
      isBuyerMaker: this.isBuyerMaker.subarray(from, to),
      isOwn: this.isOwn?.subarray(from, to),
      idStarts: this.idStarts.subarray(from, to + 1),
      ids: this.#ids,
    });
    return view;
  }

  /**
   * Marks the trades that own orders caused, by the ids of their fills, which are trade ids. For columns that no longer
   * change.
   */
  markOwn(ids: ReadonlySet<string>): void {
    this.isOwn = Uint8Array.from({ length: this.count }, (_, row) => (ids.has(this.id(row)) ? 1 : 0));
  }

  get capacity(): number {
    return this.time.length;
  }

  /** UTF-8 of all ids, one after the other. */
  get idBytes(): Uint8Array {
    return this.#ids.subarray(0, this.idStarts[this.count]);
  }

  id(row: number): string {
    return this.#decoder.text(this.idStarts[row] as number, this.idStarts[row + 1] as number);
  }

  trade(row: number): Trade {
    return {
      id: this.id(row),
      time: this.time[row] as number,
      price: this.price[row] as number,
      quantity: this.quantity[row] as number,
      isBuyerMaker: this.isBuyerMaker[row] === 1,
    };
  }

  push({ id, time, price, quantity, isBuyerMaker }: Trade): void {
    const row = this.count;
    const start = this.idStarts[row] as number;
    this.reserve(row + 1, start + id.length * 3);
    this.time[row] = time;
    this.price[row] = price;
    this.quantity[row] = quantity;
    this.isBuyerMaker[row] = isBuyerMaker ? 1 : 0;
    this.idStarts[row + 1] = this.#writeId(id, start);
    this.count = row + 1;
  }

  /** Appends rows [from, to) of other columns. */
  append(other: TradeColumns, from: number, to: number): void {
    const row = this.count;
    const firstByte = other.idStarts[from] as number;
    const lastByte = other.idStarts[to] as number;
    const start = this.idStarts[row] as number;
    this.reserve(row + to - from, start + lastByte - firstByte);
    this.time.set(other.time.subarray(from, to), row);
    this.price.set(other.price.subarray(from, to), row);
    this.quantity.set(other.quantity.subarray(from, to), row);
    this.isBuyerMaker.set(other.isBuyerMaker.subarray(from, to), row);
    this.#ids.set(other.#ids.subarray(firstByte, lastByte), start);
    for (let i = from + 1; i <= to; i++) {
      this.idStarts[row + i - from] = (other.idStarts[i] as number) - firstByte + start;
    }
    this.count = row + to - from;
  }

  /** Appends ids given as Arrow's offsets and bytes; the caller must fill the other columns of the same rows. */
  appendIds(starts: Int32Array, bytes: Uint8Array, from: number, to: number): void {
    const row = this.count;
    const firstByte = starts[from] as number;
    const lastByte = starts[to] as number;
    const start = this.idStarts[row] as number;
    this.reserve(row + to - from, start + lastByte - firstByte);
    this.#ids.set(bytes.subarray(firstByte, lastByte), start);
    const shift = start - firstByte;
    const target = this.idStarts;
    for (let i = from + 1; i <= to; i++) target[row + i - from] = (starts[i] as number) + shift;
  }

  clear(): void {
    this.count = 0;
  }

  /** Compares two rows by (time, id), like `compareTrades`. */
  compare(row: number, other: TradeColumns, otherRow: number): number {
    const byTime = (this.time[row] as number) - (other.time[otherRow] as number);
    return byTime === 0 ? this.#compareIds(row, other, otherRow) : byTime;
  }

  /**
   * Whether time, price, quantity and aggressor are equal: with the same id too, the rows are one trade recorded twice.
   */
  sameFacts(row: number, other: TradeColumns, otherRow: number): boolean {
    return (
      this.time[row] === other.time[otherRow] &&
      this.price[row] === other.price[otherRow] &&
      this.quantity[row] === other.quantity[otherRow] &&
      this.isBuyerMaker[row] === other.isBuyerMaker[otherRow]
    );
  }

  /** The rows sorted by (time, id); returns this object if it is sorted already. */
  sorted(): TradeColumns {
    let inOrder = true;
    for (let row = 1; row < this.count && inOrder; row++) inOrder = this.compare(row - 1, this, row) <= 0;
    if (inOrder) return this;
    const order = new Uint32Array(this.count);
    for (let row = 0; row < this.count; row++) order[row] = row;
    order.sort((a, b) => this.compare(a, this, b) || a - b);
    const target = new TradeColumns(this.count);
    for (const row of order) target.append(this, row, row + 1);
    return target;
  }

  /** Makes room for this many rows and bytes of ids in total. */
  reserve(rows: number, idBytes: number): void {
    if (rows > this.time.length) {
      const capacity = Math.max(rows, this.time.length * 2, 1_024);
      this.time = grown(this.time, new Float64Array(capacity));
      this.price = grown(this.price, new Float64Array(capacity));
      this.quantity = grown(this.quantity, new Float64Array(capacity));
      this.isBuyerMaker = grown(this.isBuyerMaker, new Uint8Array(capacity));
      this.idStarts = grown(this.idStarts, new Int32Array(capacity + 1));
    }
    if (idBytes > this.#ids.length) {
      const ids = Buffer.allocUnsafe(Math.max(idBytes, this.#ids.length * 2));
      this.#ids.copy(ids);
      this.#ids = ids;
      this.#decoder = new IdDecoder(ids);
    }
  }

  /** Returns the end of the id. ASCII, the usual case, is written without calling the encoder. */
  #writeId(id: string, start: number): number {
    for (let i = 0; i < id.length; i++) {
      const unit = id.charCodeAt(i);
      if (unit > 0x7f) return start + ENCODER.encodeInto(id, this.#ids.subarray(start)).written;
      this.#ids[start + i] = unit;
    }
    return start + id.length;
  }

  #compareIds(row: number, other: TradeColumns, otherRow: number): number {
    const start = this.idStarts[row] as number;
    const otherStart = other.idStarts[otherRow] as number;
    const length = (this.idStarts[row + 1] as number) - start;
    const otherLength = (other.idStarts[otherRow + 1] as number) - otherStart;
    if (isPlainInteger(this.#ids, start, length) && isPlainInteger(other.#ids, otherStart, otherLength)) {
      if (length !== otherLength) return length - otherLength;
      return this.#ids.compare(other.#ids, otherStart, otherStart + length, start, start + length);
    }
    return compareIds(this.id(row), other.id(otherRow));
  }
}

/** Digits without a leading zero: such ids can be compared by length, then byte by byte. */
function isPlainInteger(bytes: Uint8Array, start: number, length: number): boolean {
  if (length === 0 || bytes[start] === ZERO) return false;
  for (let i = start; i < start + length; i++) {
    const byte = bytes[i] as number;
    if (byte < ZERO || byte > NINE) return false;
  }
  return true;
}

function grown<T extends Float64Array | Uint8Array | Int32Array>(old: T, target: T): T {
  target.set(old);
  return target;
}
