import type { Command } from '../model/command.js';
import type { EngineEvent, PositionSnapshot } from '../model/event.js';
import { numberOf } from '../model/grid.js';
import { demandPerpetual, type Market } from '../model/market.js';
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
import type { StandingWant } from './standing-want.js';
import { fillView, orderView, positionView, strategyContext } from './strategy-view.js';

export interface EngineOptions {
  readonly strategy: BoundStrategy;
  readonly market: Market;
  /** Seeds `context.random`. */
  readonly seed: string;
  /** Commands are muted until a `live` event: the session starts by replaying recent data. */
  readonly warmUp: boolean;
  /** What becomes of working quotes while not everything is permitted. Default `cancel`. */
  readonly onDoubt?: OnDoubt | undefined;
  /** What `onPosition` is called with. Default `told`. */
  readonly positions?: PositionSource | undefined;
}

/** `told`: what the venue says at each poll. `own`, where nobody asks it: what is held after each own fill, behind `onFill`. */
export type PositionSource = 'told' | 'own';

/** Rows of columns as trades: all that a strategy sees of them. */
export interface TradeWindow {
  /** The newest row that was handled. */
  row: number;
  /** Moves to a row, and gives its trade to whoever may keep it. */
  at(row: number): Trade;
}

/** Before this time, a trade strictly between these prices concerns nobody but the strategy. */
export interface QuietBounds {
  readonly until: number;
  readonly above: number;
  readonly below: number;
}

/** Timers that ring at one moment, from which on none may be set for that moment: it would never be over. */
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
  /** Something was scheduled before the first event. It is not known how far off that is: what waits, waits from then on. */
  #waitsForFirst = false;
  /** Earliest time at which something is due: a bar's end, a timer, a retry. One comparison per trade. */
  #nextTime = Number.POSITIVE_INFINITY;
  /** When timers rang last, and how many at that moment. */
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

  /** Trades that came after their bar was closed; they are in no bar. */
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

  /** It is written as streams. */
  get isStreams(): boolean {
    return this.#isStreams;
  }

  /**
   * Earliest time at which something is due: a bar's end, a timer, a retry; Infinity for nothing, -Infinity where it is
   * counted from a first event that has not come yet.
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
        this.#now = event.time;
        break;
      case 'resumed':
        this.#now = event.time;
        this.#desk.resumed();
        break;
      case 'live':
        this.#now = event.time;
        this.#desk.muted = false;
        this.#desk.dirty = true;
        break;
    }
    return this.#decide();
  }

  /** `handle` for the event that comes by the million. */
  trade(trade: Trade): Decision {
    const time = trade.time;
    if (time >= this.#nextTime) this.#cover(time);
    this.#now = time;
    if (this.#builders.length > 0) this.#build(trade);
    const answer = this.#handlers.onTrade?.(trade);
    if (answer !== undefined) this.#desk.take(answer, time);
    return this.#desk.isQuiet ? NOTHING : this.#decide();
  }

  /**
   * `trade` of recorded rows, one after the other, as long as nothing else is due: up to `to`, or to a row after the first
   * that is at or after `until` or not strictly between the two prices, or up to one with a decision, which `decision`
   * then is. Returns the first row that was not handled. The loop of a backtest, which reads what it can but once: bars
   * take their rows in at its end, since nobody sees them before they are closed.
   */
  run(window: TradeWindow, rows: BarRows, from: number, to: number, bounds: QuietBounds): number {
    const builders = this.#builders;
    if (builders.length === 0) return this.#runHandlers(window, rows, from, to, bounds);
    // The end of the first bar is not known before its first trade.
    if (!(builders[0] as BarBuilder).hasBegun) return from;
    const next = this.#runHandlers(window, rows, from, to, bounds);
    for (const builder of builders) this.#lateTrades += builder.addRows(rows, from, next);
    return next;
  }

  #runHandlers(window: TradeWindow, rows: BarRows, from: number, to: number, bounds: QuietBounds): number {
    const { time: times, price: prices } = rows;
    const { until, above, below } = bounds;
    const desk = this.#desk;
    const handlers = this.#handlers;
    for (let row = from; row < to; row++) {
      const time = times[row] as number;
      const price = prices[row] as number;
      if (time >= this.#nextTime) return row;
      if (row !== from && (time >= until || !(price > above && price < below))) return row;
      this.#now = time;
      const answer = handlers.onTrade?.(window.at(row));
      if (answer !== undefined) desk.take(answer, time);
      if (!desk.isQuiet) return row + 1;
    }
    return to;
  }

  /** Of the last trade that `run` handled; taken once. */
  decision(): Decision {
    return this.#desk.isQuiet ? NOTHING : this.#decide();
  }

  /**
   * A recorded bar in place of its trades, which nobody has: it goes into the bars that the strategy reads, and those
   * that it ends are closed. The strategy is told at the bar's end.
   */
  bar(bar: RecordedBar): Decision {
    if (bar.openTime >= this.#nextTime) this.#cover(bar.openTime);
    for (const builder of this.#builders) if (!builder.addBar(bar)) this.#lateTrades++;
    this.#cover(bar.endTime);
    this.#now = bar.endTime;
    return this.#decide();
  }

  /** The feed covers this stretch, of which it has nothing, step by step before it tells of it by a `gap` event. */
  expectGap(gap: TradeGap): void {
    for (const builder of this.#builders) builder.addGap(gap);
  }

  /** `handle` for the news of an order. */
  report(report: ExecutionReport): Decision {
    this.#now = report.time;
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

  /** The market has other filters and fees from now on, on the same grids. */
  turnMarket(market: Market): void {
    this.market = market;
    this.#desk.turnMarket(market);
  }

  /** The gate said no to a command of the last decision. Nothing of it left. `until` as in the refusal. */
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
    }
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
      // Infinity is never due, not even for a mark that says all has been covered.
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
    this.#schedule();
  }

  #schedule(): void {
    let next = Math.min(this.#timers.nextTime, this.#desk.retry.time, this.#desk.askAgainAt);
    for (const builder of this.#builders) if (builder.endTime < next) next = builder.endTime;
    this.#nextTime = this.#waitsForFirst ? Number.NEGATIVE_INFINITY : next;
  }

  /** What was scheduled before is due from now on, as the market's first event says when that is. */
  #begin(time: number): void {
    this.#waitsForFirst = false;
    this.#timers.begin(time);
    this.#scheduler.begin(time);
  }

  /** A time that is over is now: what rings does not lead back to before it was set. */
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
      // No strategy set it. Streams are asked for all the same: what ran may have made them want something.
      if (!this.#isStreams) return;
    } else if (this.#now === this.#rangAt) this.#rang++;
    else {
      this.#rangAt = this.#now;
      this.#rang = 1;
    }
    this.#answer(this.#handlers.onTimer?.(timer));
  }

  /** What was due inside of it comes first, at its own time: what is known of then is that something is missing. */
  #gap(gap: TradeGap): void {
    this.expectGap(gap);
    this.#cover(gap.to);
    this.#now = gap.to;
    this.#answer(this.#handlers.onGap?.(gap));
  }

  #snapshot(position: PositionSnapshot): void {
    this.#now = position.time;
    if (this.#desk.muted) this.#desk.adopt(position.lots, position.averageEntry);
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
