import type { Command } from '../model/command.js';
import type { EngineEvent, PositionSnapshot } from '../model/event.js';
import { numberOf } from '../model/grid.js';
import { demandPerpetual, type Market } from '../model/market.js';
import type { Money } from '../model/money.js';
import type { Position } from '../model/position.js';
import { seededRandom } from '../model/random.js';
import type { ExecutionReport } from '../model/report.js';
import type { Trade, TradeGap } from '../model/trade.js';
import type { TimerView, WorkingOrder } from '../strategy/context.js';
import type { Answer } from '../strategy/definition.js';
import { EventTimeScheduler, SCHEDULER_TIMER } from '../strategy/event-time-scheduler.js';
import type { BoundHandlers, BoundStrategy } from '../strategy/instance.js';
import { checkTimer } from '../strategy/check-timer.js';
import { mistake } from '../strategy/mistake.js';
import { BarBuilder, type BarRows, type RecordedBar } from './bar-builder.js';
import { type Decision, NOTHING } from './decision.js';
import { EventTimers } from './event-timers.js';
import { type OnDoubt, OrderDesk, type WantCounts } from './order-desk.js';
import type { BareExposure } from './protection-clock.js';
import type { StandingWant } from './standing-want.js';
import type { BareUse, OutBy } from './stop-desk.js';
import { fillView, orderView, positionView, strategyContext } from './strategy-view.js';

export interface EngineOptions {
  readonly strategy: BoundStrategy;
  readonly market: Market;
  /** Seeds `context.random`. */
  readonly seed: string;
  /** Commands are muted until a `live` event: the session starts by replaying recent data. */
  readonly warmUp: boolean;
  /** What to do with working quotes while not every order is permitted. Default `cancel`. */
  readonly onDoubt?: OnDoubt | undefined;
  /** Where the positions for `onPosition` come from. Default `told`. */
  readonly positions?: PositionSource | undefined;
}

/**
 * `told`: from the venue, at each poll. `own`, where positions are not polled: the sum of own fills, after each `onFill`.
 */
export type PositionSource = 'told' | 'own';

/** Shows rows of columns as trades, which is how a strategy sees them. */
export interface TradeWindow {
  /** The newest row that was handled. */
  row: number;
  /** Moves to a row and returns its trade, an object of its own that the strategy may keep. */
  at(row: number): Trade;
}

/** Before `until` (venue ms), a trade strictly between `above` and `below` (quote units) matters to the strategy alone. */
export interface QuietBounds {
  readonly until: number;
  readonly above: number;
  readonly below: number;
}

/** After so many timers at one moment no further timer may be set for that moment, or event time would never go on. */
const MOST_AT_ONCE = 1_000;

/**
 * One event in, one decision out: pure, synchronous, without clock, I/O or streams. Asks the strategy what it wants and
 * answers with the least commands that get there. One engine runs one strategy on one pair; the same class runs
 * in backtest, paper, live and replay.
 */
export class Engine {
  market: Market;
  readonly #desk: OrderDesk;
  readonly #handlers: BoundHandlers;
  readonly #builders: readonly BarBuilder[];
  readonly #timers = new EventTimers();
  readonly #scheduler: EventTimeScheduler;
  readonly #tellsOwnPosition: boolean;
  readonly #isStreams: boolean;
  #now = 0;
  /** A timer was set before the first event, when there is no event time yet: it counts from that event on. */
  #waitsForFirst = false;
  /** Earliest time at which something is due: a bar's end, a timer, a retry. One comparison per trade. */
  #nextTime = Number.POSITIVE_INFINITY;
  /** Event time at which timers rang last, and how many rang at that moment. */
  #rangAt = Number.NaN;
  #rang = 0;
  #bars = 0;
  #lateTrades = 0;
  #hasTicker = false;

  /** @throws UsageError for a market that is no perpetual. */
  constructor({ strategy, market, seed, warmUp, onDoubt = 'cancel', positions }: EngineOptions) {
    demandPerpetual(market);
    this.market = market;
    this.#tellsOwnPosition = positions === 'own';
    this.#desk = new OrderDesk({ market, strategy: strategy.name, muted: warmUp, onDoubt });
    this.#builders = strategy.barIntervals.map((interval) => new BarBuilder(interval));
    this.#isStreams = strategy.isStreams;
    const now = () => this.#now;
    this.#scheduler = new EventTimeScheduler(now, (time) => {
      this.#timers.set(SCHEDULER_TIMER, time);
      this.#schedule();
    });
    this.#handlers = strategy.start(
      strategyContext(() => this.market, this.#desk, {
        now,
        setTimer: (name, time) => this.#setTimer(name, time),
        clearTimer: (name) => this.#timers.clear(name),
        scheduler: this.#scheduler,
        random: seededRandom(seed),
      }),
    );
    this.#waitsForFirst = this.#timers.nextTime !== Number.POSITIVE_INFINITY || this.#scheduler.waitsForFirst;
    if (this.#waitsForFirst) this.#schedule();
    else this.#scheduler.begin(0);
  }

  /**
   * No position may be without a stop at the venue for so long: then it is closed, and the want counts as flat. Call it
   * before the first event.
   */
  limitBareTime(mostMs: number): void {
    this.#desk.stops.limitBareTime(mostMs);
  }

  /** Time of the newest event, venue ms; 0 before the first. */
  get now(): number {
    return this.#now;
  }

  get position(): Position {
    return this.#desk.position;
  }

  get bars(): number {
    return this.#bars;
  }

  /** Trades that came after their bar was closed: no bar includes them. */
  get lateTrades(): number {
    return this.#lateTrades;
  }

  /** The strategy reads tickers, and there was none so far. */
  get missesTickers(): boolean {
    const handlers = this.#handlers;
    return !this.#hasTicker && (handlers.readsTickers?.() ?? handlers.onTicker !== undefined);
  }

  /** The strategy reads trades. */
  get readsTrades(): boolean {
    return this.#handlers.readsTrades?.() ?? this.#handlers.onTrade !== undefined;
  }

  /** The strategy is written as streams. */
  get isStreams(): boolean {
    return this.#isStreams;
  }

  /**
   * Earliest event time at which something is due: a bar's end, a timer, a retry. Infinity: nothing is; -Infinity: it counts
   * from the first event, which has not come yet.
   */
  get dueAt(): number {
    return this.#nextTime;
  }

  get counts(): WantCounts {
    return this.#desk.counts;
  }

  get workingOrders(): readonly WorkingOrder[] {
    return this.#desk.orders.map((order) => orderView(this.market, order));
  }

  /**
   * The stop of the standing want was hit, or the position was without one for too long: until something else is wanted, of
   * a position another quantity, it counts as flat.
   */
  get isStoppedOut(): boolean {
    return this.#desk.stops.isOut;
  }

  /** Why it is stopped out; for status displays. */
  get outBy(): OutBy | undefined {
    return this.#desk.stops.outBy;
  }

  /** For how long positions had no stop at the venue; `undefined` where the strategy never wanted one and need not. */
  get bareExposure(): BareExposure | undefined {
    return this.#desk.stops.bareExposure(this.#now);
  }

  /**
   * For how long the present position has had no stop at the venue that covers it whole, ms. `undefined` while it has one
   * and while nothing is held, and where nobody counts (see `bareExposure`).
   */
  get bareMs(): number | undefined {
    return this.#desk.stops.bareMs(this.#now);
  }

  /** What has come of `limitBareTime`; `undefined` where it was not called. */
  get bareUse(): BareUse | undefined {
    return this.#desk.stops.bareUse(this.#now);
  }

  /** What stands now, on the grid; for status displays. */
  get want(): StandingWant {
    return this.#desk.want;
  }

  /** Hash of every change of want so far, with the time of the market event that caused it. */
  wantsHash(): string {
    return this.#desk.wantsHash();
  }

  handle(event: EngineEvent): Decision {
    switch (event.kind) {
      case 'trade':
        return this.trade(event.trade);
      case 'mark':
        this.#cover(event.time);
        this.#now = event.time;
        break;
      case 'gap':
        this.#gap(event.gap);
        break;
      case 'report':
        return this.report(event.report);
      case 'position':
        this.#snapshot(event.position);
        break;
      case 'ticker':
        this.#now = event.ticker.time;
        this.#hasTicker = true;
        this.#answer(this.#handlers.onTicker?.(event.ticker));
        break;
      case 'permit':
        this.#now = event.time;
        this.#desk.permit(event.permission);
        break;
      case 'others':
      case 'transfers':
        this.#now = event.time;
        break;
      case 'resumed':
        this.#now = event.time;
        this.#desk.resumed();
        break;
      case 'live':
        this.#now = event.time;
        this.#desk.live(event.time);
        break;
    }
    return this.#decide();
  }

  /** `handle` of a trade, without an event object: trades come by the million. */
  trade(trade: Trade): Decision {
    const time = trade.time;
    const desk = this.#desk;
    if (time >= this.#nextTime) this.#cover(time);
    this.#now = time;
    desk.stops.lastPrice = trade.price;
    const { guard } = desk.stops;
    if (!guard.spares(trade.price) && time >= guard.since) desk.stopHit(time);
    if (this.#builders.length > 0) this.#build(trade);
    const answer = this.#handlers.onTrade?.(trade);
    if (answer !== undefined) desk.take(answer, time);
    return desk.isQuiet ? NOTHING : this.#decide();
  }

  /**
   * The inner loop of a backtest: handles recorded rows as trades, from `from` on. It stops before row `to`; before a row at
   * which something is due; before a row, other than the first, outside of `bounds`; and after a row with a decision, which
   * `decision` then returns. Returns the first row that was not handled. Bars take in all rows at the end of the loop, since
   * nobody reads a bar before it is closed.
   */
  run(window: TradeWindow, rows: BarRows, from: number, to: number, bounds: QuietBounds): number {
    const builders = this.#builders;
    if (builders.length === 0) return this.#runHandlers(window, rows, from, to, bounds);
    // The first bar has no end before its first trade, so `#nextTime` does not include it yet.
    if (!(builders[0] as BarBuilder).hasBegun) return from;
    const next = this.#runHandlers(window, rows, from, to, bounds);
    for (const builder of builders) this.#lateTrades += builder.addRows(rows, from, next);
    return next;
  }

  #runHandlers(window: TradeWindow, rows: BarRows, from: number, to: number, bounds: QuietBounds): number {
    const { time: times, price: prices } = rows;
    const desk = this.#desk;
    const { guard } = desk.stops;
    const { until } = bounds;
    // No other row is beyond the stop. `Math.max` keeps NaN, by which the caller asks to see each row.
    const above = Math.max(bounds.above, guard.above);
    const below = Math.min(bounds.below, guard.below);
    const handlers = this.#handlers;
    let row = from;
    for (; row < to; row++) {
      const time = times[row] as number;
      const price = prices[row] as number;
      if (time >= this.#nextTime) break;
      if (row === from) {
        if (!guard.spares(price) && time >= guard.since) desk.stopHit(time);
      } else if (time >= until || !(price > above && price < below)) break;
      this.#now = time;
      const answer = handlers.onTrade?.(window.at(row));
      if (answer !== undefined) {
        desk.stops.lastPrice = price;
        desk.take(answer, time);
      }
      if (!desk.isQuiet) {
        row++;
        break;
      }
    }
    if (row > from) desk.stops.lastPrice = prices[row - 1] as number;
    return row;
  }

  /** The decision on the last row that `run` handled. Take it once. */
  decision(): Decision {
    return this.#desk.isQuiet ? NOTHING : this.#decide();
  }

  /**
   * Handles a recorded bar in place of trades that were not recorded: adds it to the strategy's bars, and closes those that
   * end with it. `now` is the bar's end.
   */
  bar(bar: RecordedBar): Decision {
    if (bar.openTime >= this.#nextTime) this.#cover(bar.openTime);
    for (const builder of this.#builders) if (!builder.addBar(bar)) this.#lateTrades++;
    const desk = this.#desk;
    desk.stops.lastPrice = bar.close;
    // Before the strategy hears of the bar: within it nobody knows what came first.
    if (!(desk.stops.guard.spares(bar.low) && desk.stops.guard.spares(bar.high))) desk.stopHit(bar.endTime);
    this.#cover(bar.endTime);
    this.#now = bar.endTime;
    return this.#decide();
  }

  /**
   * Tells of a gap before its `gap` event, for a feed that covers
   * the gap in steps: bars that close inside it are incomplete.
   */
  expectGap(gap: TradeGap): void {
    for (const builder of this.#builders) builder.addGap(gap);
  }

  /** `handle` of a report, without an event object. */
  report(report: ExecutionReport): Decision {
    this.#now = report.time;
    // Also where no trade came meanwhile: what this report may end was too long already.
    this.#lookAtBare(report.time);
    const fill = this.#desk.report(report, this.#now);
    if (fill !== undefined && this.#handlers.onFill !== undefined) {
      this.#answer(
        this.#handlers.onFill(fillView(this.market, fill, report.intentId, this.#desk.position.lots)),
      );
    }
    if (fill !== undefined && this.#tellsOwnPosition && this.#handlers.onPosition !== undefined) {
      this.#answer(this.#handlers.onPosition(positionView(this.market, this.#desk.position, this.#now)));
    }
    return this.#decide();
  }

  /** Funding was received, units; negative when paid. For a session whose positions are not polled. */
  receive(funding: Money): void {
    this.#desk.receive(funding);
  }

  /** The market has other filters and fees from now on, on the same grids. */
  turnMarket(market: Market): void {
    this.market = market;
    this.#desk.turnMarket(market);
  }

  /** The gate refused a command of the last decision, so it was not sent. `until` as in the refusal. */
  refused(command: Command, until?: number): void {
    this.#desk.refused(command, this.#now, until);
    if (until !== undefined) this.#schedule();
  }

  #build({ time, price, quantity }: Trade): void {
    for (const builder of this.#builders) {
      if (!builder.add(time, price, quantity)) this.#lateTrades++;
      else if (builder.endTime < this.#nextTime) this.#nextTime = builder.endTime;
    }
  }

  #decide(): Decision {
    if (this.#desk.dirty) {
      this.#desk.reconcile(this.#now);
      this.#schedule();
    } else if (this.#desk.stops.bareDueAt < this.#nextTime) this.#nextTime = this.#desk.stops.bareDueAt;
    return this.#desk.decision();
  }

  #answer(answer: Answer): void {
    if (answer !== undefined) this.#desk.take(answer, this.#now);
  }

  /** Closes bars and fires timers that are due at or before `time`, in order of time; bars before timers. */
  #cover(time: number): void {
    if (this.#waitsForFirst) this.#begin(time);
    for (;;) {
      let closing: BarBuilder | undefined;
      let due = this.#timers.nextTime;
      for (const builder of this.#builders) {
        if (builder.endTime < due || (builder.endTime === due && closing === undefined)) {
          due = builder.endTime;
          closing = builder;
        }
      }
      // A mark at Infinity covers everything, but Infinity as a due time means that nothing is due.
      if (due > time || due === Number.POSITIVE_INFINITY) break;
      this.#now = due;
      if (closing === undefined) this.#timer(this.#timers.take() as TimerView);
      else {
        this.#bars++;
        const bar = closing.close();
        this.#answer(this.#handlers.onBar?.(bar));
      }
      if (this.#desk.dirty) this.#desk.reconcile(this.#now);
    }
    if (time >= this.#desk.retry.time) {
      this.#desk.retry.over();
      this.#desk.dirty = true;
    }
    if (time >= this.#desk.askAgainAt) this.#desk.askAgain();
    if (time >= this.#desk.stops.guard.dueAt) this.#desk.stopDue();
    this.#lookAtBare(time);
    this.#schedule();
  }

  /** Infinity as a due time means that there is none, also for a mark at Infinity. */
  #lookAtBare(time: number): void {
    const { bareDueAt } = this.#desk.stops;
    if (time >= bareDueAt && bareDueAt !== Number.POSITIVE_INFINITY) this.#desk.bareDue();
  }

  #schedule(): void {
    const { retry, askAgainAt, stops } = this.#desk;
    let next = Math.min(this.#timers.nextTime, retry.time, askAgainAt, stops.guard.dueAt, stops.bareDueAt);
    for (const builder of this.#builders) if (builder.endTime < next) next = builder.endTime;
    this.#nextTime = this.#waitsForFirst ? Number.NEGATIVE_INFINITY : next;
  }

  /** The first event has come: timers that were set before it count from its time on. */
  #begin(time: number): void {
    this.#waitsForFirst = false;
    this.#timers.begin(time);
    this.#scheduler.begin(time);
  }

  /** Sets a timer. A time in the past becomes now, so that event time never goes back. */
  #setTimer(name: string, time: number): void {
    checkTimer(name, time);
    const now = this.#now;
    if (time <= now && now === this.#rangAt && this.#rang >= MOST_AT_ONCE) {
      const must = `the time of a timer that rang ${MOST_AT_ONCE} times at one moment must be after now, ${now} (venue ms)`;
      throw mistake(must, time, `${time} for ${JSON.stringify(name)}`);
    }
    if (now === 0) this.#timers.setEarly(name, time);
    else this.#timers.set(name, Math.max(time, now));
    this.#schedule();
  }

  #timer(timer: TimerView): void {
    if (timer.name === SCHEDULER_TIMER) {
      this.#scheduler.advanceTo(timer.time);
      // The timer is the scheduler's own, not the strategy's. A strategy of streams is asked all the same: its want may have
      // changed by what the scheduler ran.
      if (!this.#isStreams) return;
    } else if (this.#now === this.#rangAt) this.#rang++;
    else {
      this.#rangAt = this.#now;
      this.#rang = 1;
    }
    this.#answer(this.#handlers.onTimer?.(timer));
  }

  /** Bars and timers that are due inside the gap come first, at their own times, with the gap already known to the bars. */
  #gap(gap: TradeGap): void {
    this.expectGap(gap);
    this.#cover(gap.to);
    this.#now = gap.to;
    this.#answer(this.#handlers.onGap?.(gap));
  }

  #snapshot(position: PositionSnapshot): void {
    this.#now = position.time;
    if (this.#desk.muted) this.#desk.adopt(position);
    else this.#desk.fund(position);
    this.#answer(
      this.#handlers.onPosition?.({
        time: position.time,
        quantity: numberOf(this.market.quantityGrid, position.lots),
        averageEntry: position.averageEntry,
        liquidationPrice: position.liquidationPrice,
      }),
    );
  }
}
