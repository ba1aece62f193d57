import { type Lots, textOf, type Ticks } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { IntentId, OrderTerms } from '../model/order.js';
import { averageEntry, type Position } from '../model/position.js';
import type { Side } from '../model/side.js';
import type { OwnOrder } from './own-order.js';
import { BareLimit } from './bare-limit.js';
import { type EndedOrders, type Plan, plan } from './plan.js';
import { planStop } from './plan-stop.js';
import { type BareExposure, ProtectionClock } from './protection-clock.js';
import { FLAT_WANT, type Misfit, type StandingWant } from './standing-want.js';
import { StopGuard } from './stop-guard.js';

const NONE: readonly never[] = [];

/** What has come of the limit on the time without a stop. */
export interface BareUse {
  /** For how long the present position has been bare, ms. */
  readonly ms: number;
  /** That is too long: the position has to go. */
  readonly isOver: boolean;
  /** How often it was too long so far. */
  readonly hits: number;
}

/** Why a want counts as flat: its stop was hit, or its position was bare for too long. */
export type OutBy = 'stop' | 'bare-limit';

/** What the order desk knows and does about stops: whether they were hit, which orders they need, how long there was none. */
export class StopDesk {
  readonly guard = new StopGuard();
  /** Price of the newest trade, quote units; NaN before the first: a field of doubles, which costs no allocation. */
  lastPrice = Number.NaN;
  /** Orders with a trigger that are not done. */
  #live = 0;
  #clock: ProtectionClock | undefined;
  #bareLimit: BareLimit | undefined;
  /** The guard is out because of the limit, until something else is wanted. */
  #isOutBare = false;
  /** Stops that were judged not placed, and may show up late after all. Rarely any. */
  readonly #givenUp = new Set<IntentId>();
  /**
   * Stops of the want before, which was out: the strategy was told, and wants another quantity since. What these still fill
   * is no news to it, unless they guard what it wants now.
   */
  #told: Set<IntentId> = new Set();

  /** From now on no position may be without a stop at the venue for so long. Call it before the first event. */
  limitBareTime(mostMs: number): void {
    this.#bareLimit = new BareLimit(mostMs);
    this.#clock = new ProtectionClock();
  }

  /** The want has a stop, or an order with a trigger is not done. */
  concern(want: StandingWant): boolean {
    return this.#live > 0 || hasStop(want);
  }

  placed({ trigger }: OrderTerms): void {
    if (trigger !== undefined) this.#live++;
  }

  removed({ trigger }: OrderTerms): void {
    if (trigger !== undefined) this.#live--;
  }

  /** The want has changed. Returns why it leads to no order, if its stop is hit already. */
  turn(
    market: Market,
    want: StandingWant,
    before: StandingWant,
    orders: readonly OwnOrder[],
    now: number,
  ): Misfit | undefined {
    if (!isSamePosition(want, before)) this.#isOutBare = false;
    if (hasStop(want)) this.#clock ??= new ProtectionClock();
    else if (!hasStop(before) && !this.guard.isOut) return undefined;
    const { lastPrice } = this;
    if (this.guard.isOut && !isSamePosition(want, before)) this.#told = this.#stopsOf(orders);
    if (!this.guard.turn(market, want, before, lastPrice, now)) return undefined;
    return want.kind === 'position' ? hitAlready(market, want, String(lastPrice)) : undefined;
  }

  /** A trade has hit the stop of the want. */
  hit(now: number, orders: readonly OwnOrder[], position: Lots): void {
    this.guard.hit(
      now,
      orders.some((order) => closes(order, position)),
    );
  }

  /** An order was judged not placed. */
  gaveUp({ intentId, terms }: OwnOrder): void {
    if (terms.trigger !== undefined) this.#givenUp.add(intentId);
  }

  /** An order was filled. The trade that fired it may be in no list: in a gap, or in a poll that is still to come. */
  filled({ intentId, terms, leaves }: OwnOrder, want: StandingWant, now: number): void {
    if (terms.trigger !== undefined) this.#fired(intentId, terms.side, want, now, leaves > 0);
  }

  /** A fill came of an order that was given up, or of nobody's. */
  filledLate(intentId: IntentId | undefined, side: Side, want: StandingWant, now: number): void {
    if (intentId !== undefined && this.#givenUp.has(intentId)) this.#fired(intentId, side, want, now, false);
  }

  /** At whatever price: an older stop may have fired while it was replaced. */
  #fired(intentId: IntentId, side: Side, want: StandingWant, now: number, isWaiting: boolean): void {
    if (want.kind !== 'position' || want.lots === 0 || this.#told.has(intentId)) return;
    if (side === (want.lots > 0 ? 'sell' : 'buy')) this.guard.hit(now, isWaiting);
  }

  /** All that can still fill. */
  #stopsOf(orders: readonly OwnOrder[]): Set<IntentId> {
    const stops = orders.filter(({ terms }) => terms.trigger !== undefined);
    return new Set([...this.#givenUp, ...stops.map(({ intentId }) => intentId)]);
  }

  /** The want counts as flat: its stop was hit, or the position was bare for too long. */
  get isOut(): boolean {
    return this.guard.isOut || this.#bareLimit?.isOver === true;
  }

  /** `undefined`: it is not out. */
  get outBy(): OutBy | undefined {
    if (this.#bareLimit?.isOver === true) return 'bare-limit';
    if (!this.guard.isOut) return undefined;
    return this.#isOutBare ? 'bare-limit' : 'stop';
  }

  /** What the want counts as. */
  standing(want: StandingWant): StandingWant {
    return this.isOut ? FLAT_WANT : want;
  }

  /** Event time from which the position is bare for too long; Infinity: no such time is to come. */
  get bareDueAt(): number {
    return this.#bareLimit?.dueAt ?? Number.POSITIVE_INFINITY;
  }

  /** `bareDueAt` has come. From here on no stop that was hit before is left the time to close the position. */
  bareDue(): void {
    this.#bareLimit?.due();
    if (!this.guard.isOut) this.#isOutBare = true;
    this.guard.hit(0, false);
  }

  /** `plan` of the orders without a trigger, and `planStop` of the others. */
  plan(
    want: StandingWant,
    position: Lots,
    orders: readonly OwnOrder[],
    ended: EndedOrders,
    lot: number,
    most: number,
  ): Plan {
    const stops = orders.filter(({ terms }) => terms.trigger !== undefined);
    const others = orders.filter(({ terms }) => terms.trigger === undefined);
    const { cancel, place, wait } = plan(want, position, others, ended, lot, most);
    const stop = planStop(want, position, stops, lot, most);
    if (this.#told.size > 0 && want.kind === 'position') this.#adopt(want.stop, stops);
    const isLeft =
      this.guard.leavesItToOrder &&
      this.#bareLimit?.isOver !== true &&
      stops.some((order) => closes(order, position));
    return {
      cancel: [...cancel, ...stop.cancel],
      place: isLeft ? NONE : stop.place === undefined ? place : [...place, stop.place],
      wait: isLeft ? NONE : stop.wait === undefined ? wait : [...wait, stop.wait],
    };
  }

  /** Stops where the new want has its own guard that one: from now on they are its own. */
  #adopt(at: Ticks | undefined, stops: readonly OwnOrder[]): void {
    for (const { intentId, terms } of stops) if (terms.trigger?.ticks === at) this.#told.delete(intentId);
  }

  /** Position or orders may have changed. */
  look(now: number, market: Market, position: Position, orders: readonly OwnOrder[]): void {
    if (this.#clock === undefined) return;
    const { lots } = position;
    const price = Number.isNaN(this.lastPrice)
      ? (averageEntry(market, position)?.toNumber() ?? 0)
      : this.lastPrice;
    const isBare = !orders.some((order) => covers(order, lots));
    this.#clock.hold(now, (Math.abs(lots) / market.quantityGrid.scale) * price, isBare);
    this.#bareLimit?.look(this.#clock.bareSince);
  }

  /**
   * For how long positions were bare; `undefined` before the first want with a stop where no limit is set. `now`: venue ms.
   */
  bareExposure(now: number): BareExposure | undefined {
    return this.#clock?.at(now);
  }

  /** For how long the present position has been bare, ms; `undefined`: it is not, or nobody counts, as in `bareExposure`. */
  bareMs(now: number): number | undefined {
    const since = this.#clock?.bareSince;
    return since === undefined ? undefined : Math.max(0, now - since);
  }

  /** `undefined` where there is no limit. */
  bareUse(now: number): BareUse | undefined {
    const limit = this.#bareLimit;
    if (limit === undefined) return undefined;
    return { ms: this.bareMs(now) ?? 0, isOver: limit.isOver, hits: limit.hits };
  }
}

function isSamePosition(want: StandingWant, before: StandingWant): boolean {
  return want.kind === 'position' && before.kind === 'position' && want.lots === before.lots;
}

function hasStop(want: StandingWant): boolean {
  return want.kind === 'position' && want.stop !== undefined;
}

function hitAlready(
  { priceGrid }: Market,
  { lots, stop }: Extract<StandingWant, { kind: 'position' }>,
  asked: string,
): Misfit | undefined {
  if (stop === undefined) return undefined;
  const bound = textOf(priceGrid, stop);
  const [where, what] = lots > 0 ? ['above', 'long'] : ['below', 'short'];
  const reason = `stop-hit: the last trade must be ${where} the stop of a ${what} position, ${bound}, received ${asked}`;
  return { rule: 'stop-hit', asked, bound, reason };
}

/** The order closes the position, or a part of it, once its trigger fires. */
function closes({ terms, state }: OwnOrder, position: Lots): boolean {
  if (terms.trigger === undefined || state === 'pending-cancel') return false;
  return terms.side === 'sell' ? position > 0 : position < 0;
}

/** The venue holds it, and it closes the whole position once its trigger fires. */
function covers({ terms, state, leaves }: OwnOrder, position: Lots): boolean {
  if (terms.trigger === undefined || (state !== 'working' && state !== 'pending-cancel')) return false;
  return (terms.side === 'sell' ? position : -position) > 0 && leaves >= Math.abs(position);
}
