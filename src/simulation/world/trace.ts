/** One entry of the trace. */
export interface TraceLine {
  /** Virtual ms. */
  readonly time: number;
  /** What happened: `timer bot-1`, `POST /auth/order arrives`, … */
  readonly what: string;
  readonly detail: string | number;
}

const REMEMBERED = 200;
const WHITE = 0x9e37_79b9;

/**
 * Everything that happened in a world, as a hash and a count, and the newest entries as text. The hash is fast. It
 * reliably distinguishes runs that differ by accident, but is not cryptographic.
 */
export class Trace {
  readonly #lines: TraceLine[] = [];
  readonly #remembered: number;
  /** Hashes of frequent words. */
  readonly #words = new Map<string, number>();
  #count = 0;
  #a = 0x6a09_e667;
  #b = 0xbb67_ae85 | 0;

  /** `remembered`: number of entries that `tail` can return; default 200. */
  constructor({ remembered = REMEMBERED }: { readonly remembered?: number | undefined } = {}) {
    this.#remembered = remembered;
  }

  get count(): number {
    return this.#count;
  }

  /** Hash of all entries so far, 16 hex digits; equal for equal runs. */
  get hash(): string {
    return hex(finished(this.#a)) + hex(finished(this.#b ^ this.#count));
  }

  /** Adds an entry. `detail` must be the same in each run of a seed; `what` must come from a small set of words. */
  note(time: number, what: string, detail: string | number): void {
    this.#count += 1;
    this.#mix((time * 4_096) | 0);
    this.#mix(this.#wordHash(what));
    this.#mix(typeof detail === 'number' ? (detail * 64) | 0 : hashText(detail));
    this.#lines[(this.#count - 1) % this.#remembered] = { time, what, detail };
  }

  /** The newest entries, oldest first. */
  tail(count = this.#remembered): readonly TraceLine[] {
    const known = Math.min(this.#count, this.#remembered);
    const first = this.#count - Math.min(known, count);
    return Array.from(
      { length: Math.min(known, count) },
      (_, i) => this.#lines[(first + i) % this.#remembered] as TraceLine,
    );
  }

  #mix(word: number): void {
    this.#a = Math.imul(this.#a ^ word, 0x85eb_ca6b);
    this.#a = (this.#a << 13) | (this.#a >>> 19);
    this.#b = Math.imul((this.#b + word) | 0, 0xc2b2_ae35) ^ WHITE;
    this.#b = (this.#b << 17) | (this.#b >>> 15);
  }

  #wordHash(word: string): number {
    let hash = this.#words.get(word);
    if (hash === undefined) {
      hash = hashText(word);
      this.#words.set(word, hash);
    }
    return hash;
  }
}

/** FNV-1a over UTF-16 units. */
export function hashText(text: string): number {
  let hash = 0x811c_9dc5 | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return hash;
}

/** Distributes the last mixed bits over the whole word (the finaliser of MurmurHash3). */
function finished(word: number): number {
  let hash = word ^ (word >>> 16);
  hash = Math.imul(hash, 0x85eb_ca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
