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
  /** When the trial began, monotonic ms. */
  readonly since: number;
  isTold: boolean;
}

const LOOK_MS = 1_000;
/** A trial counts as slow from this many times the longest completed one on, */
const FAR = 10;
/** but not before this time, ms: if trials take no time at all, a busy machine alone could cause such a factor. */
const LEAST_MS = 10_000;
/** The limit without any completed trial, ms. */
const ALONE_MS = 30_000;

/**
 * Reports, once per trial, trials that take far longer than others. There is no time limit, so one that never returns
 * would be waited for without a notice.
 */
export class SlowTrials {
  readonly #options: SlowTrialsOptions;
  readonly #running = new Set<Running>();
  #longestMs: number | undefined;
  #cancelLook: CancelTimer;

  constructor(options: SlowTrialsOptions) {
    this.#options = options;
    this.#cancelLook = this.#lookLater();
  }

  /** To be called when a trial begins; the returned function when it is over, with whatever result. */
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
