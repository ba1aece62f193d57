import { Sha256 } from '../../model/digest.js';
import type { BarColumns } from '../rows/bar-columns.js';

const ROW_BYTES = 56;

/**
 * SHA-256 of bars as canonical rows: open time, open, high, low, close, volume and end, each a little-endian float64.
 * Equal bars have equal hashes, however they are stored.
 */
export class BarHash {
  readonly #hash = new Sha256();

  update({ count, time, open, high, low, close, volume, end }: BarColumns): this {
    const columns = [time, open, high, low, close, volume, end];
    const view = new DataView(new ArrayBuffer(count * ROW_BYTES));
    for (const [index, column] of columns.entries()) {
      for (let row = 0; row < count; row++) {
        view.setFloat64(row * ROW_BYTES + index * 8, column[row] as number, true);
      }
    }
    this.#hash.update(new Uint8Array(view.buffer));
    return this;
  }

  /** Lower-case hex hash of the rows so far; more may follow. */
  digest(): string {
    return this.#hash.digest();
  }
}
