import { StrategyError } from '../model/errors.js';
import type { BoundStrategy } from '../strategy/instance.js';

/** Timers that are set while event time stands still, from which on it would stand still for ever. */
const MOST_AT_ONCE = 1_000;
const MINUTE_MS = 60_000;
/** A hundred a second, all the time. */
const MOST_A_MINUTE = 6_000;

/** The strategy with somebody who counts its timers: a loop of them would never come to an end. */
export function watchedStrategy(strategy: BoundStrategy, onSpin: (what: string) => void): BoundStrategy {
  return {
    ...strategy,
    start(context) {
      const counter = new TimerCounter(onSpin);
      const setTimer = (name: string, time: number) => {
        counter.set(name, context.now);
        context.setTimer(name, time);
      };
      // Everything else is the context's own, and live.
      const watched = Object.create(context, { setTimer: { value: setTimer } }) as typeof context;
      return strategy.start(watched);
    },
  };
}

class TimerCounter {
  readonly #onSpin: (what: string) => void;
  #now = Number.NaN;
  #atOnce = 0;
  #minute = Number.NaN;
  #inMinute = 0;

  constructor(onSpin: (what: string) => void) {
    this.#onSpin = onSpin;
  }

  set(name: string, now: number): void {
    this.#atOnce = now === this.#now ? this.#atOnce + 1 : 1;
    this.#now = now;
    const minute = Math.floor(now / MINUTE_MS);
    this.#inMinute = minute === this.#minute ? this.#inMinute + 1 : 1;
    this.#minute = minute;
    if (this.#inMinute === MOST_A_MINUTE) {
      this.#onSpin(`${MOST_A_MINUTE} timers within one minute, the last one ${JSON.stringify(name)}`);
    }
    if (this.#atOnce < MOST_AT_ONCE) return;
    const what = `timers must wait, received ${JSON.stringify(name)} set ${MOST_AT_ONCE} times at one moment of event time`;
    this.#onSpin(what);
    throw new StrategyError('TICKWRIGHT_E_TIMERS', what);
  }
}
