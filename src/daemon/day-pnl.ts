import { dayOf } from '../model/calendar.js';
import type { Money } from '../model/money.js';

/** A UTC day, counted from the epoch, and the total when it began. */
interface Day {
  readonly number: number;
  readonly before: Money;
}

/**
 * P&L since 00:00 UTC: the total, less the total at the day's beginning or, on the first day, when it was first asked
 * for. When the clock is set back over midnight, the day before goes on.
 */
export class DayPnl {
  #day: Day | undefined;
  /** The day before `#day`, until the clock is set back. */
  #earlier: Day | undefined;
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

  /** P&L of the UTC day of `time` (epoch ms); `total` is that of all sessions. */
  today(time: number, total: Money): Money {
    const day = this.#turn(dayOf(time));
    this.#newest = total;
    return total - day.before;
  }

  #turn(number: number): Day {
    const day = this.#day ?? { number, before: 0n };
    if (number > day.number) {
      this.#earlier = day;
      // The last known total belongs to the day before.
      this.#day = { number, before: this.#newest };
    } else if (number < day.number) {
      // `day` was entered too early, and begins anew when it really comes. Of other days than the one before nothing is known.
      this.#day = this.#earlier?.number === number ? this.#earlier : { ...day, number };
      this.#earlier = undefined;
    } else this.#day = day;
    return this.#day;
  }
}
