import { compareIds, type Trade } from '../../model/trade.js';
import type { Log } from '../../ports/log.js';
import type { RecordingEnd } from './carry-on.js';

/** Of the end of a recording before our idea of the venue's clock, ms: more is no error of that. */
const AHEAD_MS = 60_000;

/** What a recorder goes on in spite of, and whoever reads the recording should know: each is said once. */
export class TapeWarnings {
  readonly #log: Log;
  readonly #pair: string;
  readonly #said = new Set<string>();

  constructor(log: Log, pair: string) {
    this.#log = log;
    this.#pair = pair;
  }

  /** Left by a venue whose clock was ahead of this one, as that of a simulated one that ran fast: whoever waits should know. */
  end({ time: until }: RecordingEnd, now: number): void {
    if (until - now <= AHEAD_MS) return;
    this.#once(
      'the recording ends at a time to come: no trade is taken before that; another --out begins now',
      { until, now },
    );
  }

  /** Of ids that count: newer and lower in number, as of a venue that was set up anew. */
  next({ id, time }: Trade, newest: RecordingEnd): void {
    if (time <= newest.time || compareIds(id, newest.id) >= 0) return;
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
