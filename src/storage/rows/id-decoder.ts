/** Number of digits at the end of an id that may differ between neighbours. */
const TAIL = 3;
const TAILS = Array.from({ length: 10 ** TAIL }, (_, n) => String(n).padStart(TAIL, '0'));
/** Shortest id whose beginning can be compared as two 4-byte words, which may overlap. */
const SHORTEST = 4 + TAIL;
const LONGEST = 8 + TAIL;

/**
 * Decodes ids, which are kept as UTF-8. A venue's trade ids count up: as long as only the last three digits differ from
 * the id before, its beginning is reused and nothing is decoded, which takes a fifth of the time.
 */
export class IdDecoder {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  /**
   * The newest id that ended in digits: its text without them, its length in bytes, and the first and last word before
   * them.
   */
  #beginning = '';
  #length = 0;
  #first = 0;
  #last = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The text of bytes [start, end). */
  text(start: number, end: number): string {
    const length = end - start;
    if (length < SHORTEST || length > LONGEST) return this.#bytes.toString('utf8', start, end);
    const view = this.#view;
    const digits = (view.getInt32(end - 4) & 0xff_ff_ff) - 0x30_30_30;
    // Bit tricks on three bytes at once: a byte below '0' or above '9' sets its high bit.
    if (((digits | (digits + 0x76_76_76)) & 0x80_80_80) !== 0) {
      return this.#bytes.toString('utf8', start, end);
    }
    const first = view.getInt32(start);
    const last = view.getInt32(end - SHORTEST);
    if (length !== this.#length || first !== this.#first || last !== this.#last) {
      this.#beginning = this.#bytes.toString('utf8', start, end - TAIL);
      this.#length = length;
      this.#first = first;
      this.#last = last;
    }
    const tail = (digits >> 16) * 100 + ((digits >> 8) & 15) * 10 + (digits & 15);
    return this.#beginning + (TAILS[tail] as string);
  }
}
