import type { Engine } from '../engine/engine.js';
import type { StandingWant } from '../engine/standing-want.js';
import type { LimitUse } from '../gate/limit-use.js';
import type { Approved, PlaceCommand, Refusal } from '../model/command.js';
import { type EngineEvent, timeOfEvent } from '../model/event.js';
import type { IntentId } from '../model/order.js';
import type { ExecutionReport } from '../model/report.js';
import type { SessionCore, SessionObserver } from './session-core.js';

/** An order that the session decided on, with the state that led to the decision. */
export interface TracedOrder {
  readonly command: PlaceCommand;
  /** Number of the input, from 1. */
  readonly input: number;
  readonly cause: EngineEvent;
  /** Venue ms. */
  readonly time: number;
  readonly want: StandingWant;
  /** When the want began to stand, venue ms. */
  readonly wantSince: number;
  /** Base units, signed. */
  readonly position: number;
  readonly working: Engine['workingOrders'];
  /** Each limit that is set, with its use including this order. */
  readonly limits: readonly LimitUse[];
  /** Reports of the order so far, oldest first. */
  readonly reports: readonly ExecutionReport[];
}

export interface TracedRefusal {
  readonly refusal: Refusal;
  readonly time: number;
}

/**
 * Watches a replayed session to explain why there is an order at some input, or none. It keeps only the orders and refusals
 * of the standing want, and the orders that `keeps` names.
 */
export class SessionTrace implements SessionObserver {
  readonly #core: () => SessionCore | undefined;
  readonly #keeps: (intentId: IntentId) => boolean;
  readonly #kept = new Map<IntentId, TracedOrder & { reports: ExecutionReport[] }>();
  #event: EngineEvent | undefined;
  #input = 0;
  #time = 0;
  #want: StandingWant | undefined;
  #wantSince = 0;
  #orders: (TracedOrder & { reports: ExecutionReport[] })[] = [];
  #refusals: TracedRefusal[] = [];
  #permit: Extract<EngineEvent, { kind: 'permit' }> | undefined;
  #isLive = false;
  #counts = { trades: 0, gaps: 0 };
  #lastTrade: { readonly time: number; readonly price: number } | undefined;
  #gapAt: number | undefined;

  /** `keeps`: true for orders that are remembered after their want has gone. */
  constructor(core: () => SessionCore | undefined, keeps: (intentId: IntentId) => boolean = () => false) {
    this.#core = core;
    this.#keeps = keeps;
  }

  input(input: number, event: EngineEvent): void {
    this.#lookAtWant();
    this.#event = event;
    this.#input = input;
    this.#time = Math.max(this.#time, timeOfEvent(event));
    switch (event.kind) {
      case 'trade':
        this.#counts.trades++;
        this.#lastTrade = { time: event.trade.time, price: event.trade.price };
        break;
      case 'gap':
        this.#counts.gaps++;
        this.#gapAt = event.gap.to;
        break;
      case 'permit':
        this.#permit = event;
        break;
      case 'live':
        this.#isLive = true;
        break;
      case 'report':
        this.#report(event.report);
        break;
      default:
    }
  }

  decision(input: number, commands: readonly Approved[], refusals: readonly Refusal[]): void {
    this.#lookAtWant();
    const core = this.#core();
    if (core === undefined) return;
    for (const refusal of refusals) this.#refusals.push({ refusal, time: this.#time });
    if (this.#refusals.length > MOST_KEPT) this.#refusals = this.#refusals.slice(-MOST_KEPT / 2);
    for (const command of commands) {
      if (command.kind !== 'place' || this.#event === undefined) continue;
      const order = {
        command,
        input,
        cause: kept(this.#event),
        time: this.#time,
        want: core.engine.want,
        wantSince: this.#wantSince,
        position: core.engine.position.lots / core.engine.market.quantityGrid.scale,
        working: core.engine.workingOrders.filter(({ intentId }) => intentId !== command.intentId),
        limits: core.limitUses,
        reports: [],
      };
      this.#orders.push(order);
      if (this.#orders.length > MOST_KEPT) this.#orders = this.#orders.slice(-MOST_KEPT / 2);
      if (this.#keeps(command.intentId)) this.#kept.set(command.intentId, order);
    }
  }

  /** Venue ms of the newest input. */
  get time(): number {
    return this.#time;
  }

  get inputs(): number {
    return this.#input;
  }

  /** The warm-up is over. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** The newest permit: what may leave, and why not everything. */
  get permit(): Extract<EngineEvent, { kind: 'permit' }> | undefined {
    return this.#permit;
  }

  get want(): { readonly want: StandingWant; readonly since: number } | undefined {
    this.#lookAtWant();
    return this.#want === undefined ? undefined : { want: this.#want, since: this.#wantSince };
  }

  /** The stop of the present want was hit. */
  get outBy(): Engine['outBy'] {
    return this.#core()?.engine.outBy;
  }

  /** Orders of the strategy that are not done, as of the newest input. */
  get working(): Engine['workingOrders'] {
    return this.#core()?.engine.workingOrders ?? [];
  }

  /** Orders sent since the present want began to stand. */
  get orders(): readonly TracedOrder[] {
    return this.#orders;
  }

  /** Refusals since the present want began to stand, oldest first. */
  get refusals(): readonly TracedRefusal[] {
    return this.#refusals;
  }

  get feed(): {
    readonly trades: number;
    readonly gaps: number;
    readonly lastTrade: { readonly time: number; readonly price: number } | undefined;
    readonly gapAt: number | undefined;
  } {
    return { ...this.#counts, lastTrade: this.#lastTrade, gapAt: this.#gapAt };
  }

  kept(intentId: IntentId): TracedOrder | undefined {
    return this.#kept.get(intentId);
  }

  #report(report: ExecutionReport): void {
    const { intentId } = report;
    if (intentId === undefined) return;
    const order =
      this.#kept.get(intentId) ?? this.#orders.find(({ command }) => command.intentId === intentId);
    order?.reports.push(report);
  }

  #lookAtWant(): void {
    const want = this.#core()?.engine.want;
    if (want === undefined || want === this.#want) return;
    this.#want = want;
    this.#wantSince = this.#time;
    this.#orders = [];
    this.#refusals = [];
  }
}

const MOST_KEPT = 1_000;

/** Copies a trade, whose object may be a view on a tape that moves on. */
function kept(event: EngineEvent): EngineEvent {
  return event.kind === 'trade' ? { ...event, trade: { ...event.trade } } : event;
}
