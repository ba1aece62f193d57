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
import type { Position } from '../model/position.js';
import { type ExecutionReport, QUANTITY_TAG } from '../model/report.js';
import type { Trade } from '../model/trade.js';
import { DecisionHash } from './decision-hash.js';
import { type Reason, Reasons } from './reasons.js';

/** Where approved commands go. Takes them over and never throws; what becomes of them comes back as reports. */
export interface CommandSink {
  send(command: Approved): void;
}

/** Watches a session without taking part in it. */
export interface SessionObserver {
  /** Before the event is handled; `input` counts from 1. */
  input?(input: number, event: EngineEvent): void;
  /** After it, when anything came of it. */
  decision?(
    input: number,
    commands: readonly Approved[],
    refusals: readonly Refusal[],
    superseded: readonly Supersession[],
  ): void;
  /** A UTC day begins with this equity, or its loss reached the bound: what a later session of the day is to be given. */
  baseline?(baseline: DayBaseline): void;
}

export interface SessionOptions {
  readonly engine: Engine;
  readonly limits: Limits;
  /** The engine warms up: what positions are polled before it is live is what is held already. */
  readonly warmUp: boolean;
  readonly sink: CommandSink;
  /** Cash of the quote asset at the session's start, quote units; undefined when it is not known. */
  readonly funds: number | undefined;
  /** The same with what working orders have locked, which is what losses are counted from. Default: the funds. */
  readonly wealth?: number | undefined;
  /** What an earlier session said of this day; one of another day does not count. */
  readonly baseline?: DayBaseline | undefined;
  /** Orders of earlier sessions that were given up and may still show up. */
  readonly reserves?: readonly Reserve[] | undefined;
  /** Orders that earlier sessions sent within the last hour, oldest first: they count for what may leave now. */
  readonly sent?: readonly SentOrder[] | undefined;
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

/** Each with its count and its first case. */
export interface SessionReasons {
  readonly refused: readonly Reason[];
  readonly rejected: readonly Reason[];
  readonly canceled: readonly Reason[];
}

/** Cancels that are no news: of simulated venues, of live ones that give no reason, and of an order that did all it could. */
const ASKED_FOR: ReadonlySet<string> = new Set(['requested', 'canceled', QUANTITY_TAG]);

const NONE: readonly never[] = [];

/** What the gate is told; a class, since V8 looks the getters of a literal up one by one. */
class Facts implements RiskFacts {
  readonly #engine: Engine;
  readonly #lastPrice: () => number;

  constructor(engine: Engine, lastPrice: () => number) {
    this.#engine = engine;
    this.#lastPrice = lastPrice;
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
  /** The loss of the day is bounded and counts by now. */
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
    const { engine, limits, warmUp, funds, wealth, baseline, reserves, sent } = options;
    this.#options = options;
    this.engine = engine;
    this.#live = !warmUp;
    this.risk = new Risk({
      market: engine.market,
      limits,
      funds,
      wealth,
      baseline,
      reserves,
      sent,
      tellBaseline: (words) => options.observer?.baseline?.(words),
      facts: new Facts(engine, () => this.#lastPrice),
    });
    this.#isWatched = this.#live && this.risk.day !== undefined;
  }

  /** As of the newest decision: what was given up may count a little longer than its time. */
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

  /** Over (input number, commands, refusals) of every decision so far, and the number of inputs. */
  decisionHash(): string {
    return this.#decisions.digest(this.#inputs);
  }

  /** Handles one event to the end; an event that arrives meanwhile waits for its turn. */
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
    // Before the strategy has had it in its hands.
    const { price } = trade;
    const decision = this.engine.trade(trade);
    this.#lastPrice = price;
    if (decision !== NOTHING) this.#decide(decision);
  }

  /**
   * `trade` of recorded rows, of the first in any case and of those after it that are quiet for everybody else: up to `to`,
   * or to one of which something came. Returns the row after the last one that was handled.
   */
  trades(window: TradeWindow, rows: BarRows, from: number, to: number, bounds: QuietBounds): number {
    // The loss of the day is looked at before each trade.
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

  /** The same for a report, whose event object is made for an observer only. */
  report(report: ExecutionReport): void {
    const { observer } = this.#options;
    this.#report(report, observer === undefined ? undefined : { kind: 'report', report });
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
    if (this.#isWatched) this.risk.turnDay(report.time);
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
        this.risk.liquidationPrice = event.position.liquidationPrice;
        break;
      case 'gap':
        this.#gaps++;
        break;
      case 'permit':
        this.risk.permit = event;
        break;
      case 'others':
        this.risk.others = event;
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
    if (this.#isWatched) this.risk.lookAtLoss();
    if (decision !== NOTHING) this.#decide(decision);
  }

  /** Before the trade is handled, so that what it brings about is judged by what it costs. */
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
