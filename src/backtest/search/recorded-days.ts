import { DAY_MS, dayOf } from '../../model/calendar.js';
import type { Stretch } from './stretches.js';

const HOUR_MS = 3_600_000;

/** What is recorded of a UTC day, ms. A bar lasts from its opening to its last ms; the two coincide for a trade. */
interface RecordedDay {
  readonly day: number;
  readonly firstEnd: number;
  lastBegin: number;
  /** -Infinity if nothing was recorded in the first hour. */
  lastBeginOfFirstHour: number;
  firstEndOfLastHour: number;
}

/** Trades, or bars with their `end` (exclusive), ms. */
interface Rows {
  readonly count: number;
  readonly time: Float64Array;
  readonly end?: Float64Array;
}

/**
 * Knows the UTC days on which a recording has rows, also in their first and last hour. From this it can tell how many
 * daily returns a run over a part of the recording will have, before any run.
 */
export class RecordedDays {
  /** In ascending order. */
  readonly #days: RecordedDay[] = [];

  /** Takes the next rows, in order of time. */
  add({ count, time, end }: Rows): void {
    for (let row = 0; row < count; row++) {
      const begin = time[row] as number;
      this.#add(begin, end === undefined ? begin : (end[row] as number) - 1);
    }
  }

  /**
   * Number of daily returns of a run over this stretch, counted as in its result: of whole days with a print. The first
   * day only counts with a print in its first hour, the last day only with one in its last hour.
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
