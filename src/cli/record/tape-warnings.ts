import { compareIds, type Trade } from '../../model/trade.js';
import type { Log } from '../../ports/log.js';
import type { RecordingEnd } from './carry-on.js';

/** If a recording ends this much after the venue's estimated time, ms, an error of the estimate does not explain it. */
const AHEAD_MS = 60_000;

/** Trades this close to each other, venue ms, do not show that the venue was set up anew. */
const STEP_MS = 250;

/** Problems that a recorder tolerates, but that readers of the recording should know. Each is reported once. */
export class TapeWarnings {
  readonly #log: Log;
  readonly #pair: string;
  readonly #said = new Set<string>();

  constructor(log: Log, pair: string) {
    this.#log = log;
    this.#pair = pair;
  }

  /**
   * Warns about an end in the future, left by a venue whose clock was ahead, e.g. a simulated one that ran fast. Until
   * then, nothing is recorded.
   */
  end({ time: until }: RecordingEnd, now: number): void {
    if (until - now <= AHEAD_MS) return;
    this.#once(
      'the recording ends at a time to come: no trade is taken before that; another --out begins now',
      { until, now },
    );
  }

  /**
   * Warns about a newer trade with a lower id, if ids are contiguous, as from a venue that was set up anew. A clock that
   * stepped back makes such trades as well, a moment after the one with the higher id.
   */
  next({ id, time }: Trade, newest: RecordingEnd): void {
    if (time <= newest.time + STEP_MS || compareIds(id, newest.id) >= 0) return;
    this.#once(
      'the venue counts its trades anew: those with an id of before are recorded, and data check calls them duplicates; ' +
        'another --out keeps the two tapes apart',
      { id, before: newest.id },
    );
  }

  otherwise({ id, time }: Trade): void {
    this.#once('the venue tells of a trade otherwise than before: what was recorded first stays', {
      id,
      time,
    });
  }

  #once(words: string, facts: object): void {
    if (this.#said.has(words)) return;
    this.#said.add(words);
    this.#log.warn(words, { pair: this.#pair, ...facts });
  }
}
