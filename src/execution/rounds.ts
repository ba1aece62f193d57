import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';

export interface RoundsOptions {
  readonly pair: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Start to start of two rounds while there is anything to look after, ms. */
  readonly everyMs: number;
  /** One round; it failed if this rejects. */
  readonly look: () => Promise<void>;
  /** Called after each round, failed ones included, unless `stop` came. Returns the pause until the next, start to start, ms. */
  readonly ended: () => number;
  /** Called with each round, so that a stop can wait for it. */
  readonly track: (round: Promise<void>) => void;
}

/** The longest pause after rounds that fail, ms. */
const MAX_PAUSE_MS = 30_000;

/** Repeats a look at the venue until `stop`: never two at once, and more and more rarely while it fails. */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #stop = new AbortController();
  #cancelTimer: CancelTimer | undefined;
  /** Monotonic ms of the next round. */
  #due = Number.POSITIVE_INFINITY;
  #busy = false;
  /** Rounds in a row that failed, and why the newest of them did. */
  #failures = 0;
  #unread: string | undefined;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Aborted by `stop`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Why the newest round failed; `undefined` if it did not. */
  get unread(): string | undefined {
    return this.#unread;
  }

  /** To be called once. */
  start(): void {
    this.#schedule(0);
  }

  /** Brings the next round forward to `everyMs` from now; while one is under way there is nothing to bring forward. */
  hasten(): void {
    const { everyMs, clock } = this.#options;
    if (this.#busy || this.isStopped) return;
    // Never postpone a round that is due sooner: frequent calls would postpone it for ever.
    if (this.#due <= clock.monotonic() + everyMs) return;
    this.#cancelTimer?.();
    this.#schedule(everyMs);
  }

  stop(): void {
    this.#stop.abort(new Error('stopped'));
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #schedule(ms: number): void {
    if (this.isStopped) return;
    this.#due = this.#options.clock.monotonic() + ms;
    this.#cancelTimer = this.#options.timers.after(ms, () => {
      this.#cancelTimer = undefined;
      this.#options.track(this.#round());
    });
  }

  async #round(): Promise<void> {
    const { everyMs, clock, log, pair, look, ended } = this.#options;
    const startedAt = clock.monotonic();
    this.#busy = true;
    try {
      await look();
      if (this.#failures > 0) log.info('the venue can be read again', { pair });
      this.#failures = 0;
      this.#unread = undefined;
    } catch (error) {
      // A round that `stop` ended has not failed.
      if (!this.isStopped) this.#unread = error instanceof Error ? error.message : String(error);
      if (this.#failures++ === 0 && !this.isStopped) {
        log.warn('the venue cannot be read', { pair, error: String(error) });
      }
    } finally {
      this.#busy = false;
    }
    if (this.isStopped) return;
    const wanted = ended();
    const pause = Math.min(wanted * 2 ** Math.min(this.#failures, 20), Math.max(wanted, MAX_PAUSE_MS));
    const now = clock.monotonic();
    this.#schedule(Math.max(startedAt + pause, now + everyMs / 10) - now);
  }
}
