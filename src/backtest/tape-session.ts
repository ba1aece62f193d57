import type { Engine } from '../engine/engine.js';
import type { Limits } from '../gate/limits.js';
import type { Approved } from '../model/command.js';
import type { Fill } from '../model/fill.js';
import { applyFill, FLAT, type Position } from '../model/position.js';
import type { ExecutionReport } from '../model/report.js';
import type { Ticker } from '../model/ticker.js';
import type { TradeGap } from '../model/trade.js';
import type { WorldFact } from '../model/world-fact.js';
import { SessionCore, type SessionObserver } from '../session/session-core.js';
import { type TradeChunk, TradeColumns } from '../storage/trade-columns.js';
import type { TapeVenue } from '../venue/tape/tape-venue.js';
import { AccountWatch, type StretchWatch } from './account-watch.js';
import { FactQueue } from './fact-queue.js';
import type { BacktestSession } from './model-run.js';
import type { PollSchedule } from './poll-schedule.js';
import { TradeCursor } from './trade-cursor.js';

/** Rows handled in one call of the inner loop: short enough for V8 to enter optimised code afresh each time. */
const SLICE = 16_384;

export interface TapeSessionOptions {
  readonly engine: Engine;
  readonly venue: TapeVenue;
  readonly limits: Limits;
  /** Quote units. */
  readonly capital: number;
  /** Gaps of the recording, ascending. */
  readonly gaps: readonly TradeGap[];
  readonly allRoundTrips?: boolean | undefined;
  readonly onFill?: (fill: Fill) => void;
  readonly observer?: SessionObserver;
  /**
   * The strategy sees what it would have polled: trades in batches, and with them the news of its orders and the
   * ticker, at these times, at which it also sends. Absent: everything as it happens.
   */
  readonly polls?: PollSchedule | undefined;
  /** When it asks what became of its orders, where that is not with the trades. */
  readonly newsPolls?: PollSchedule | undefined;
  /** Of an account that has other markets too. */
  readonly whole?: StretchWatch | undefined;
}

const NO_FACTS: readonly WorldFact[] = [];

/**
 * A session over a recording: the same core as every other session, driven by a loop instead of streams. Order of
 * things at a print: what it does at the venue, the reports of that, then the print itself. At a poll: what happened to
 * the orders since the last one, the trades since then with the gaps between them, and that they are all. The answer to a
 * command waits for no poll.
 */
export class TapeSession implements BacktestSession {
  readonly core: SessionCore;
  readonly watch: AccountWatch;
  readonly #venue: TapeVenue;
  readonly #onFill: ((fill: Fill) => void) | undefined;
  readonly #gaps: readonly TradeGap[];
  #nextGap = 0;
  /** End of the next gap: it is told before the print at which it is over, or with the trades of a poll. */
  #nextGapTime = Number.POSITIVE_INFINITY;
  #nextPolledGap = Number.POSITIVE_INFINITY;
  #cursor: TradeCursor | undefined;
  #rows: TradeChunk | undefined;
  #firstTime = Number.NaN;
  /** Until this time only a print at or beyond these two prices needs more than its handler; see `#slice`. */
  readonly #quiet = { until: Number.NEGATIVE_INFINITY, above: Number.NaN, below: Number.NaN };
  readonly #facts = new FactQueue();
  /** When something other than a print is being handled: its time, as that of sending. */
  #sentAt = Number.NaN;
  readonly #polls: PollSchedule | undefined;
  readonly #newsPolls: PollSchedule | undefined;
  #nextPoll = Number.POSITIVE_INFINITY;
  #nextNews = Number.POSITIVE_INFINITY;
  /** Trades that came after the last poll, of chunks that are gone. */
  readonly #unpolled = new TradeColumns(0);
  /** With a schedule: what is held, while the engine does not know yet, and how many reports it is made of. */
  #held: Position = FLAT;
  #heldReports = 0;
  #fundings = 0;
  /** The account has other markets. */
  readonly #isShared: boolean;
  /** Something else comes before the next print, because of what the newest one did. */
  #isInterrupted: (() => boolean) | undefined;
  #ticker: Ticker | undefined;

  constructor(options: TapeSessionOptions) {
    const { engine, venue, limits, capital, gaps, allRoundTrips, whole } = options;
    const { onFill, observer, polls, newsPolls } = options;
    this.#isShared = whole !== undefined;
    this.#polls = polls;
    this.#newsPolls = polls === undefined ? undefined : newsPolls;
    this.#venue = venue;
    this.#gaps = gaps;
    this.#setNextGap();
    this.#onFill = onFill;
    this.watch = new AccountWatch({ market: engine.market, capital, gaps, allRoundTrips, whole });
    this.core = new SessionCore({
      engine,
      limits,
      warmUp: false,
      funds: capital,
      sink: { send: (command) => this.#send(command) },
      ...(observer === undefined ? {} : { observer }),
    });
  }

  /** Times of the first and the last print; NaN before the first. */
  get from(): number {
    return this.#firstTime;
  }

  get to(): number {
    const { ruinedAt, lastTime } = this.watch;
    // With other markets the cursor may be at a print that never happened.
    return ruinedAt ?? (this.#isShared ? lastTime : this.#cursor?.time) ?? 0;
  }

  /** The account is ruined: nothing more happens in this session. */
  get isOver(): boolean {
    return this.watch.ruinedAt !== undefined;
  }

  /** What is held, with the funding that was received for it. */
  get position(): Position {
    return this.#withFunding(this.#polls === undefined ? this.core.engine.position : this.#held);
  }

  /** What open positions were valued at by the venue. */
  get mark(): 'recorded' | 'last' | 'mixed' {
    return this.#venue.mark;
  }

  /** Where the street's volume ahead of our resting orders came from. */
  get queueAhead(): 'recorded' | 'estimated' {
    return this.#venue.queueAhead ?? 'estimated';
  }

  /**
   * The next trades. `facts`: what else is known, ascending by time, up to the last of these trades; each is learned
   * before the first trade with a later time, and funding before the first one of its time.
   */
  run(chunk: TradeChunk, facts: readonly WorldFact[] = NO_FACTS): void {
    if (chunk.count === 0 || this.isOver) return;
    const cursor = this.open(chunk, facts);
    if (this.#polls === undefined) this.pass(0, chunk.count);
    else this.#polled(chunk, cursor);
    this.close(chunk.count);
  }

  /** `run` in steps, where the account has other markets: trades that come next, at least one; then `pass` and `close`. */
  open(chunk: TradeChunk, facts: readonly WorldFact[]): TradeCursor {
    if (Number.isNaN(this.#firstTime)) {
      this.#firstTime = chunk.time[0] as number;
      if (this.#polls !== undefined) this.#nextPoll = this.#polls.after(this.#firstTime - 1);
      if (this.#newsPolls !== undefined) this.#nextNews = this.#newsPolls.after(this.#firstTime - 1);
    }
    this.#facts.add(facts);
    this.#setQuietUntil();
    this.#cursor ??= new TradeCursor(chunk);
    this.#cursor.turn(chunk);
    this.#rows = chunk;
    this.#venue.openRows(chunk);
    this.watch.openRows(chunk);
    return this.#cursor;
  }

  /**
   * The open trades from one row to another. Gives the row after the last one, which is an earlier one where the account is
   * ruined, when something else is due, or where `isInterrupted` says so after a print that did something.
   */
  pass(from: number, to: number, isInterrupted?: () => boolean): number {
    const [chunk, cursor] = [this.#rows as TradeChunk, this.#cursor as TradeCursor];
    this.#isInterrupted = isInterrupted;
    let row = from;
    while (row < to && !this.isOver) {
      const end = Math.min(row + SLICE, to);
      const reached = this.#slice(chunk, cursor, row, end);
      if (reached < end) return reached;
      row = end;
    }
    return row;
  }

  /** The open trades end after so many rows. */
  close(count: number): void {
    this.#venue.closeRows(this.isOver ? (this.#cursor as TradeCursor).row + 1 : count);
    this.watch.closeRows(count);
  }

  /**
   * When the next thing happens that is no print, ms: `happen` is to be called before the first print, of any market of
   * the account, that has a later time. Infinity without any.
   */
  get nextDue(): number {
    return Math.min(this.#facts.nextTime, this.#venue.nextOccurrence);
  }

  /** What is due next, before the print of `row`, which is when the strategy hears of what became of its orders. */
  happen(row: number): void {
    (this.#cursor as TradeCursor).row = row;
    this.#venue.renewMargin();
    const { nextOccurrence } = this.#venue;
    if (this.#facts.nextTime <= nextOccurrence) this.#learn(row);
    else this.#venue.occur(row, nextOccurrence);
    this.#quiet.until = Number.NEGATIVE_INFINITY;
  }

  /** When something is due after the last print of all, ms: a liquidation goes on, with `expire`. Infinity without any. */
  get lastDue(): number {
    return this.#venue.forcedDeadline;
  }

  expire(): void {
    this.#venue.expire(this.#venue.forcedDeadline);
  }

  /** The account's other markets have moved, and come to this much, quote units. */
  resume(elsewhere: number): void {
    this.watch.standBeside(elsewhere);
    this.#venue.renewMargin();
    if (this.#venue.reports.length > 0) this.#quiet.until = Number.NEGATIVE_INFINITY;
    this.#setQuietPrices();
  }

  /** How often the venue took something on any market of the account. */
  get seizures(): number {
    return this.#venue.seizures;
  }

  /** Whether the account's other markets have cost this session its orders or its position since this was last asked. */
  takeSeizure(): boolean {
    return this.#venue.takeSeizure();
  }

  /** Before the print of `row`, or after the last one: whatever happened is heard of now, at `time`. */
  hear(row: number, time: number): void {
    this.#sentAt = time;
    if (this.#venue.squareReports()) this.#reports(row);
    this.#sentAt = Number.NaN;
  }

  /** Rows above `row` were given: what the account is worth by them is known to its other markets. */
  pause(row: number): void {
    this.#venue.passRows(row);
    this.watch.pause(row);
  }

  /** The tape is over: what was not polled yet is, once more. */
  end(): void {
    if (this.#polls !== undefined && !this.isOver) {
      this.#sentAt = this.#nextPoll === Number.POSITIVE_INFINITY ? this.to : this.#nextPoll;
      this.#deliverNews();
      this.#deliverTrades();
      this.#sentAt = Number.NaN;
    }
    this.watch.end();
  }

  /**
   * The inner loop. Whether a print does something at the venue or ruins the account is known from its time and price
   * alone, so that prints that do neither are the engine's alone. Gives the row after the last one that happened.
   */
  #slice(chunk: TradeChunk, cursor: TradeCursor, from: number, to: number): number {
    const { time: times, price: prices } = chunk;
    const { core } = this;
    const quiet = this.#quiet;
    for (let row = from; row < to; ) {
      const time = times[row] as number;
      const price = prices[row] as number;
      if (time >= quiet.until || !(price > quiet.above && price < quiet.below)) {
        // With other markets what is due comes by `happen`, in the order of all of them.
        if (this.#isShared && this.nextDue < time) return row;
        cursor.row = row;
        if (!this.#print(row, time, price)) return row + 1;
        if (this.#isInterrupted?.() === true) {
          return core.trades(cursor, chunk, row, row + 1, quiet);
        }
      }
      row = core.trades(cursor, chunk, row, to, quiet);
    }
    return to;
  }

  /** A print that is not quiet, before its handler. False when the account did not survive it. */
  #print(row: number, time: number, price: number): boolean {
    const { watch } = this;
    const venue = this.#venue;
    if (
      time < this.#quiet.until &&
      price > watch.quietAbove &&
      price < watch.quietBelow &&
      venue.isPassing(row, time, price)
    )
      return true;
    watch.reach(row, time);
    if (time >= this.#nextGapTime) this.#gap(time);
    while (time > this.#facts.nextTime) this.#learn(row);
    if (venue.printRow(row)) this.#reports(row);
    if (venue.fundings !== this.#fundings) this.#funded(row);
    if (!watch.settle(row, time, price)) return false;
    const { quietUntil } = venue;
    let until = quietUntil < watch.quietUntil ? quietUntil : watch.quietUntil;
    if (this.#nextGapTime < until) until = this.#nextGapTime;
    this.#quiet.until = this.#facts.nextTime < until ? this.#facts.nextTime : until;
    this.#setQuietPrices();
    return true;
  }

  #setQuietPrices(): void {
    const { watch } = this;
    const { quietAbove, quietBelow } = this.#venue;
    // The other way round NaN, which says that the venue has to see the next print, would be lost.
    this.#quiet.above = watch.quietAbove > quietAbove ? watch.quietAbove : quietAbove;
    this.#quiet.below = watch.quietBelow < quietBelow ? watch.quietBelow : quietBelow;
  }

  #setQuietUntil(): void {
    this.#quiet.until = Math.min(this.#quiet.until, this.#facts.nextTime, this.#venue.quietUntil);
  }

  /** Trades reach the strategy in the batches of its polls; at the venue they happen one by one. */
  #polled(chunk: TradeChunk, cursor: TradeCursor): void {
    const { time: times, price: prices, count } = chunk;
    let delivered = 0;
    for (let row = 0; row < count; row++) {
      const time = times[row] as number;
      if (time > this.#nextPoll || time > this.#nextNews || this.#venue.nextArrival < time) {
        delivered = this.#before(cursor, delivered, row, time);
      }
      const price = prices[row] as number;
      if (time >= this.#quiet.until || !(price > this.#quiet.above && price < this.#quiet.below)) {
        cursor.row = row;
        if (!this.#print(row, time, price)) return;
        this.#answer(time);
      }
    }
    for (let row = delivered; row < count; row++) {
      cursor.row = row;
      this.#unpolled.push(cursor);
    }
  }

  /**
   * All that happens before the print of `row`, in order: commands arrive, and what the venue answers is heard of at
   * once and may be followed by the next command; what was recorded besides is learned before the poll that tells of it;
   * news of orders is asked for; trades are, of which those below the row that is returned were delivered.
   */
  #before(cursor: TradeCursor, from: number, row: number, time: number): number {
    const venue = this.#venue;
    let delivered = from;
    for (;;) {
      const poll = Math.min(this.#nextNews, this.#nextPoll);
      const arrival = venue.nextArrival;
      if (arrival < time && arrival <= poll) {
        this.watch.reach(row, time);
        while (this.#facts.nextTime <= arrival) this.#learn(row);
        venue.advanceRows(row, arrival);
        this.#reports(row);
        this.#answer(arrival);
      } else if (poll >= time) {
        return delivered;
      } else if (this.#facts.nextTime <= poll) {
        const due = Math.floor(this.#facts.nextTime);
        this.watch.reach(row, time);
        this.#learn(row);
        this.#answer(due);
      } else if (this.#nextNews === poll) {
        if (venue.advanceRows(row, poll)) this.#reports(row);
        this.#sentAt = poll;
        this.#deliverNews();
        this.#sentAt = Number.NaN;
        this.#nextNews = this.#newsPolls?.after(poll) ?? Number.POSITIVE_INFINITY;
      } else {
        this.#poll(cursor, delivered, row);
        delivered = row;
      }
    }
  }

  /** What the venue answered; what was filled of an order is in the answer to its cancel, given or refused. */
  #answer(at: number): void {
    const { reports } = this.#venue;
    const answers = reports.filter((report) => isAnswer(report));
    if (answers.length === 0) return;
    const ended = new Set(answers.map((report) => (isEnd(report) ? report.intentId : undefined)));
    const isTold = (report: ExecutionReport) =>
      isAnswer(report) || (report.intentId !== undefined && ended.has(report.intentId));
    const told = reports.filter(isTold);
    const left = reports.filter((report) => !isTold(report));
    reports.splice(0, reports.length, ...left);
    this.#heldReports = left.length;
    this.#sentAt = at;
    for (const report of told) this.core.report(report);
    this.#sentAt = Number.NaN;
  }

  /** A poll before the print of `row`: its answer has the rows from `from` on, and whatever was left before them. */
  #poll(cursor: TradeCursor, from: number, row: number): void {
    const now = this.#nextPoll;
    if (this.#venue.advanceRows(row, now)) this.#reports(row);
    this.#sentAt = now;
    if (this.#newsPolls === undefined) this.#deliverNews();
    this.#deliverTrades();
    for (let at = from; at < row; at++) {
      cursor.row = at;
      this.#deliver(cursor);
    }
    if (now >= this.#nextPolledGap) this.#gap(now);
    this.core.input({ kind: 'mark', time: now });
    this.#sentAt = Number.NaN;
    this.#nextPoll = (this.#polls as PollSchedule).after(now);
  }

  /** News of orders, and the newest ticker. */
  #deliverNews(): void {
    const { reports } = this.#venue;
    const news = reports.splice(0);
    this.#heldReports = 0;
    for (const report of news) this.core.report(report);
    if (this.#ticker !== undefined) this.core.input({ kind: 'ticker', ticker: this.#ticker });
    this.#ticker = undefined;
  }

  /** Trades before the open rows. */
  #deliverTrades(): void {
    if (this.#unpolled.count === 0) return;
    const cursor = new TradeCursor(this.#unpolled);
    for (; cursor.row < this.#unpolled.count; cursor.row++) this.#deliver(cursor);
    this.#unpolled.clear();
  }

  /** A trade that was polled, and before it the gaps that are over with it. */
  #deliver(cursor: TradeCursor): void {
    if (cursor.time >= this.#nextPolledGap) this.#gap(cursor.time);
    this.core.trade(cursor);
  }

  /** The next fact, before the print of this row. */
  #learn(row: number): void {
    const fact = this.#facts.take();
    const venue = this.#venue;
    if (venue.learn(fact, row)) this.#reports(row);
    if (venue.fundings !== this.#fundings) this.#funded(row);
    if (fact.kind === 'market') this.core.engine.turnMarket(venue.market);
    else if (fact.kind === 'ticker' && this.#polls !== undefined) this.#ticker = fact.ticker;
    else if (fact.kind === 'ticker') {
      this.#sentAt = fact.time;
      this.core.input({ kind: 'ticker', ticker: fact.ticker });
      this.#sentAt = Number.NaN;
    }
    this.#setQuietUntil();
  }

  #funded(row: number): void {
    this.#fundings = this.#venue.fundings;
    this.watch.funding(this.position, row);
  }

  /** Sent at the time of what is being handled: a print, unless said otherwise. */
  #send(command: Approved): void {
    const venue = this.#venue;
    const sentAt = Number.isNaN(this.#sentAt) ? (this.#cursor as TradeCursor).time : this.#sentAt;
    venue.submit(command, sentAt);
    if (venue.quietUntil < this.#quiet.until) this.#quiet.until = venue.quietUntil;
  }

  #reports(row: number): void {
    const { reports } = this.#venue;
    if (this.#polls !== undefined) {
      this.#hold(reports, row);
      return;
    }
    for (let i = 0; i < reports.length; i++) {
      const report = reports[i];
      if (report === undefined) continue;
      this.core.report(report);
      if (report.kind !== 'filled' && report.kind !== 'late-fill') continue;
      this.watch.fill(report.fill, this.position, row);
      this.#onFill?.(report.fill);
    }
    // Setting the length would be a call into the runtime.
    while (reports.length > 0) reports.pop();
  }

  /** Reports that wait for a poll: the account has the fills already. */
  #hold(reports: readonly ExecutionReport[], row: number): void {
    for (; this.#heldReports < reports.length; this.#heldReports++) {
      const report = reports[this.#heldReports];
      if (report?.kind !== 'filled' && report?.kind !== 'late-fill') continue;
      this.#held = applyFill(this.core.engine.market, this.#held, report.fill);
      this.watch.fill(report.fill, this.#withFunding(this.#held), row);
      this.#onFill?.(report.fill);
    }
  }

  #withFunding(position: Position): Position {
    const funding = this.#venue.fundingReceived;
    return funding === 0n ? position : position.withFunding(funding);
  }

  #gap(time: number): void {
    for (
      let gap = this.#gaps[this.#nextGap];
      gap !== undefined && gap.to <= time;
      gap = this.#gaps[this.#nextGap]
    ) {
      this.core.input({ kind: 'gap', gap });
      this.#nextGap++;
    }
    this.#setNextGap();
  }

  #setNextGap(): void {
    const end = this.#gaps[this.#nextGap]?.to ?? Number.POSITIVE_INFINITY;
    if (this.#polls === undefined) this.#nextGapTime = end;
    else this.#nextPolledGap = end;
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
