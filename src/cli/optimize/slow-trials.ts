import type { Texts } from '../../backtest/search/space.js';
import type { CancelTimer, Clock, Timers } from '../../ports/clock.js';
import { settingsText } from '../view/optimize-view.js';

interface SlowTrialsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly say: (text: string) => void;
}

interface Running {
  readonly texts: Texts;
  /** Monotonic ms. */
  readonly since: number;
  isTold: boolean;
}

const LOOK_MS = 1_000;
/** So many times as long as the longest one so far is far longer, */
const FAR = 10;
/** but not before so long, ms: where others take no time at all, a busy machine is reason enough. */
const LEAST_MS = 10_000;
/** With none to compare with, ms. */
const ALONE_MS = 30_000;

/** Tells, once a trial, of those that take far longer than others did: one that does not return is waited for without end. */
export class SlowTrials {
  readonly #options: SlowTrialsOptions;
  readonly #running = new Set<Running>();
  #longestMs: number | undefined;
  #cancelLook: CancelTimer;

  constructor(options: SlowTrialsOptions) {
    this.#options = options;
    this.#cancelLook = this.#lookLater();
  }

  /** A trial begins; to be called when it is over, whatever it came to. */
  begin(texts: Texts): () => void {
    const { clock } = this.#options;
    const trial: Running = { texts, since: clock.monotonic(), isTold: false };
    this.#running.add(trial);
    return () => {
      this.#running.delete(trial);
      this.#longestMs = Math.max(this.#longestMs ?? 0, clock.monotonic() - trial.since);
    };
  }

  stop(): void {
    this.#cancelLook();
  }

  #lookLater(): CancelTimer {
    return this.#options.timers.after(LOOK_MS, () => {
      this.#look();
      this.#cancelLook = this.#lookLater();
    });
  }

  #look(): void {
    const { clock, say } = this.#options;
    const longestMs = this.#longestMs;
    const mostMs = longestMs === undefined ? ALONE_MS : Math.max(LEAST_MS, FAR * longestMs);
    for (const trial of this.#running) {
      const forMs = clock.monotonic() - trial.since;
      if (trial.isTold || forMs <= mostMs) continue;
      trial.isTold = true;
      const others =
        longestMs === undefined
          ? 'and no other has either'
          : `where no other took more than ${secondsText(longestMs)}`;
      say(
        `the trial with ${settingsText(trial.texts)} has not come to its end for ${secondsText(forMs)}, ${others}: ` +
          'if the strategy does not return, the search waits for ever; Ctrl-C ends it',
      );
    }
  }
}

function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < LEAST_MS ? 1 : 0)} s`;
}
