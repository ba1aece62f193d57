import type { Approved } from '../model/command.js';
import type { IntentId } from '../model/order.js';
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
   * The strategy gets what polls at these times would have returned: trades in batches, and with them reports and the
   * ticker. It also sends at these times. Absent: it gets everything as it happens.
   */
  readonly polls?: PollSchedule | undefined;
  /** When reports of orders are polled, if not together with the trades. */
  readonly newsPolls?: PollSchedule | undefined;
}

/** A session over a recording; polled if there is a schedule. */
export function tapeSession({
  polls,
  newsPolls,
  ...options
}: TapeSessionOptions & SessionPolls): TapeSession {
  return polls === undefined ? new TapeSession(options) : new PolledSession(options, polls, newsPolls);
}

/**
 * A session that learns of events by polling. At the venue prints happen one by one. A poll returns the reports since the
 * last one, the trades since then, and either the gaps between them or a mark that they are complete. The answer to a
 * command does not wait for a poll.
 */
class PolledSession extends TapeSession {
  readonly #polls: PollSchedule;
  readonly #newsPolls: PollSchedule | undefined;
  #nextPoll = Number.POSITIVE_INFINITY;
  #nextNews = Number.POSITIVE_INFINITY;
  /** Trades since the last poll, from earlier chunks. */
  readonly #unpolled = new TradeColumns(0);
  /** The account's position, which the engine does not know yet, and the number of reports that it includes. */
  #held: Position = FLAT;
  #heldReports = 0;
  /** Number of reports that wait for a poll because they answer no command. With rare polls there may be very many. */
  #waiting = 0;
  #ticker: Ticker | undefined;
  /** Orders with a trigger: those that were sent, and of them those whose acceptance was answered. */
  readonly #sentStops = new Set<IntentId>();
  readonly #stops = new Set<IntentId>();

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

  /** Delivers what was not polled yet by one more poll. */
  override end(): void {
    if (!this.isOver) {
      this.sentAt = this.#nextPoll === Number.POSITIVE_INFINITY ? this.to : this.#nextPoll;
      this.#deliverNews();
      this.#deliverTrades();
      this.sentAt = Number.NaN;
    }
    super.end();
  }

  protected override send(command: Approved): void {
    if (command.kind === 'place' && command.terms.trigger !== undefined)
      this.#sentStops.add(command.intentId);
    super.send(command);
  }

  /** Gaps are reported with the trades of a poll. */
  protected override get gapBeforePrint(): number {
    return Number.POSITIVE_INFINITY;
  }

  /** What came before a payment may wait for a poll, which tells of both. */
  protected override get isToldAll(): boolean {
    return false;
  }

  protected override seeTicker(ticker: Ticker): void {
    this.#ticker = ticker;
  }

  /** Reports wait for a poll, but the account has the fills already. */
  protected override takeReports(row: number): void {
    const { reports } = this.venue;
    for (; this.#heldReports < reports.length; this.#heldReports++) {
      const report = reports[this.#heldReports];
      if (report?.kind !== 'filled' && report?.kind !== 'late-fill') continue;
      if (report.kind === 'late-fill') this.watch.liquidated(report.fill, this.venue.market);
      this.#held = applyFill(this.core.engine.market, this.#held, report.fill);
      this.booked(report.fill, this.position, row);
    }
  }

  /**
   * Everything that happens before the print of `row`, in order: commands arrive, and their answers are delivered at
   * once, which may lead to further commands; facts are learned before the poll that returns them; reports are polled;
   * trades are polled. Returns the first row that was not delivered yet.
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

  /** The time is `now`, before the print of `row`. Funding of a time is paid on the position from before it. */
  #advance(row: number, now: number): void {
    this.reach(row, now);
    if (this.venue.advanceRows(row, now)) this.takeReports(row);
  }

  /** Delivers the answers of the venue. The answer to a cancel, accepted or refused, includes the order's fills. */
  #answer(at: number): void {
    const { reports } = this.venue;
    const known = this.#waiting;
    this.#waiting = reports.length;
    if (known === reports.length) return;
    const answers = reports.slice(known).filter((report) => this.#isAnswer(report));
    if (answers.length === 0) return;
    const ended = new Set(answers.filter(isEnd).map(({ intentId }) => intentId));
    const isTold = (report: ExecutionReport) =>
      this.#isAnswer(report) || (report.intentId !== undefined && ended.has(report.intentId));
    const told: ExecutionReport[] = [];
    // Reports that waited already are delivered only with the end of their order.
    for (const report of reports.splice(ended.size === 0 ? known : 0)) {
      (isTold(report) ? told : reports).push(report);
    }
    this.#waiting = reports.length;
    this.#heldReports = reports.length;
    this.#noteStops(told);
    this.sentAt = at;
    for (const report of told) this.#tell(report);
    this.sentAt = Number.NaN;
  }

  /** Like `isAnswer`, but what becomes of a stop after its acceptance answers no command, unless it is a cancel. */
  #isAnswer(report: ExecutionReport): boolean {
    if (!isAnswer(report)) return false;
    if (report.intentId === undefined || !this.#stops.has(report.intentId)) return true;
    return report.kind === 'canceled' ? report.reason === 'requested' : report.kind !== 'filled';
  }

  #noteStops(told: readonly ExecutionReport[]): void {
    if (this.#sentStops.size === 0) return;
    for (const { kind, intentId } of told) {
      if (intentId === undefined || !this.#sentStops.delete(intentId)) continue;
      if (kind === 'accepted') this.#stops.add(intentId);
    }
  }

  /** A poll before the print of `row`. It returns the rows from `from` on, and trades left over from earlier chunks. */
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
    // As in a live session: a poll that reports a gap has not covered everything, and no poll inside a gap succeeds.
    if (this.nextGapTime === gapAhead && !this.isInGap(now)) this.core.input({ kind: 'mark', time: now });
    this.sentAt = Number.NaN;
    this.#nextPoll = this.#polls.after(now);
  }

  /** Delivers the waiting reports, with the funding between them, and the newest ticker. */
  #deliverNews(): void {
    const news = this.venue.reports.splice(0);
    this.#heldReports = 0;
    this.#waiting = 0;
    for (const report of news) this.#tell(report);
    this.tellFunding(Number.POSITIVE_INFINITY);
    if (this.#ticker !== undefined) this.core.input({ kind: 'ticker', ticker: this.#ticker });
    this.#ticker = undefined;
  }

  #tell(report: ExecutionReport): void {
    this.tellFunding(report.time);
    this.core.report(report);
  }

  /** Delivers trades from before the open rows. */
  #deliverTrades(): void {
    if (this.#unpolled.count === 0) return;
    const cursor = new TradeCursor(this.#unpolled);
    for (; cursor.row < this.#unpolled.count; cursor.row++) this.#deliver(cursor);
    cursor.close();
    this.#unpolled.clear();
  }

  /** Delivers a polled trade, after the gaps that end before it. */
  #deliver(cursor: TradeCursor): void {
    if (cursor.time >= this.nextGapTime) this.tellGaps(cursor.time);
    this.core.trade(cursor.at(cursor.row));
  }
}

/** Reasons for which the venue itself ends an order, long after its answer. */
const LATER_ENDS = new Set(['oco sibling', 'close on trigger', 'position closed', 'liquidation']);

/**
 * Whether a report is part of the answer to a command: whether it was accepted, and all executions of an order that took
 * at once. The later fate of a resting order is learned by polling only.
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
