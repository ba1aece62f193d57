/**
 * The heart of the engine's thread, as another thread sees it: shared memory, so that a hung thread cannot lie. It also
 * says whose strategy is at work.
 */
const BEAT = 0;
/** Number of the strategy whose code runs now, from 1; 0: none's. */
const AT_WORK = 1;
const WORDS = 2;

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

  /** The code of the strategy with this index begins to run; it does nothing else until `leave`. */
  enter(index: number): void {
    this.#words[AT_WORK] = index + 1;
  }

  leave(): void {
    this.#words[AT_WORK] = 0;
  }

  /** Index of the strategy whose code runs now. */
  get atWork(): number | undefined {
    const word = this.#words[AT_WORK] as number;
    return word === 0 ? undefined : word - 1;
  }
}
