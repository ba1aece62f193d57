import type { Money } from '../model/money.js';

const DAY_MS = 86_400_000;

/**
 * P&L since 00:00 UTC: the total, less the total at the day's beginning or, on the first day, when it was first asked
 * for.
 */
export class DayPnl {
  #day = Number.NaN;
  #before: Money = 0n;
  #newest: Money = 0n;
  #carried: Money = 0n;

  /** Each session counts from 0: adds what earlier sessions made beyond the P&L of the running one. */
  carry(before: Money): void {
    this.#carried += before;
  }

  /** The total of all sessions, from the P&L of the running session. */
  inAll(total: Money): Money {
    return total + this.#carried;
  }

  /** P&L of the UTC day of `time` (epoch ms, never going back by a day); `total` is that of all sessions. */
  today(time: number, total: Money): Money {
    const day = Math.floor(time / DAY_MS);
    if (day !== this.#day) {
      // The last known total belongs to the day before.
      this.#before = Number.isNaN(this.#day) ? 0n : this.#newest;
      this.#day = day;
    }
    this.#newest = total;
    return total - this.#before;
  }
}
