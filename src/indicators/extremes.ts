import type { Indicator } from './indicator.js';
import { checkPeriod } from './period.js';
import { Window } from './window.js';

/** The highest of the last `period` values: of highs, the upper edge of a Donchian channel. */
export function highest(period: number): Indicator {
  checkPeriod('a highest', period);
  return new Extreme(period, (a, b) => a >= b);
}

/** The lowest of the last `period` values. */
export function lowest(period: number): Indicator {
  checkPeriod('a lowest', period);
  return new Extreme(period, (a, b) => a <= b);
}

/** NaN while the window is not full, or holds what is no number. */
class Extreme implements Indicator {
  readonly #window: Window;
  readonly #length: number;
  readonly #beats: (a: number, b: number) => boolean;
  #best = Number.NaN;

  constructor(length: number, beats: (a: number, b: number) => boolean) {
    this.#window = new Window(length);
    this.#length = length;
    this.#beats = beats;
  }

  /** The window is looked through only where its best value has left it. */
  next(value: number): number {
    const gone = this.#window.push(value);
    if (!this.#window.isFull) return Number.NaN;
    if (this.#beats(value, this.#best)) this.#best = value;
    else if (gone === this.#best || Number.isNaN(this.#best) || Number.isNaN(value))
      this.#best = this.#look();
    return this.#best;
  }

  #look(): number {
    let best = this.#window.at(0);
    for (let i = 1; i < this.#length; i++) {
      const value = this.#window.at(i);
      if (Number.isNaN(value) || this.#beats(value, best)) best = value;
      if (Number.isNaN(best)) return Number.NaN;
    }
    return best;
  }
}
