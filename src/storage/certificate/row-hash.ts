import { Sha256 } from '../../model/digest.js';
import type { TradeColumns } from '../rows/trade-columns.js';

const LANES = 8;
// The odd primes of xxHash32: multiplying by an odd number loses no information.
const P1 = 0x9e3779b1 | 0;
const P2 = 0x85ebca77 | 0;

/**
 * A fingerprint of trades, which does not depend on how they are stored or split.
 *
 * Eight lanes of 32 bits take the words of each row: the halves of time, price and quantity as float64, then the id's
 * length in bytes with is_buyer_maker in its lowest bit, and the id's UTF-8 four bytes at a time. A lane becomes
 * `rotl(lane + P2 · (word ^ the neighbouring lane before the row), 13) · P1`. The digest is SHA-256 of the lanes and
 * the number of rows. A single changed value always changes the hash; any other change goes unnoticed at most once in
 * 2^32. So the hash finds damage and mistakes, but not forgeries. SHA-256 of every row would take as long as three
 * backtests.
 */
export class RowHash {
  readonly #lanes = Int32Array.from({ length: LANES }, (_, lane) => Math.imul(lane + 1, P1));
  #rows = 0;

  update(rows: TradeColumns, from = 0, to = rows.count): this {
    const time = words(rows.time);
    const price = words(rows.price);
    const quantity = words(rows.quantity);
    const { isBuyerMaker, idStarts, idBytes } = rows;
    const ids = new DataView(idBytes.buffer, idBytes.byteOffset, idBytes.byteLength);
    /** The last offset at which four bytes can be read. */
    const lastWhole = idBytes.length - 4;
    const lanes = this.#lanes;
    let a = lanes[0] as number;
    let b = lanes[1] as number;
    let c = lanes[2] as number;
    let d = lanes[3] as number;
    let e = lanes[4] as number;
    let f = lanes[5] as number;
    let g = lanes[6] as number;
    let h = lanes[7] as number;
    for (let row = from; row < to; row++) {
      const start = idStarts[row] as number;
      const end = idStarts[row + 1] as number;
      const at = row * 2;
      const last = h;
      h = mix(h, ((end - start) << 1) | (isBuyerMaker[row] as number), g);
      g = mix(g, idWord(ids, start, end, lastWhole), f);
      f = mix(f, quantity[at + 1] as number, e);
      e = mix(e, quantity[at] as number, d);
      d = mix(d, price[at + 1] as number, c);
      c = mix(c, price[at] as number, b);
      b = mix(b, time[at + 1] as number, a);
      a = mix(a, time[at] as number, last);
      for (let byte = start + 4; byte < end; byte += 4) g = mix(g, idWord(ids, byte, end, lastWhole), h);
    }
    lanes.set([a, b, c, d, e, f, g, h]);
    this.#rows += to - from;
    return this;
  }

  /** Lower-case hex hash of the rows so far; more may follow. */
  digest(): string {
    const bytes = new DataView(new ArrayBuffer(LANES * 4 + 8));
    for (let lane = 0; lane < LANES; lane++) bytes.setInt32(lane * 4, this.#lanes[lane] as number, true);
    bytes.setFloat64(LANES * 4, this.#rows, true);
    return new Sha256().update(new Uint8Array(bytes.buffer)).digest();
  }
}

function mix(lane: number, word: number, beside: number): number {
  const sum = (lane + Math.imul(word ^ beside, P2)) | 0;
  return Math.imul((sum << 13) | (sum >>> 19), P1);
}

/**
 * Up to four bytes of an id, the first one lowest. Reads four bytes at once where they exist, and masks out what
 * follows the id.
 */
function idWord(bytes: DataView, from: number, end: number, lastWhole: number): number {
  const length = end - from;
  if (from <= lastWhole) {
    const word = bytes.getInt32(from, true);
    return length >= 4 ? word : word & ((1 << (length << 3)) - 1);
  }
  let word = 0;
  for (let byte = from; byte < end; byte++) word |= bytes.getUint8(byte) << (8 * (byte - from));
  return word;
}

function words(column: Float64Array): Int32Array {
  return new Int32Array(column.buffer, column.byteOffset, column.length * 2);
}
