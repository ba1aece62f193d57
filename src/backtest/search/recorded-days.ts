import { DAY_MS, dayOf } from '../../model/calendar.js';
import type { Stretch } from './stretches.js';

const HOUR_MS = 3_600_000;

/** What is recorded of a UTC day, ms. A bar begins when it opens, and is there by its last ms; of a trade that is one. */
interface RecordedDay {
  readonly day: number;
  readonly firstEnd: number;
  lastBegin: number;
  /** Infinite where there is none. */
  lastBeginOfFirstHour: number;
  firstEndOfLastHour: number;
}

/** Trades, or bars with their `end`, ms, exclusive. */
interface Rows {
  readonly count: number;
  readonly time: Float64Array;
  readonly end?: Float64Array;
}

/**
 * On which UTC days a recording has rows, and which of those come in a first or a last hour: how many daily returns a run
 * over a part of it will have is known before any was made.
 */
export class RecordedDays {
  /** Ascending. */
  readonly #days: RecordedDay[] = [];

  /** The next ones, in their order. */
  add({ count, time, end }: Rows): void {
    for (let row = 0; row < count; row++) {
      const begin = time[row] as number;
      this.#add(begin, end === undefined ? begin : (end[row] as number) - 1);
    }
  }

  /**
   * Daily returns of a run over this stretch, as its result counts them: of whole days that have a print; the first and the
   * last one where it has one in their first, or last, hour.
   */
  within({ from, to }: Stretch): number {
    const first = this.#days.find(({ lastBegin }) => lastBegin >= from);
    const last = this.#days.findLast(({ firstEnd }) => firstEnd < to);
    if (first === undefined || last === undefined) return 0;
    const begin = first.lastBeginOfFirstHour >= from ? first.day : first.day + 1;
    const end = last.firstEndOfLastHour < to ? last.day + 1 : last.day;
    return this.#days.filter(({ day }) => day >= begin && day < end).length;
  }

  #add(begin: number, end: number): void {
    const day = dayOf(begin);
    let own = this.#days.at(-1);
    if (own?.day !== day) {
      own = {
        day,
        firstEnd: end,
        lastBegin: begin,
        lastBeginOfFirstHour: Number.NEGATIVE_INFINITY,
        firstEndOfLastHour: Number.POSITIVE_INFINITY,
      };
      this.#days.push(own);
    }
    own.lastBegin = begin;
    if (begin - day * DAY_MS < HOUR_MS) own.lastBeginOfFirstHour = begin;
    if (end - day * DAY_MS >= DAY_MS - HOUR_MS && end < own.firstEndOfLastHour) own.firstEndOfLastHour = end;
  }
}
