import { applyFill, FLAT, type Position } from '../model/position.js';
import type { ExecutionReport } from '../model/report.js';
import type { Ticker } from '../model/ticker.js';
import type { WorldFact } from '../model/world-fact.js';
import { type TradeChunk, TradeColumns } from '../storage/rows/trade-columns.js';
import type { PollSchedule } from './poll-schedule.js';
import { TapeSession, type TapeSessionOptions } from './tape-session.js';
import { TradeCursor } from './trade-cursor.js';

export interface SessionPolls {
  /**
   * The strategy sees what it would have polled: trades in batches, and with them the news of its orders and the
   * ticker, at these times, at which it also sends. Absent: everything as it happens.
   */
  readonly polls?: PollSchedule | undefined;
  /** When it asks what became of its orders, where that is not with the trades. */
  readonly newsPolls?: PollSchedule | undefined;
}

/** A session over a recording: polled where there is a schedule. */
export function tapeSession({
  polls,
  newsPolls,
  ...options
}: TapeSessionOptions & SessionPolls): TapeSession {
  return polls === undefined ? new TapeSession(options) : new PolledSession(options, polls, newsPolls);
}

/**
 * A session that hears what happens when it asks. At the venue prints happen one by one; at a poll it is told what
 * happened to its orders since the last one, the trades since then, and the gaps between them or that they are all.
 * The answer to a command waits for no poll.
 */
class PolledSession extends TapeSession {
  readonly #polls: PollSchedule;
  readonly #newsPolls: PollSchedule | undefined;
  #nextPoll = Number.POSITIVE_INFINITY;
  #nextNews = Number.POSITIVE_INFINITY;
  /** Trades that came after the last poll, of chunks that are gone. */
  readonly #unpolled = new TradeColumns(0);
  /** What is held, while the engine does not know yet, and how many reports it is made of. */
  #held: Position = FLAT;
  #heldReports = 0;
  /** How many reports wait for a poll: they are no answers. With a slow one there may be very many. */
  #waiting = 0;
  #ticker: Ticker | undefined;

  constructor(options: TapeSessionOptions, polls: PollSchedule, newsPolls: PollSchedule | undefined) {
    super(options);
    this.#polls = polls;
    this.#newsPolls = newsPolls;
  }

  override get position(): Position {
    return this.withFunding(this.#held);
  }

  override open(chunk: TradeChunk, facts: readonly WorldFact[]): void {
    const isFirst = Number.isNaN(this.from);
    super.open(chunk, facts);
    if (!isFirst) return;
    this.#nextPoll = this.#polls.after(this.from - 1);
    this.#nextNews = this.#newsPolls?.after(this.from - 1) ?? Number.POSITIVE_INFINITY;
  }

  override pass(from: number, to: number): number {
    const cursor = this.cursor as TradeCursor;
    const { time: times, price: prices } = this.rows as TradeChunk;
    const { quiet } = this;
    let delivered = from;
    for (let row = from; row < to; row++) {
      const time = times[row] as number;
      if (time > this.#nextPoll || time > this.#nextNews || this.venue.nextArrival < time) {
        delivered = this.#before(cursor, delivered, row, time);
      }
      const price = prices[row] as number;
      if (time >= quiet.until || !(price > quiet.above && price < quiet.below)) {
        cursor.row = row;
        if (!this.print(row)) return row + 1;
        this.#answer(time);
      }
    }
    for (let row = delivered; row < to; row++) {
      cursor.row = row;
      this.#unpolled.push(cursor);
    }
    return to;
  }

  /** What was not polled yet is, once more. */
  override end(): void {
    if (!this.isOver) {
      this.sentAt = this.#nextPoll === Number.POSITIVE_INFINITY ? this.to : this.#nextPoll;
      this.#deliverNews();
      this.#deliverTrades();
      this.sentAt = Number.NaN;
    }
    super.end();
  }

  /** Gaps are told with the trades of a poll. */
  protected override get gapBeforePrint(): number {
    return Number.POSITIVE_INFINITY;
  }

  protected override seeTicker(ticker: Ticker): void {
    this.#ticker = ticker;
  }

  /** Reports wait for a poll: the account has the fills already. */
  protected override takeReports(row: number): void {
    const { reports } = this.venue;
    for (; this.#heldReports < reports.length; this.#heldReports++) {
      const report = reports[this.#heldReports];
      if (report?.kind !== 'filled' && report?.kind !== 'late-fill') continue;
      this.#held = applyFill(this.core.engine.market, this.#held, report.fill);
      this.booked(report.fill, this.position, row);
    }
  }

  /**
   * All that happens before the print of `row`, in order: commands arrive, and what the venue answers is heard of at
   * once and may be followed by the next command; what was recorded besides is learned before the poll that tells of it;
   * news of orders is asked for; trades are, of which those below the row that is returned were delivered.
   */
  #before(cursor: TradeCursor, from: number, row: number, time: number): number {
    const { venue, facts } = this;
    let delivered = from;
    for (;;) {
      const poll = Math.min(this.#nextNews, this.#nextPoll);
      const arrival = venue.nextArrival;
      if (arrival < time && arrival <= poll) {
        while (facts.nextTime <= arrival) this.learn(row);
        this.#advance(row, arrival);
        this.#answer(arrival);
      } else if (poll >= time) {
        return delivered;
      } else if (facts.nextTime <= poll) {
        const due = Math.floor(facts.nextTime);
        this.learn(row);
        this.#answer(due);
      } else if (this.#nextNews === poll) {
        this.#advance(row, poll);
        this.sentAt = poll;
        this.#deliverNews();
        this.sentAt = Number.NaN;
        this.#nextNews = this.#newsPolls?.after(poll) ?? Number.POSITIVE_INFINITY;
      } else {
        this.#poll(cursor, delivered, row);
        delivered = row;
      }
    }
  }

  /** It is `now`, before the print of `row`: what is paid at a time goes by what was held before anything of it. */
  #advance(row: number, now: number): void {
    this.reach(row, now);
    if (this.venue.advanceRows(row, now)) this.takeReports(row);
  }

  /** What the venue answered; what was filled of an order is in the answer to its cancel, given or refused. */
  #answer(at: number): void {
    const { reports } = this.venue;
    const known = this.#waiting;
    this.#waiting = reports.length;
    if (known === reports.length) return;
    const answers = reports.slice(known).filter(isAnswer);
    if (answers.length === 0) return;
    const ended = new Set(answers.filter(isEnd).map(({ intentId }) => intentId));
    const isTold = (report: ExecutionReport) =>
      isAnswer(report) || (report.intentId !== undefined && ended.has(report.intentId));
    const told: ExecutionReport[] = [];
    // What waited already is told with the end of its order only.
    for (const report of reports.splice(ended.size === 0 ? known : 0)) {
      (isTold(report) ? told : reports).push(report);
    }
    this.#waiting = reports.length;
    this.#heldReports = reports.length;
    this.sentAt = at;
    for (const report of told) this.core.report(report);
    this.sentAt = Number.NaN;
  }

  /** A poll before the print of `row`: its answer has the rows from `from` on, and whatever was left before them. */
  #poll(cursor: TradeCursor, from: number, row: number): void {
    const now = this.#nextPoll;
    const gapAhead = this.nextGapTime;
    this.#advance(row, now);
    this.sentAt = now;
    if (this.#newsPolls === undefined) this.#deliverNews();
    this.#deliverTrades();
    for (let at = from; at < row; at++) {
      cursor.row = at;
      this.#deliver(cursor);
    }
    if (now >= this.nextGapTime) this.tellGaps(now);
    // As live: a poll that tells of a gap has not covered everything, and inside of one there is none that succeeds.
    if (this.nextGapTime === gapAhead && !this.isInGap(now)) this.core.input({ kind: 'mark', time: now });
    this.sentAt = Number.NaN;
    this.#nextPoll = this.#polls.after(now);
  }

  /** News of orders, and the newest ticker. */
  #deliverNews(): void {
    const news = this.venue.reports.splice(0);
    this.#heldReports = 0;
    this.#waiting = 0;
    for (const report of news) this.core.report(report);
    if (this.#ticker !== undefined) this.core.input({ kind: 'ticker', ticker: this.#ticker });
    this.#ticker = undefined;
  }

  /** Trades before the open rows. */
  #deliverTrades(): void {
    if (this.#unpolled.count === 0) return;
    const cursor = new TradeCursor(this.#unpolled);
    for (; cursor.row < this.#unpolled.count; cursor.row++) this.#deliver(cursor);
    cursor.close();
    this.#unpolled.clear();
  }

  /** A trade that was polled, and before it the gaps that are over with it. */
  #deliver(cursor: TradeCursor): void {
    if (cursor.time >= this.nextGapTime) this.tellGaps(cursor.time);
    this.core.trade(cursor.at(cursor.row));
  }
}

/** Why an order ended that the venue ended by itself, long after it had answered. */
const LATER_ENDS = new Set(['oco sibling', 'close on trigger', 'position closed', 'liquidation']);

/**
 * What stands in the answer to a command: whether it was taken, and all that an order did that came to take. What
 * becomes of a resting order a session only finds out when it asks.
 */
function isAnswer(report: ExecutionReport): boolean {
  switch (report.kind) {
    case 'accepted':
    case 'rejected':
    case 'cancel-rejected':
      return true;
    case 'filled':
      return report.fill.liquidity === 'taker';
    case 'canceled':
      return !LATER_ENDS.has(report.reason);
    default:
      return false;
  }
}

function isEnd({ kind }: ExecutionReport): boolean {
  return kind === 'canceled' || kind === 'cancel-rejected';
}
