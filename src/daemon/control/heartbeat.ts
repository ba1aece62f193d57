/** The heart of the engine's thread, as another thread sees it: shared memory, so that a hung thread cannot lie. */
const BEAT = 0;
const WORDS = 1;

export class Heartbeat {
  readonly shared: SharedArrayBuffer;
  readonly #words: Float64Array;
  readonly #now: () => number;

  /** `now`: monotonic ms that both threads share. Without `shared` a new one begins, with a beat. */
  constructor(now: () => number, shared?: SharedArrayBuffer) {
    this.shared = shared ?? new SharedArrayBuffer(WORDS * Float64Array.BYTES_PER_ELEMENT);
    this.#words = new Float64Array(this.shared);
    this.#now = now;
    if (shared === undefined) this.beat();
  }

  beat(): void {
    this.#words[BEAT] = this.#now();
  }

  /** Since the last beat, ms. */
  get ageMs(): number {
    return Math.max(0, this.#now() - (this.#words[BEAT] as number));
  }
}
