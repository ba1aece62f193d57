import type { StretchWatch } from './stretch-watch.js';
import { TapeSession, type TapeSessionOptions } from './tape-session.js';
import type { TradeCursor } from './trade-cursor.js';

/**
 * A session on one of several markets of an account, run in steps. The caller merges the markets by time: it decides when
 * the session's trades and other events take place, and is told when something has to happen before its next print.
 */
export class AccountSession extends TapeSession {
  #interrupts: (() => boolean) | undefined;

  /** `whole`: the watch of the whole account. */
  constructor(options: TapeSessionOptions, whole: StretchWatch) {
    super(options, whole);
  }

  override get to(): number {
    // The cursor may be at a print that was not handled any more.
    return this.watch.ruinedAt ?? this.watch.lastTime ?? 0;
  }

  /** Also ends early when something else is due, or when `isInterrupted` says so after a print that had an effect. */
  override pass(from: number, to: number, isInterrupted?: () => boolean): number {
    this.#interrupts = isInterrupted;
    return super.pass(from, to);
  }

  /**
   * When the next event other than a print is due, ms: `happen` must be called before the first print with a later time
   * on any market of the account. Infinity without any.
   */
  get nextDue(): number {
    return Math.min(this.facts.nextTime, this.venue.nextOccurrence);
  }

  /** Lets the next event take place, before the print of `row`, with which the strategy gets the reports. */
  happen(row: number): void {
    (this.cursor as TradeCursor).row = row;
    this.venue.renewMargin();
    const { nextOccurrence } = this.venue;
    // Funding is queued half a millisecond before its time, after the marks of that time.
    const time = Math.ceil(nextOccurrence);
    if (this.facts.nextTime <= time) this.learn(row);
    else {
      this.watch.reach(row, time);
      this.venue.occur(row, nextOccurrence);
      this.hearFunding(row, time);
    }
    this.quiet.until = Number.NEGATIVE_INFINITY;
  }

  /**
   * When something is due after the last print of all, ms: a liquidation in progress, which `expire` continues. Infinity
   * without any.
   */
  get lastDue(): number {
    return this.venue.forcedDeadline;
  }

  expire(): void {
    this.venue.expire(this.venue.forcedDeadline);
  }

  /** The account's other markets have moved and are worth `elsewhere`, quote units. */
  resume(elsewhere: number): void {
    this.watch.standBeside(elsewhere);
    this.venue.renewMargin();
    // The time bound is still valid, since only prices have changed.
    const until = this.venue.reports.length > 0 ? Number.NEGATIVE_INFINITY : this.quiet.until;
    this.putQuiet();
    this.quiet.until = until;
  }

  /** Rows before `row` were handled: makes the account's value after them known to its other markets. */
  pause(row: number): void {
    this.venue.passRows(row);
    this.watch.pause(row);
  }

  /** How often the venue took orders or a position, over all markets of the account. */
  get seizures(): number {
    return this.venue.seizures;
  }

  /** Whether losses on other markets cost this session orders or its position since the last call. */
  takeSeizure(): boolean {
    return this.venue.takeSeizure();
  }

  /** Before the print of `row`, or after the last one: takes all reports now, at `time`. */
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
