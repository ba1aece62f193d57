/**
 * The synchronous heart of every session: one event → engine → gate → venue. Backtest, paper, live, demo and
 * parity run this class; what differs is who feeds it and where approved commands go.
 */
import { type Decision, NOTHING } from '../engine/decision.js';
import type { BarRows, RecordedBar } from '../engine/bar-builder.js';
import type { Engine, QuietBounds, TradeWindow } from '../engine/engine.js';
import type { DayBaseline } from '../gate/daily-loss.js';
import type { Exposure, Reserve } from '../gate/exposure.js';
import { check, isRefusal } from '../gate/gate.js';
import { type LimitUse, limitUses } from '../gate/limit-use.js';
import type { Limits } from '../gate/limits.js';
import type { SentOrder } from '../gate/pace.js';
import { Risk, type RiskFacts } from '../gate/risk.js';
import { appended } from '../model/appended.js';
import type { Approved, Refusal, Supersession } from '../model/command.js';
import type { EngineEvent } from '../model/event.js';
import type { Money } from '../model/money.js';
import type { Position } from '../model/position.js';
import { type ExecutionReport, QUANTITY_TAG } from '../model/report.js';
import type { Trade } from '../model/trade.js';
import { DecisionHash } from './decision-hash.js';
import { type Reason, Reasons } from './reasons.js';

/** Where approved commands go. Never throws; what becomes of a command comes back as reports. */
export interface CommandSink {
  send(command: Approved): void;
}

/** Watches a session without taking part in it. */
export interface SessionObserver {
  /** Before the event is handled; `input` counts from 1. */
  input?(input: number, event: EngineEvent): void;
  /** After the event was handled, if it led to a command, a refusal or a supersession. */
  decision?(
    input: number,
    commands: readonly Approved[],
    refusals: readonly Refusal[],
    superseded: readonly Supersession[],
  ): void;
  /** The baseline has changed, e.g. a UTC day began or a loss limit tripped: hand the newest one to the next session. */
  baseline?(baseline: DayBaseline): void;
}

export interface SessionOptions {
  readonly engine: Engine;
  readonly limits: Limits;
  /** The engine warms up: a position that is polled before `live` is what the account holds at the start. */
  readonly warmUp: boolean;
  readonly sink: CommandSink;
  /** Cash of the quote asset at the session's start that orders may use, quote units; `undefined`: not known. */
  readonly funds: number | undefined;
  /** `funds` plus the cash that orders and withdrawals hold: losses are counted from it; quote units. Default: the funds. */
  readonly wealth?: number | undefined;
  /** The baseline that an earlier session noted. Its equity does not count on a later UTC day. */
  readonly baseline?: DayBaseline | undefined;
  /** Orders of earlier sessions that were given up and may still show up. */
  readonly reserves?: readonly Reserve[] | undefined;
  /** Orders that earlier sessions sent within the last hour, oldest first: pace limits count them. */
  readonly sent?: readonly SentOrder[] | undefined;
  /**
   * For how long a ticker gives the mark, ms; then the last trade does. Default: until the next ticker, where something else
   * holds risk once tickers stay away.
   */
  readonly markFreshMs?: number | undefined;
  /**
   * Where the venue would liquidate the position, quote units; `undefined`: nowhere. For a session that is told no positions;
   * default: what the newest one says.
   */
  readonly liquidationPrice?: (() => number | undefined) | undefined;
  readonly observer?: SessionObserver;
}

export interface SessionCounts {
  readonly inputs: number;
  readonly trades: number;
  readonly orders: number;
  readonly cancels: number;
  readonly fills: number;
  readonly refusals: number;
  readonly rejections: number;
  readonly gaps: number;
}

/** Why orders were refused by us, rejected by the venue, or cancelled unasked: each reason with count and first case. */
export interface SessionReasons {
  readonly refused: readonly Reason[];
  readonly rejected: readonly Reason[];
  readonly canceled: readonly Reason[];
}

/**
 * Reasons of cancellations that are not listed: asked for at a simulated venue, asked for at a live venue that gives no
 * reason, and the lots that were taken off an order to mark it.
 */
const ASKED_FOR: ReadonlySet<string> = new Set(['requested', 'canceled', QUANTITY_TAG]);

const NONE: readonly never[] = [];

/** What the gate reads; a class, since V8 looks up the getters of an object literal slowly. */
class Facts implements RiskFacts {
  readonly #engine: Engine;
  readonly #lastPrice: () => number;
  readonly #liquidationPrice: () => number | undefined;

  constructor(engine: Engine, lastPrice: () => number, liquidationPrice: () => number | undefined) {
    this.#engine = engine;
    this.#lastPrice = lastPrice;
    this.#liquidationPrice = liquidationPrice;
  }

  get now(): number {
    return this.#engine.now;
  }

  get position(): Position {
    return this.#engine.position;
  }

  get lastPrice(): number {
    return this.#lastPrice();
  }

  get liquidationPrice(): number | undefined {
    return this.#liquidationPrice();
  }

  get bareMs(): number {
    return this.#engine.bareUse?.ms ?? 0;
  }
}

export class SessionCore {
  readonly engine: Engine;
  readonly risk: Risk;
  readonly #options: SessionOptions;
  readonly #decisions = new DecisionHash();
  readonly #queue: EngineEvent[] = [];
  #handling = false;
  #live: boolean;
  #lastPrice = Number.NaN;
  /** As the newest position says. */
  #liquidationPrice: number | undefined;
  /** A limit watches the equity and the session is live: losses are looked at with each event. */
  #isWatched = false;

  #inputs = 0;
  #trades = 0;
  #orders = 0;
  #cancels = 0;
  #fills = 0;
  #refusals = 0;
  readonly #refusedFor = new Reasons();
  readonly #rejectedFor = new Reasons();
  readonly #canceledFor = new Reasons();
  #rejections = 0;
  #gaps = 0;

  constructor(options: SessionOptions) {
    const { engine, limits, warmUp, funds, wealth, baseline, reserves, sent, markFreshMs } = options;
    const { liquidationPrice = () => this.#liquidationPrice } = options;
    this.#options = options;
    this.engine = engine;
    this.#live = !warmUp;
    // Here and not where engines are made, so that none of them can lack a limit that its session has.
    if (limits.maxBareMs !== undefined) engine.limitBareTime(limits.maxBareMs);
    this.risk = new Risk({
      market: engine.market,
      limits,
      funds,
      wealth,
      baseline,
      reserves,
      sent,
      markFreshMs,
      tellBaseline: (words) => options.observer?.baseline?.(words),
      facts: new Facts(engine, () => this.#lastPrice, liquidationPrice),
    });
    this.#isWatched = this.#live && this.risk.day !== undefined;
  }

  /** As of the newest decision: reserves whose time is over may still be included. */
  get exposure(): Exposure {
    return this.risk.exposure;
  }

  /** Each limit that is set, with how much of it is used. */
  get limitUses(): readonly LimitUse[] {
    return limitUses(this.risk);
  }

  get counts(): SessionCounts {
    return {
      inputs: this.#inputs,
      trades: this.#trades,
      orders: this.#orders,
      cancels: this.#cancels,
      fills: this.#fills,
      refusals: this.#refusals,
      rejections: this.#rejections,
      gaps: this.#gaps,
    };
  }

  /** Why orders were refused by us, rejected by the venue, and cancelled though nobody asked for it. */
  get reasons(): SessionReasons {
    return {
      refused: this.#refusedFor.list(),
      rejected: this.#rejectedFor.list(),
      canceled: this.#canceledFor.list(),
    };
  }

  /** The warm-up is over: what the engine holds is known, and its commands leave. */
  get isLive(): boolean {
    return this.#live;
  }

  /** Price of the newest trade, quote units; undefined before the first. */
  get lastPrice(): number | undefined {
    return Number.isNaN(this.#lastPrice) ? undefined : this.#lastPrice;
  }

  /** Hash over (input number, commands, refusals) of every decision so far, and over the number of inputs. */
  decisionHash(): string {
    return this.#decisions.digest(this.#inputs);
  }

  /** Handles one event to the end. An event that arrives meanwhile, such as a report of a simulated venue, is queued. */
  input(event: EngineEvent): void {
    if (this.#handling) {
      this.#queue.push(event);
      return;
    }
    this.#handling = true;
    try {
      this.#handle(event);
      while (this.#queue.length > 0) this.#handle(this.#queue.shift() as EngineEvent);
    } finally {
      this.#handling = false;
    }
  }

  /** `input` of a trade as the backtest's inner loop calls it: no event object, and nothing can be waiting. */
  trade(trade: Trade): void {
    this.#inputs++;
    this.#trades++;
    if (this.#isWatched) this.#lookAtLoss(trade);
    // Read before the strategy gets the object, which it might change.
    const { price } = trade;
    const decision = this.engine.trade(trade);
    this.#lastPrice = price;
    if (decision !== NOTHING) this.#decide(decision);
  }

  /**
   * `trade` for recorded rows: the first in any case, and those after it that are inside `bounds`, up to `to` (exclusive)
   * or to a row with a decision (see `Engine.run`). Returns the row after the last one that was handled.
   */
  trades(window: TradeWindow, rows: BarRows, from: number, to: number, bounds: QuietBounds): number {
    // Where losses are watched they are looked at before each trade, so rows cannot be handled in one go.
    const next = this.#isWatched ? from : this.engine.run(window, rows, from, to, bounds);
    if (next === from) {
      this.trade(window.at(from));
      return from + 1;
    }
    window.row = next - 1;
    this.#inputs += next - from;
    this.#trades += next - from;
    this.#lastPrice = rows.price[next - 1] as number;
    const decision = this.engine.decision();
    if (decision !== NOTHING) this.#decide(decision);
    return next;
  }

  /** A recorded bar in place of its trades. */
  bar(bar: RecordedBar): void {
    this.#inputs++;
    if (this.#isWatched) this.#lookAtLoss({ time: bar.endTime, price: bar.close });
    this.#lastPrice = bar.close;
    const decision = this.engine.bar(bar);
    if (decision !== NOTHING) this.#decide(decision);
  }

  /** `input` for a report; an event object is made only for an observer. */
  report(report: ExecutionReport): void {
    const { observer } = this.#options;
    this.#report(report, observer === undefined ? undefined : { kind: 'report', report });
  }

  /**
   * Funding was received at `time`, units of the quote asset; negative when paid. No event, since the strategy does not hear
   * of it: for a session that is told no positions, which state the funding elsewhere.
   */
  funding(received: Money, time: number): void {
    if (this.#isWatched) this.risk.turnDay(time);
    this.engine.receive(received);
    if (!this.#isWatched) return;
    this.risk.lookAtTrip();
    this.risk.lookAtLoss();
  }

  #handle(event: EngineEvent): void {
    if (event.kind === 'trade') {
      this.#options.observer?.input?.(this.#inputs + 1, event);
      this.trade(event.trade);
    } else if (event.kind === 'report') this.#report(event.report, event);
    else this.#event(event);
  }

  #report(report: ExecutionReport, event: EngineEvent | undefined): void {
    this.#inputs++;
    if (event !== undefined) this.#options.observer?.input?.(this.#inputs, event);
    if (report.kind === 'filled' || report.kind === 'late-fill') this.#fills++;
    else if (report.kind === 'rejected') {
      this.#rejections++;
      this.#rejectedFor.add(report.reason);
    } else if (report.kind === 'canceled' && !ASKED_FOR.has(report.reason)) {
      this.#canceledFor.add(report.reason);
    }
    if (this.#isWatched) this.risk.turnDayOn(report.time);
    this.risk.report(report);
    const decision = this.engine.report(report);
    if (this.#isWatched) {
      this.risk.lookAtTrip();
      this.risk.lookAtLoss();
    }
    if (decision !== NOTHING) this.#decide(decision);
  }

  #event(event: EngineEvent): void {
    this.#inputs++;
    this.#options.observer?.input?.(this.#inputs, event);
    switch (event.kind) {
      case 'position':
        if (!this.#live) this.exposure.adopt(event.position.lots);
        this.#liquidationPrice = event.position.liquidationPrice;
        break;
      case 'gap':
        this.#gaps++;
        break;
      case 'permit':
        this.risk.permit = event;
        break;
      case 'others':
        this.risk.hear(event);
        break;
      case 'transfers':
        this.risk.transferred = event.change;
        break;
      case 'resumed':
        this.risk.drawdown?.resumed();
        break;
      case 'live':
        this.#live = true;
        this.#isWatched = this.risk.day !== undefined;
        this.risk.lookAtTrip();
        break;
      case 'trade':
      case 'report':
      case 'mark':
      case 'ticker':
        break;
    }
    const decision = this.engine.handle(event);
    if (this.#isWatched) this.risk.turnDay(this.engine.now);
    if (event.kind === 'ticker') this.risk.ticker(event);
    if (this.#isWatched) {
      // Funding comes with a position.
      if (event.kind === 'position') this.risk.lookAtTrip();
      this.risk.lookAtLoss();
    }
    if (decision !== NOTHING) this.#decide(decision);
  }

  /** Looks at losses at the price of the trade before the trade is handled: its orders are judged with that loss. */
  #lookAtLoss({ time, price }: Pick<Trade, 'time' | 'price'>): void {
    this.risk.turnDay(time);
    this.#lastPrice = price;
    this.risk.lookAtLoss();
  }

  #decide({ commands, refusals, superseded }: Decision): void {
    const { limits, sink, observer } = this.#options;
    const { market } = this.engine;
    const { risk } = this;
    if (risk.exposure.reservedUntil !== Number.POSITIVE_INFINITY) risk.exposure.release(risk.time);
    let approved: readonly Approved[] = NONE;
    let said = refusals;
    for (const command of commands) {
      const verdict = check(market, limits, risk, command);
      if (isRefusal(verdict)) {
        this.engine.refused(command, verdict.until);
        said = appended(said, verdict);
      } else {
        risk.approved(verdict);
        approved = appended(approved, verdict);
      }
    }
    this.#decisions.add(this.#inputs, approved, said);
    observer?.decision?.(this.#inputs, approved, said, superseded);
    for (const refusal of said) {
      this.#refusals++;
      this.#refusedFor.add(refusal.reason);
    }
    for (const command of approved) {
      if (command.kind === 'place') this.#orders++;
      else this.#cancels++;
      sink.send(command);
    }
  }
}
