/**
 * The synchronous heart of every session: one event → engine → gate → journal → venue. Backtest, paper, live, demo and
 * parity run this class; what differs is who feeds it and where approved commands go.
 */
import { type Decision, NOTHING } from '../engine/decision.js';
import type { Engine } from '../engine/engine.js';
import { hashTerms } from '../engine/standing-want.js';
import { Exposure } from '../gate/exposure.js';
import { check, type GateState, isRefusal } from '../gate/gate.js';
import type { Limits } from '../gate/limits.js';
import type { Approved, Refusal, RefusalRule, Supersession } from '../model/command.js';
import type { EngineEvent } from '../model/event.js';
import { type Ticks } from '../model/grid.js';
import { HashChain } from '../model/hash-chain.js';
import { FLAT, type Position, settled } from '../model/position.js';
import type { ExecutionReport } from '../model/report.js';
import type { Trade } from '../model/trade.js';
import type { Journal } from '../ports/journal.js';
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
}

export interface SessionOptions {
  readonly engine: Engine;
  readonly limits: Limits;
  /** The engine warms up: what positions are polled before it is live is what is held already. */
  readonly warmUp: boolean;
  readonly sink: CommandSink;
  readonly journal: Journal;
  /** Cash of the quote asset at the session's start, quote units; undefined when it is not known. */
  readonly funds: number | undefined;
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

const RULE_CODES: Readonly<Record<RefusalRule, number>> = {
  tick: 1,
  lot: 2,
  'min-price': 3,
  'max-price': 4,
  'min-quantity': 5,
  'max-quantity': 6,
  iceberg: 7,
  interest: 8,
  'max-position': 9,
  'max-order-quantity': 10,
  'max-open-orders': 11,
  balance: 12,
  'market-inactive': 13,
  'not-a-number': 14,
  'target-below-lot': 15,
  'warming-up': 16,
  'unknown-order': 17,
};

const NONE: readonly never[] = [];

export class SessionCore {
  readonly engine: Engine;
  readonly exposure = new Exposure();
  readonly #options: SessionOptions;
  readonly #decisions = new HashChain();
  readonly #queue: EngineEvent[] = [];
  readonly #gateState: GateState;
  readonly #unitsPerQuote: number;
  #handling = false;
  #live: boolean;
  #lastPrice = Number.NaN;
  /** The position that the three numbers after it were made from; quote and base units. */
  #valued: Position = FLAT;
  #cash = 0;
  #cost = 0;
  #quantity = 0;

  #inputs = 0;
  #trades = 0;
  #orders = 0;
  #cancels = 0;
  #fills = 0;
  #refusals = 0;
  readonly #refusedFor = new Reasons();
  readonly #rejectedFor = new Reasons();
  #rejections = 0;
  #gaps = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#live = !options.warmUp;
    this.engine = options.engine;
    this.#unitsPerQuote = 10 ** options.engine.market.quotePrecision;
    const lastTicks = () => this.#lastTicks;
    const equity = () => this.#equity;
    // Made once, and worked out when a rule asks: most orders are decided without.
    this.#gateState = {
      exposure: this.exposure,
      get lastTicks() {
        return lastTicks();
      },
      get equity() {
        return equity();
      },
    };
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

  /** Why orders were refused by us and rejected by the venue. */
  get reasons(): { readonly refused: readonly Reason[]; readonly rejected: readonly Reason[] } {
    return { refused: this.#refusedFor.list(), rejected: this.#rejectedFor.list() };
  }

  /** Price of the newest trade, quote units; undefined before the first. */
  get lastPrice(): number | undefined {
    return Number.isNaN(this.#lastPrice) ? undefined : this.#lastPrice;
  }

  /** Over (input number, commands, refusals) of every decision so far, and the number of inputs. */
  decisionHash(): string {
    const chain = new HashChain();
    return chain.text(this.#decisions.digest()).number(this.#inputs).digest();
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
    const decision = this.engine.trade(trade);
    this.#lastPrice = trade.price;
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
    if (report.kind === 'filled') this.#fills++;
    else if (report.kind === 'rejected') {
      this.#rejections++;
      this.#rejectedFor.add(report.reason);
    }
    this.exposure.report(report);
    const decision = this.engine.report(report);
    if (decision !== NOTHING) this.#decide(decision);
  }

  #event(event: EngineEvent): void {
    this.#inputs++;
    this.#options.observer?.input?.(this.#inputs, event);
    switch (event.kind) {
      case 'position':
        if (!this.#live) this.exposure.adopt(event.position.lots);
        break;
      case 'gap':
        this.#gaps++;
        break;
      case 'live':
        this.#live = true;
        break;
      case 'trade':
      case 'report':
      case 'mark':
      case 'ticker':
        break;
    }
    const decision = this.engine.handle(event);
    if (decision !== NOTHING) this.#decide(decision);
  }

  #decide({ commands, refusals, superseded }: Decision): void {
    const { limits, journal, sink, observer } = this.#options;
    const { market } = this.engine;
    let approved: readonly Approved[] = NONE;
    let said = refusals;
    for (const command of commands) {
      const verdict = check(market, limits, this.#gateState, command);
      if (isRefusal(verdict)) {
        this.engine.refused(command);
        said = [...said, verdict];
      } else {
        this.exposure.approved(verdict);
        // One command is the rule: a list literal has just its size, a pushed one room for seventeen.
        approved = approved.length === 0 ? [verdict] : [...approved, verdict];
      }
    }
    this.#hash(approved, said);
    observer?.decision?.(this.#inputs, approved, said, superseded);
    for (const refusal of said) {
      this.#refusals++;
      this.#refusedFor.add(refusal.reason);
      journal.refusal(refusal);
    }
    for (const command of approved) {
      if (command.kind === 'place') this.#orders++;
      else this.#cancels++;
      journal.command(command);
      sink.send(command);
    }
  }

  get #lastTicks(): Ticks | undefined {
    const steps = Math.round(this.#lastPrice * this.engine.market.priceGrid.scale);
    return Number.isNaN(steps) ? undefined : (steps as Ticks);
  }

  /**
   * What the gate judges margin by: losses count, profits are not lent. In floats: it is an estimate that the venue's
   * exact admission follows.
   */
  get #equity(): number | undefined {
    const { funds } = this.#options;
    if (funds === undefined) return undefined;
    const { position } = this.engine;
    if (position !== this.#valued) {
      this.#valued = position;
      this.#cash = Number(settled(position)) / this.#unitsPerQuote;
      this.#cost = Number(position.cost) / this.#unitsPerQuote;
      this.#quantity = position.lots / this.engine.market.quantityGrid.scale;
    }
    // Before the first trade there is no price to lose at.
    const hasOpen = this.#quantity !== 0 && !Number.isNaN(this.#lastPrice);
    const open = hasOpen ? this.#quantity * this.#lastPrice - this.#cost : 0;
    return funds + this.#cash + Math.min(0, open);
  }

  #hash(commands: readonly Approved[], refusals: readonly Refusal[]): void {
    if (commands.length === 0 && refusals.length === 0) return;
    const chain = this.#decisions.number(this.#inputs).number(commands.length).number(refusals.length);
    for (const command of commands) {
      chain.number(command.kind === 'place' ? 1 : 2).number(command.intentId);
      if (command.kind === 'place') hashTerms(chain, command.terms);
    }
    for (const refusal of refusals) {
      chain
        .number(RULE_CODES[refusal.rule])
        .number(refusal.intentId ?? 0)
        .text(refusal.asked)
        .text(refusal.bound);
    }
  }
}
