import type { Money } from '../model/money.js';

const DAY_MS = 86_400_000;

/** P&L since 00:00 UTC, out of what it is in all: what it was when the day began, or when it was first asked for, is taken off. */
export class DayPnl {
  #day = Number.NaN;
  #before: Money = 0n;
  #newest: Money = 0n;
  #carried: Money = 0n;

  /** Sessions count from 0; this much came before the one that runs. */
  carry(before: Money): void {
    this.#carried += before;
  }

  /** Of all sessions. */
  inAll(total: Money): Money {
    return total + this.#carried;
  }

  /** `total`: of all sessions, at `time`, epoch ms, never falling by a day. */
  today(time: number, total: Money): Money {
    const day = Math.floor(time / DAY_MS);
    if (day !== this.#day) {
      // What was known last belongs to the day before.
      this.#before = Number.isNaN(this.#day) ? 0n : this.#newest;
      this.#day = day;
    }
    this.#newest = total;
    return total - this.#before;
  }
}
