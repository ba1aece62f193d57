import type { StretchWatch } from './stretch-watch.js';
import { TapeSession, type TapeSessionOptions } from './tape-session.js';
import type { TradeCursor } from './trade-cursor.js';

/**
 * A session on one of several markets of an account, in steps: whoever merges the markets by time says when its trades
 * come and when else something happens, and is told where something comes before its next print.
 */
export class AccountSession extends TapeSession {
  #interrupts: (() => boolean) | undefined;

  /** `whole`: of the account. */
  constructor(options: TapeSessionOptions, whole: StretchWatch) {
    super(options, whole);
  }

  override get to(): number {
    // The cursor may be at a print that never happened.
    return this.watch.ruinedAt ?? this.watch.lastTime ?? 0;
  }

  /** Ends early, too, when something else is due, or where `isInterrupted` says so after a print that did something. */
  override pass(from: number, to: number, isInterrupted?: () => boolean): number {
    this.#interrupts = isInterrupted;
    return super.pass(from, to);
  }

  /**
   * When the next thing happens that is no print, ms: `happen` is to be called before the first print, of any market of
   * the account, that has a later time. Infinity without any.
   */
  get nextDue(): number {
    return Math.min(this.facts.nextTime, this.venue.nextOccurrence);
  }

  /** What is due next, before the print of `row`, which is when the strategy hears of what became of its orders. */
  happen(row: number): void {
    (this.cursor as TradeCursor).row = row;
    this.venue.renewMargin();
    const { nextOccurrence } = this.venue;
    // Funding is due half a millisecond before its time, and after the marks of that.
    const time = Math.ceil(nextOccurrence);
    if (this.facts.nextTime <= time) this.learn(row);
    else {
      this.watch.reach(row, time);
      this.venue.occur(row, nextOccurrence);
      this.hearFunding(row);
    }
    this.quiet.until = Number.NEGATIVE_INFINITY;
  }

  /** When something is due after the last print of all, ms: a liquidation goes on, with `expire`. Infinity without any. */
  get lastDue(): number {
    return this.venue.forcedDeadline;
  }

  expire(): void {
    this.venue.expire(this.venue.forcedDeadline);
  }

  /** The account's other markets have moved, and come to this much, quote units. */
  resume(elsewhere: number): void {
    this.watch.standBeside(elsewhere);
    this.venue.renewMargin();
    // Until when it is quiet was known before, and prices alone have moved since.
    const until = this.venue.reports.length > 0 ? Number.NEGATIVE_INFINITY : this.quiet.until;
    this.putQuiet();
    this.quiet.until = until;
  }

  /** Rows above `row` were given: what the account is worth by them is known to its other markets. */
  pause(row: number): void {
    this.venue.passRows(row);
    this.watch.pause(row);
  }

  /** How often the venue took something on any market of the account. */
  get seizures(): number {
    return this.venue.seizures;
  }

  /** Whether the account's other markets have cost this session its orders or its position since this was last asked. */
  takeSeizure(): boolean {
    return this.venue.takeSeizure();
  }

  /** Before the print of `row`, or after the last one: whatever happened is heard of now, at `time`. */
  hear(row: number, time: number): void {
    this.sentAt = time;
    if (this.venue.squareReports()) this.takeReports(row);
    this.sentAt = Number.NaN;
  }

  protected override isDueBefore(time: number): boolean {
    return this.nextDue < time;
  }

  protected override isInterrupted(): boolean {
    return this.#interrupts?.() === true;
  }
}
