import type { CancelTimer, Clock, Timers } from '../ports/clock.js';

const EVERY_MS = 100;
/** One minute of samples. */
const LOOKS = 600;

/** How late timers fire, ms, over the last minute: the time for which the event loop was busy with something else. */
export class LoopLag {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #lags = new Float64Array(LOOKS);
  #count = 0;
  #cancel: CancelTimer | undefined;

  constructor({ clock, timers }: { readonly clock: Clock; readonly timers: Timers }) {
    this.#clock = clock;
    this.#timers = timers;
  }

  start(): void {
    const due = this.#clock.monotonic() + EVERY_MS;
    this.#cancel = this.#timers.after(EVERY_MS, () => {
      this.#lags[this.#count++ % LOOKS] = Math.max(0, this.#clock.monotonic() - due);
      this.start();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  get p99Ms(): number {
    const lags = this.#sorted();
    return lags.length === 0 ? 0 : (lags[Math.ceil(lags.length * 0.99) - 1] as number);
  }

  get maxMs(): number {
    return this.#sorted().at(-1) ?? 0;
  }

  #sorted(): Float64Array {
    return this.#lags.slice(0, Math.min(this.#count, LOOKS)).sort();
  }
}
