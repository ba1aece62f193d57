import type { Clock } from '../../src/ports/clock.js';

/** A clock that moves only when told. */
export class ManualClock implements Clock {
  readonly #origin: number;
  #elapsed = 0;

  constructor(origin: number) {
    this.#origin = origin;
  }

  wall(): number {
    return this.#origin + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  advance(ms: number): void {
    this.#elapsed += ms;
  }
}
