import type { PositionSnapshot } from '../model/event.js';
import type { Market } from '../model/market.js';
import { type Clock, sleep, type Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { AskedPosition, PositionReader } from './position-reader.js';

/** What a position must be like that a session takes over at its start. */
export interface TakeOver {
  /** It is that of the own books: else they do not know of a fill yet that the position includes, or the reverse. */
  agrees(position: PositionSnapshot): boolean;
}

export const AS_SHOWN: TakeOver = { agrees: () => true };

export interface FirstPositionOptions {
  readonly market: Market;
  readonly positions: PositionReader;
  readonly takeOver: TakeOver;
  /** Start to start of the polls of the position, ms. */
  readonly everyMs: number;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
}

/** The longest pause between two reads, ms. */
const MOST_PAUSE_MS = 500;
/** How long books and venue may differ, ms: what takes longer takes a person, or the venue shows no fills. */
const MOST_WAIT_MS = 20_000;

/** Finds the position with which a session goes live: the newest one, and that of the own books. */
export class FirstPosition {
  readonly #options: FirstPositionOptions;
  /** Monotonic ms at which the search ends; `undefined` before it was needed. */
  #until: number | undefined;

  constructor(options: FirstPositionOptions) {
    this.#options = options;
  }

  /** The session may go live with this read, or with a later one that it was given. */
  suits(asked: AskedPosition): boolean {
    const { positions, takeOver } = this.#options;
    const newest = positions.newest(asked);
    return !positions.isOld(newest) && takeOver.agrees(newest.position);
  }

  /** There was time enough to find one that suits. */
  get isOver(): boolean {
    return this.#until !== undefined && this.#options.clock.monotonic() >= this.#until;
  }

  /**
   * The next read, or `asked` when it fails: what was read besides must not be lost.
   *
   * @throws the signal's reason
   */
  async next(asked: AskedPosition, signal: AbortSignal): Promise<AskedPosition> {
    const { market, positions, everyMs, timers, clock, log } = this.#options;
    this.#until ??= clock.monotonic() + MOST_WAIT_MS;
    await sleep(timers, Math.min(everyMs, MOST_PAUSE_MS), signal);
    signal.throwIfAborted();
    try {
      return await positions.read();
    } catch (error) {
      log.debug('the position could not be read', { pair: market.pair, error: String(error) });
      return asked;
    }
  }
}
