import { filter, map, type Observable } from 'rxjs';
import { check, isRefusal } from '../gate/gate.js';
import { NO_LIMITS } from '../gate/limits.js';
import { Risk } from '../gate/risk.js';
import type { Command } from '../model/command.js';
import type { Lots, Ticks } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { IntentId } from '../model/order.js';
import { FLAT } from '../model/position.js';
import { seededRandom } from '../model/random.js';
import type { ExecutionReport } from '../model/report.js';
import type { Side } from '../model/side.js';
import type { Timers } from '../ports/clock.js';
import type { FeedEvent } from '../ports/feed.js';
import type { SessionGateway } from '../runner/session-gateway.js';

export interface StopKeeperOptions {
  readonly gateway: SessionGateway;
  readonly market: Market;
  readonly timers: Timers;
  /** Venue ms. */
  readonly now: () => number;
  /** Of each stop: the largest |position|. */
  readonly lots: Lots;
  readonly seed: string;
}

/** Stops have intents from here on, far from those of the engine. */
const FIRST_INTENT = 1_000_000;
const LOOK_MS = 1_000;
/** A stop is moved once in so many ms, to a distance between these two from the last price, as fractions of it. */
const MOVES_MS = 90_000;
const NEAREST = 0.0003;
const FARTHEST = 0.004;

interface Stop {
  readonly intentId: IntentId;
  readonly side: Side;
  /** Number of the period for which it was placed. */
  readonly period: number;
  /** `undefined`: it has no answer, or is in doubt. */
  orderId: string | undefined;
}

/**
 * Keeps a stop at the venue on whatever the session holds, and moves it: the new one is placed first, and the old one
 * canceled when the new one is accepted. The engine hears of what stops filled as of fills of nobody's order.
 */
export function withStops(options: StopKeeperOptions): SessionGateway {
  const { gateway } = options;
  const keeper = new StopKeeper(options);
  const reports$: Observable<ExecutionReport> = gateway.reports$.pipe(
    filter((report) => !isOfStop(report) || report.kind === 'filled' || report.kind === 'late-fill'),
    map((report) => {
      if (!isOfStop(report) || (report.kind !== 'filled' && report.kind !== 'late-fill')) return report;
      return { kind: 'late-fill', intentId: undefined, fill: report.fill, time: report.time };
    }),
  );
  return {
    ...gateway,
    reports$,
    before(event) {
      keeper.see(event);
      gateway.before(event);
    },
    finish(...how) {
      keeper.stop();
      return gateway.finish(...how);
    },
  };
}

function isOfStop({ intentId }: ExecutionReport): boolean {
  return intentId !== undefined && intentId >= FIRST_INTENT;
}

class StopKeeper {
  readonly #options: StopKeeperOptions;
  readonly #stops = new Map<IntentId, Stop>();
  #price: number | undefined;
  #isLive = false;
  #isOver = false;
  #intents = FIRST_INTENT;

  constructor(options: StopKeeperOptions) {
    this.#options = options;
    options.gateway.reports$.subscribe((report) => this.#hear(report));
  }

  see(event: FeedEvent): void {
    if (event.kind === 'trade') this.#price = event.trade.price;
    if (event.kind !== 'live' || this.#isLive) return;
    this.#isLive = true;
    this.#again();
  }

  stop(): void {
    this.#isOver = true;
  }

  #again(): void {
    this.#options.timers.after(LOOK_MS, () => {
      if (this.#isOver) return;
      this.#again();
      this.#look();
    });
  }

  #hear(report: ExecutionReport): void {
    const stop = report.intentId === undefined ? undefined : this.#stops.get(report.intentId);
    if (stop === undefined) return;
    if (report.kind === 'rejected' || report.kind === 'canceled') this.#stops.delete(stop.intentId);
    if (report.kind !== 'accepted') return;
    stop.orderId = report.orderId;
    for (const other of this.#stops.values())
      if (other.side === stop.side && other !== stop) this.#cancel(other);
  }

  #look(): void {
    const { gateway, now } = this.#options;
    const position = gateway.position() ?? 0;
    const side = position > 0 ? 'sell' : 'buy';
    for (const stop of this.#stops.values()) if (position === 0 || stop.side !== side) this.#cancel(stop);
    if (position === 0 || this.#price === undefined) return;
    const period = Math.floor(now() / MOVES_MS);
    const ofSide = [...this.#stops.values()].filter((stop) => stop.side === side);
    // One that is in doubt may be at the venue: what becomes of it is waited for.
    if (ofSide.some((stop) => stop.orderId === undefined || stop.period === period)) return;
    this.#place(side, period, this.#price);
  }

  #place(side: Side, period: number, price: number): void {
    const { market, seed, lots } = this.#options;
    const away = NEAREST + (FARTHEST - NEAREST) * seededRandom(`${seed}/stop/${period}`).next() ** 2;
    const tick = market.filters.price.tickSize;
    const exact = price * (side === 'sell' ? 1 - away : 1 + away) * market.priceGrid.scale;
    const ticks = (Math.round(exact / tick) * tick) as Ticks;
    const intentId = this.#intents++;
    this.#stops.set(intentId, { intentId, side, period, orderId: undefined });
    const terms = {
      side,
      type: 'market',
      ticks: undefined,
      lots,
      timeInForce: 'IOC',
      postOnly: false,
      reduceOnly: true,
      trigger: { ticks, event: 'last' },
    } as const;
    this.#send({ kind: 'place', intentId, pair: market.pair, terms, want: undefined });
  }

  #cancel({ intentId, orderId }: Stop): void {
    const { pair } = this.#options.market;
    if (orderId !== undefined) this.#send({ kind: 'cancel', intentId, pair, orderId, want: undefined });
  }

  #send(command: Command): void {
    const { gateway, market } = this.#options;
    const facts = { now: 0, lastPrice: Number.NaN, position: FLAT };
    const risk = new Risk({ market, limits: NO_LIMITS, funds: undefined, facts });
    const verdict = check(market, NO_LIMITS, risk, command);
    if (isRefusal(verdict)) this.#stops.delete(command.intentId);
    else gateway.send(verdict);
  }
}
