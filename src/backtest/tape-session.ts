import type { Engine } from '../engine/engine.js';
import type { Limits } from '../gate/limits.js';
import type { Approved } from '../model/command.js';
import { InvariantError } from '../model/errors.js';
import type { Fill } from '../model/fill.js';
import type { Position } from '../model/position.js';
import type { Ticker } from '../model/ticker.js';
import type { TradeGap } from '../model/trade.js';
import type { WorldFact } from '../model/world-fact.js';
import { SessionCore, type SessionObserver } from '../session/session-core.js';
import type { TradeChunk } from '../storage/rows/trade-columns.js';
import type { TapeVenue } from '../venue/tape/tape-venue.js';
import { AccountWatch } from './account-watch.js';
import { FactQueue } from './fact-queue.js';
import type { BacktestSession } from './model-run.js';
import type { StretchWatch } from './stretch-watch.js';
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
}

/** So many rows at most are looked through for the next print that somebody has to see: a decision comes sooner. */
const LOOK = 16;

/** Before this time, a print strictly between these two prices needs no more than its handler. */
interface Quiet {
  until: number;
  above: number;
  below: number;
}

const NO_FACTS: readonly WorldFact[] = [];
/** Of rows that are known to pass. */
const NO_BOUNDS: Readonly<Quiet> = {
  until: Number.POSITIVE_INFINITY,
  above: Number.NEGATIVE_INFINITY,
  below: Number.POSITIVE_INFINITY,
};

/**
 * A session over a recording: the same core as every other session, driven by a loop instead of streams. Order of
 * things at a print: what it does at the venue, the reports of that, then the print itself.
 */
export class TapeSession implements BacktestSession {
  readonly core: SessionCore;
  readonly watch: AccountWatch;
  protected readonly venue: TapeVenue;
  protected readonly facts = new FactQueue();
  protected readonly quiet: Quiet = {
    until: Number.NEGATIVE_INFINITY,
    above: Number.NaN,
    below: Number.NaN,
  };
  protected rows: TradeChunk | undefined;
  protected cursor: TradeCursor | undefined;
  /** When something other than a print is being handled: its time, as that of sending. */
  protected sentAt = Number.NaN;
  /** End of the next gap. */
  protected nextGapTime = Number.POSITIVE_INFINITY;
  readonly #onFill: ((fill: Fill) => void) | undefined;
  readonly #gaps: readonly TradeGap[];
  #nextGap = 0;
  #firstTime = Number.NaN;
  #fundings = 0;

  /** `whole`: of an account that has other markets too. */
  constructor(options: TapeSessionOptions, whole?: StretchWatch) {
    const { engine, venue, limits, capital, gaps, allRoundTrips, onFill, observer } = options;
    this.venue = venue;
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
    return this.watch.ruinedAt ?? this.cursor?.time ?? 0;
  }

  /** The account is ruined: nothing more happens in this session. */
  get isOver(): boolean {
    return this.watch.ruinedAt !== undefined;
  }

  /** What is held, with the funding that was received for it. */
  get position(): Position {
    return this.withFunding(this.core.engine.position);
  }

  /** What open positions were valued at by the venue. */
  get mark(): 'recorded' | 'last' | 'mixed' {
    return this.venue.mark;
  }

  /** Where the street's volume ahead of our resting orders came from. */
  get queueAhead(): 'recorded' | 'estimated' {
    return this.venue.queueAhead ?? 'estimated';
  }

  /**
   * The next trades. `facts`: what else is known, ascending by time, up to the last of these trades; each is learned
   * before the first trade with a later time, and funding before the first one of its time, with the mark that it goes by.
   */
  run(chunk: TradeChunk, facts: readonly WorldFact[] = NO_FACTS): void {
    if (chunk.count === 0 || this.isOver) return;
    this.open(chunk, facts);
    this.pass(0, chunk.count);
    this.close(chunk.count);
  }

  /** `run` in steps: trades that come next, at least one; then `pass` and `close`. */
  open(chunk: TradeChunk, facts: readonly WorldFact[]): void {
    if (Number.isNaN(this.#firstTime)) this.#firstTime = chunk.time[0] as number;
    this.facts.add(facts);
    this.setQuietUntil();
    this.cursor ??= new TradeCursor(chunk);
    this.cursor.turn(chunk);
    this.rows = chunk;
    this.venue.openRows(chunk);
    this.watch.openRows(chunk);
  }

  /**
   * The open trades from one row to another. Gives the row after the last one, which is an earlier one where the account is
   * ruined, or where something else comes first.
   */
  pass(from: number, to: number): number {
    const [chunk, cursor] = [this.rows as TradeChunk, this.cursor as TradeCursor];
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
    this.venue.closeRows(this.isOver ? (this.cursor as TradeCursor).row + 1 : count);
    this.watch.closeRows(count);
  }

  /** The tape is over. */
  end(): void {
    this.watch.end();
  }

  /** Something that is no print comes before those of `time`, and is somebody else's to bring about. */
  protected isDueBefore(_time: number): boolean {
    return false;
  }

  /** Something comes before the next print, because of what the newest one did. */
  protected isInterrupted(): boolean {
    return false;
  }

  /**
   * The inner loop. Whether a print does something at the venue or ruins the account is known from its time and price
   * alone, so that prints that do neither are the engine's alone. Gives the row after the last one that happened.
   */
  #slice(chunk: TradeChunk, cursor: TradeCursor, from: number, to: number): number {
    const { time: times, price: prices } = chunk;
    const { core, quiet } = this;
    for (let row = from; row < to; ) {
      const time = times[row] as number;
      const price = prices[row] as number;
      if (time >= quiet.until || !(price > quiet.above && price < quiet.below)) {
        if (this.isDueBefore(time)) return row;
        cursor.row = row;
        if (!this.print(row)) return row + 1;
        if (this.isInterrupted()) return core.trades(cursor, chunk, row, row + 1, quiet);
        // Somebody waits for prints: those that pass him by are found out together.
        if (quiet.above === Number.POSITIVE_INFINITY) {
          row = core.trades(cursor, chunk, row, this.#nextSeen(chunk, row, to), NO_BOUNDS);
          continue;
        }
      }
      row = core.trades(cursor, chunk, row, to, quiet);
    }
    return to;
  }

  /** The first row after this one that does more than to pass, or that was not looked at. */
  #nextSeen(chunk: TradeChunk, row: number, to: number): number {
    const { time: times, price: prices } = chunk;
    const { venue, watch, quiet } = this;
    const end = Math.min(row + LOOK, to);
    let next = row + 1;
    for (; next < end; next++) {
      const price = prices[next] as number;
      if (!((times[next] as number) < quiet.until && price > watch.quietAbove && price < watch.quietBelow))
        break;
      if (!venue.isPassing(next)) break;
    }
    return next;
  }

  /** A print that is not quiet, before its handler. False when the account did not survive it. */
  protected print(row: number): boolean {
    const { venue, watch } = this;
    // Read here: handed over, each would be an object.
    const { time: times, price: prices } = this.rows as TradeChunk;
    const time = times[row] as number;
    const price = prices[row] as number;
    if (
      time < this.quiet.until &&
      price > watch.quietAbove &&
      price < watch.quietBelow &&
      venue.isPassing(row)
    )
      return true;
    while (time > this.facts.nextTime) this.learn(row);
    this.reach(row, time);
    if (venue.printRow(row)) this.takeReports(row);
    if (time >= this.gapBeforePrint) this.tellGaps(time);
    this.hearFunding(row);
    if (!watch.settle(row, time, price)) return false;
    this.putQuiet();
    const { quiet } = this;
    if (watch.quietUntil < quiet.until) quiet.until = watch.quietUntil;
    if (this.gapBeforePrint < quiet.until) quiet.until = this.gapBeforePrint;
    if (this.facts.nextTime < quiet.until) quiet.until = this.facts.nextTime;
    return true;
  }

  /**
   * It is `time`, before the print of `row`: hours and days that are over by then end, each with the funding inside of
   * it. What is paid at the very end of one belongs to the next.
   */
  protected reach(row: number, time: number): void {
    if (this.venue.nextFunding <= time) this.#fund(row, time);
    this.watch.reach(row, time);
  }

  /** Funding that is worked out and due by `until`: after the marks of its millisecond, and before the prints of it. */
  #fund(row: number, until: number): void {
    const { venue, watch, facts } = this;
    for (let due = venue.nextFunding; due <= until; due = venue.nextFunding) {
      while (facts.nextTime <= due) this.learn(row);
      watch.reach(row, due);
      venue.fund(row, due);
      this.hearFunding(row);
    }
  }

  /** The prices of the venue and of the watch, and until when the venue stays quiet. */
  protected putQuiet(): void {
    const { quiet, watch } = this;
    this.venue.putQuiet(quiet);
    // The other way round NaN, which says that the venue has to see the next print, would be lost.
    if (watch.quietAbove > quiet.above) quiet.above = watch.quietAbove;
    if (watch.quietBelow < quiet.below) quiet.below = watch.quietBelow;
  }

  protected setQuietUntil(): void {
    this.quiet.until = Math.min(this.quiet.until, this.facts.nextTime, this.venue.quietUntil);
  }

  /** The next fact, before the print of this row. */
  protected learn(row: number): void {
    const fact = this.facts.take();
    const { venue } = this;
    // What is paid at its own time goes by it: by the mark, or by a recorded rate in place of one that is worked out.
    this.#fund(row, fact.time - 1);
    this.watch.reach(row, fact.time);
    if (venue.learn(fact, row)) this.takeReports(row);
    this.hearFunding(row);
    if (fact.kind === 'market') this.core.engine.turnMarket(venue.market);
    else if (fact.kind === 'ticker') this.seeTicker(fact.ticker, fact.time);
    this.setQuietUntil();
  }

  protected seeTicker(ticker: Ticker, time: number): void {
    this.sentAt = time;
    if (time >= this.nextGapTime) this.tellGaps(time);
    this.#demandOrder(time);
    this.core.input({ kind: 'ticker', ticker });
    this.sentAt = Number.NaN;
  }

  /** What the venue reports, before the print of `row`. */
  protected takeReports(row: number): void {
    const { reports } = this.venue;
    for (let i = 0; i < reports.length; i++) {
      const report = reports[i];
      if (report === undefined) continue;
      // What became of orders inside of a gap is known before its end.
      if (report.time >= this.nextGapTime) this.tellGaps(report.time);
      this.#demandOrder(report.time);
      this.core.report(report);
      if (report.kind === 'filled' || report.kind === 'late-fill') {
        this.booked(report.fill, this.position, row);
      }
    }
    // Setting the length would be a call into the runtime.
    while (reports.length > 0) reports.pop();
  }

  /** A strategy that was told of later things already would act on them in the past. */
  #demandOrder(time: number): void {
    const { now } = this.core.engine;
    if (time < now)
      throw new InvariantError(`what is told after ${now} must not be before it, received ${time}`);
  }

  /** The account has a fill, and with it this position. */
  protected booked(fill: Fill, position: Position, row: number): void {
    this.watch.fill(fill, position, row);
    this.#onFill?.(fill);
  }

  protected withFunding(position: Position): Position {
    const funding = this.venue.fundingReceived;
    return funding === 0n ? position : position.withFunding(funding);
  }

  /** When the next gap is told before a print; later ones are not quiet. */
  protected get gapBeforePrint(): number {
    return this.nextGapTime;
  }

  /** Gaps that are over by `time`. */
  protected tellGaps(time: number): void {
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

  /** Nobody knows what is printed at `time`; the gaps that were over by then are told. */
  protected isInGap(time: number): boolean {
    const gap = this.#gaps[this.#nextGap];
    return gap !== undefined && gap.from < time;
  }

  #setNextGap(): void {
    this.nextGapTime = this.#gaps[this.#nextGap]?.to ?? Number.POSITIVE_INFINITY;
  }

  /** Funding that was paid before the print of `row` is booked. */
  protected hearFunding(row: number): void {
    if (this.venue.fundings === this.#fundings) return;
    this.#fundings = this.venue.fundings;
    this.watch.funding(this.position, row, this.venue.fundingOfOne);
  }

  /** Sent at the time of what is being handled: a print, unless said otherwise. */
  #send(command: Approved): void {
    const { venue, quiet } = this;
    const sentAt = Number.isNaN(this.sentAt) ? (this.cursor as TradeCursor).time : this.sentAt;
    venue.submit(command, sentAt);
    if (venue.nextArrival < quiet.until) quiet.until = venue.nextArrival;
  }
}
