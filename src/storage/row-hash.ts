import { Sha256 } from '../model/digest.js';
import type { TradeColumns } from './trade-columns.js';

const BLOCK_BYTES = 65_536;
const FIXED_BYTES = 29;

/**
 * SHA-256 of trades as canonical rows, so that a hash names the trades and not how they are stored. A row is, little
 * endian: time, price, quantity as float64; is_buyer_maker as one byte; the id's length in bytes as uint32; the id in
 * UTF-8.
 */
export class RowHash {
  readonly #hash = new Sha256();
  #block = new Uint8Array(BLOCK_BYTES);
  #view = new DataView(this.#block.buffer);
  #used = 0;

  update(rows: TradeColumns, from = 0, to = rows.count): this {
    const ids = rows.idBytes;
    for (let row = from; row < to; row++) {
      const idStart = rows.idStarts[row] as number;
      const idEnd = rows.idStarts[row + 1] as number;
      this.#reserve(FIXED_BYTES + idEnd - idStart);
      const view = this.#view;
      let at = this.#used;
      view.setFloat64(at, rows.time[row] as number, true);
      view.setFloat64(at + 8, rows.price[row] as number, true);
      view.setFloat64(at + 16, rows.quantity[row] as number, true);
      view.setUint8(at + 24, rows.isBuyerMaker[row] as number);
      view.setUint32(at + 25, idEnd - idStart, true);
      at += FIXED_BYTES;
      for (let i = idStart; i < idEnd; i++) this.#block[at++] = ids[i] as number;
      this.#used = at;
    }
    return this;
  }

  /** Lower-case hex of the rows so far; more may follow. */
  digest(): string {
    this.#flush();
    return this.#hash.digest();
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#block.length) return;
    this.#flush();
    if (bytes > this.#block.length) {
      this.#block = new Uint8Array(bytes);
      this.#view = new DataView(this.#block.buffer);
    }
  }

  #flush(): void {
    this.#hash.update(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }
}
