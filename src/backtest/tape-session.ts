import type { Engine } from '../engine/engine.js';
import type { Limits } from '../gate/limits.js';
import type { Approved } from '../model/command.js';
import { InvariantError } from '../model/errors.js';
import type { Fill } from '../model/fill.js';
import type { Money } from '../model/money.js';
import type { Position } from '../model/position.js';
import { MARK_FRESH_MS, type Ticker } from '../model/ticker.js';
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
import { stopPriceOf } from './stop-price.js';

/** Rows of one call of the inner loop: few enough that V8 soon enters the optimised code of the next call. */
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

/** Most rows to look through for the next print that the venue has to see; a decision usually comes sooner. */
const LOOK = 16;

/** While the time is below `until`, a print strictly between the two prices needs only the strategy's handler. */
interface Quiet {
  until: number;
  above: number;
  below: number;
}

const NO_FACTS: readonly WorldFact[] = [];
/** Bounds for rows that are known to fill nothing. */
const NO_BOUNDS: Readonly<Quiet> = {
  until: Number.POSITIVE_INFINITY,
  above: Number.NEGATIVE_INFINITY,
  below: Number.POSITIVE_INFINITY,
};

/**
 * A session over a recording: the core of every session, driven by a loop instead of streams. At each print, first its
 * effect at the venue takes place, then the strategy gets the reports of that, then the print itself.
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
  /** While something other than a print is handled: its time, at which commands count as sent. Otherwise NaN. */
  protected sentAt = Number.NaN;
  /** End of the next gap. */
  protected nextGapTime = Number.POSITIVE_INFINITY;
  readonly #onFill: ((fill: Fill) => void) | undefined;
  readonly #gaps: readonly TradeGap[];
  #nextGap = 0;
  #firstTime = Number.NaN;
  #fundings = 0;
  #fundingHeard: Money = 0n;
  /** Funding that the core was not told of, ascending by time. */
  readonly #untoldFunding: { readonly time: number; readonly received: Money }[] = [];

  /** `whole`: the watch of the whole account, if it has other markets too. */
  constructor(options: TapeSessionOptions, whole?: StretchWatch) {
    const { engine, venue, limits, capital, gaps, allRoundTrips, onFill, observer } = options;
    this.venue = venue;
    this.#gaps = gaps;
    this.#setNextGap();
    this.#onFill = onFill;
    const stopPrice = () => stopPriceOf(engine.workingOrders);
    this.watch = new AccountWatch({
      market: engine.market,
      capital,
      gaps,
      allRoundTrips,
      whole,
      stopPrice,
    });
    this.core = new SessionCore({
      engine,
      limits,
      warmUp: false,
      funds: capital,
      // As at the venue; live, risk is held before.
      markFreshMs: MARK_FRESH_MS,
      liquidationPrice: () => venue.liquidationPrice,
      sink: { send: (command) => this.send(command) },
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

  /** The account is ruined; the session handles nothing more. */
  get isOver(): boolean {
    return this.watch.ruinedAt !== undefined;
  }

  /** The position, with the funding that was received for it. */
  get position(): Position {
    return this.withFunding(this.core.engine.position);
  }

  /** The prices at which the venue valued open positions. */
  get mark(): 'recorded' | 'last' | 'mixed' {
    return this.venue.mark;
  }

  /** The source of the street's volume ahead of our resting orders. */
  get queueAhead(): 'recorded' | 'estimated' {
    return this.venue.queueAhead ?? 'estimated';
  }

  /**
   * Handles the next trades. `facts`: other recorded facts, ascending by time, up to the last of these trades. Each is
   * learned before the first trade with a later time; funding, and the mark that it depends on, before the first trade of
   * its own time.
   */
  run(chunk: TradeChunk, facts: readonly WorldFact[] = NO_FACTS): void {
    if (chunk.count === 0 || this.isOver) return;
    this.open(chunk, facts);
    this.pass(0, chunk.count);
    this.close(chunk.count);
  }

  /** `run` in steps: opens the next trades, at least one. `pass` and `close` follow. */
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
   * Handles the open trades from one row to another. Returns the row after the last one handled. That is before `to` if
   * the account was ruined, or if something else has to happen first.
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

  /** Ends the open trades after this many rows. */
  close(count: number): void {
    this.venue.closeRows(this.isOver ? (this.cursor as TradeCursor).row + 1 : count);
    this.watch.closeRows(count);
  }

  /** The recording is over. */
  end(): void {
    this.watch.end();
  }

  /**
   * Whether something other than a print has to happen before the prints of `time`. Overridden by sessions that share an
   * account.
   */
  protected isDueBefore(_time: number): boolean {
    return false;
  }

  /** Whether something has to happen before the next print because of what the newest one did. */
  protected isInterrupted(): boolean {
    return false;
  }

  /**
   * The inner loop. Time and price of a print alone tell whether it can affect the venue or ruin the account, so all
   * other prints go directly to the engine. Returns the row after the last one handled.
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
        // An order waits as a taker: the prints that cannot fill it are found in one go.
        if (quiet.above === Number.POSITIVE_INFINITY) {
          row = core.trades(cursor, chunk, row, this.#nextSeen(chunk, row, to), NO_BOUNDS);
          continue;
        }
      }
      row = core.trades(cursor, chunk, row, to, quiet);
    }
    return to;
  }

  /** The first row after this one that may have an effect at the venue, or that was not looked at. */
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

  /** The effect of a print at the venue, before its handler runs. False when it ruined the account. */
  protected print(row: number): boolean {
    const { venue, watch } = this;
    // Read from the columns here, because V8 would box these doubles as arguments.
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
    if (venue.fundings !== this.#fundings) this.hearFunding(row, time);
    if (!watch.settle(row, time, price)) return false;
    this.putQuiet();
    const { quiet } = this;
    if (watch.quietUntil < quiet.until) quiet.until = watch.quietUntil;
    if (this.gapBeforePrint < quiet.until) quiet.until = this.gapBeforePrint;
    if (this.facts.nextTime < quiet.until) quiet.until = this.facts.nextTime;
    return true;
  }

  /**
   * The time is `time`, before the print of `row`. Ends the hours and days that are over by then, each with its funding.
   * Funding at the very end of a period belongs to the next one.
   */
  protected reach(row: number, time: number): void {
    if (this.venue.nextFunding <= time) this.#fund(row, time);
    this.watch.reach(row, time);
  }

  /** Pays the computed funding that is due by `until`: after the marks of its millisecond, before its prints. */
  #fund(row: number, until: number): void {
    const { venue, watch, facts } = this;
    for (let due = venue.nextFunding; due <= until; due = venue.nextFunding) {
      while (facts.nextTime <= due) this.learn(row);
      watch.reach(row, due);
      venue.fund(row, due);
      this.hearFunding(row, due);
    }
  }

  /** Sets the price bounds: the narrower of those of the venue and of the watch. */
  protected putQuiet(): void {
    const { quiet, watch } = this;
    this.venue.putQuiet(quiet);
    // Compared in this direction so that NaN survives, by which the venue asks to see the next print.
    if (watch.quietAbove > quiet.above) quiet.above = watch.quietAbove;
    if (watch.quietBelow < quiet.below) quiet.below = watch.quietBelow;
  }

  protected setQuietUntil(): void {
    this.quiet.until = Math.min(this.quiet.until, this.facts.nextTime, this.venue.quietUntil);
  }

  /** Learns the next fact, before the print of this row. */
  protected learn(row: number): void {
    const fact = this.facts.take();
    const { venue } = this;
    // Funding due before this fact is paid first. Funding of the fact's own time depends on it: on its mark, or on a
    // recorded rate that replaces the computed one.
    this.#fund(row, fact.time - 1);
    this.watch.reach(row, fact.time);
    if (venue.learn(fact, row)) this.takeReports(row);
    this.hearFunding(row, fact.time);
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

  /** Passes on the reports of the venue, before the print of `row`. */
  protected takeReports(row: number): void {
    const { reports } = this.venue;
    for (let i = 0; i < reports.length; i++) {
      const report = reports[i];
      if (report === undefined) continue;
      // What happened to orders inside a gap is reported before the gap's end.
      if (report.time >= this.nextGapTime) this.tellGaps(report.time);
      this.#demandOrder(report.time);
      this.tellFunding(report.time);
      this.core.report(report);
      if (report.kind === 'filled' || report.kind === 'late-fill') {
        // On a tape, only a liquidation fills without an intent.
        if (report.kind === 'late-fill') this.watch.liquidated(report.fill, this.venue.market);
        this.booked(report.fill, this.position, row);
      }
    }
    // Cheaper than setting the length to 0, which calls into the runtime.
    while (reports.length > 0) reports.pop();
    this.tellFunding(Number.POSITIVE_INFINITY);
  }

  /** Reports must not go back in time: the strategy would act in the past on what it learned later. */
  #demandOrder(time: number): void {
    const { now } = this.core.engine;
    if (time < now)
      throw new InvariantError(`what is told after ${now} must not be before it, received ${time}`);
  }

  /** The account has a fill, which led to this position. */
  protected booked(fill: Fill, position: Position, row: number): void {
    this.watch.fill(fill, position, row);
    this.#onFill?.(fill);
  }

  /** The position with all funding so far, of which it may have some already. */
  protected withFunding(position: Position): Position {
    const { fundingReceived } = this.venue;
    return fundingReceived === position.funding
      ? position
      : position.withFunding(fundingReceived - position.funding);
  }

  /** From this time on, a gap is reported before the next print, so prints are not quiet. */
  protected get gapBeforePrint(): number {
    return this.nextGapTime;
  }

  /** Reports the gaps that are over by `time`. */
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

  /** Whether `time` lies within a gap. Gaps that are over must have been reported. */
  protected isInGap(time: number): boolean {
    const gap = this.#gaps[this.#nextGap];
    return gap !== undefined && gap.from < time;
  }

  #setNextGap(): void {
    this.nextGapTime = this.#gaps[this.#nextGap]?.to ?? Number.POSITIVE_INFINITY;
  }

  /** Books the funding that was paid at `time`, before the print of `row`. */
  protected hearFunding(row: number, time: number): void {
    const { venue } = this;
    if (venue.fundings === this.#fundings) return;
    this.#fundings = venue.fundings;
    this.#untoldFunding.push({ time, received: venue.fundingReceived - this.#fundingHeard });
    this.#fundingHeard = venue.fundingReceived;
    this.watch.funding(this.position, row, venue.fundingOfOne);
    if (this.isToldAll) this.tellFunding(Number.POSITIVE_INFINITY);
  }

  /** The core knows of all fills so far, so it may be told of what follows them. */
  protected get isToldAll(): boolean {
    return this.venue.reports.length === 0;
  }

  /** Tells the core of the funding up to and including `until`: before the reports of its time, after those before it. */
  protected tellFunding(until: number): void {
    const untold = this.#untoldFunding;
    for (let next = untold[0]; next !== undefined && next.time <= until; next = untold[0]) {
      untold.shift();
      this.core.funding(next.received, next.time);
    }
  }

  /** Sends a command at the time of the print that is handled, or at `sentAt` if that is set. */
  protected send(command: Approved): void {
    const { venue, quiet } = this;
    const sentAt = Number.isNaN(this.sentAt) ? (this.cursor as TradeCursor).time : this.sentAt;
    venue.submit(command, sentAt);
    if (venue.nextArrival < quiet.until) quiet.until = venue.nextArrival;
  }
}
