import type { Command } from '../model/command.js';
import type { Fill } from '../model/fill.js';
import type { Lots } from '../model/grid.js';
import type { IntentId, OrderTerms } from '../model/order.js';
import type { ExecutionReport } from '../model/report.js';
import { type Side, signOf } from '../model/side.js';

interface Open {
  readonly intentId: IntentId;
  readonly terms: OrderTerms;
  leaves: number;
}

/**
 * Exposure kept for an order that was judged not placed, in case it shows up late after all. It counts until `until`, venue
 * ms, or until late fills have used it up.
 */
export interface Reserve {
  /** `undefined` for an order of an earlier session. */
  readonly intentId: IntentId | undefined;
  readonly side: Side;
  readonly lots: Lots;
  readonly until: number;
}

/**
 * The worst case of a pair: its position and everything that may still fill on each side. An order counts from its approval
 * until a report ends it, in flight and in doubt included; an order that was given up counts as a `Reserve`.
 */
export class Exposure {
  /** Orders that are not done. A handful, so a linear search is fast. */
  readonly #open: Open[] = [];
  /** Rarely any. */
  #reserves: readonly Reserve[] = [];
  #reservedUntil = Number.POSITIVE_INFINITY;
  #position = 0;
  #buys = 0;
  #sells = 0;
  #reducingBuys = 0;
  #reducingSells = 0;

  /** `reserves`: orders that earlier sessions gave up. */
  constructor(reserves: readonly Reserve[] = []) {
    this.#reserve(reserves);
    for (const { side, lots } of reserves) this.#add(side, lots);
  }

  /** Signed, lots. */
  get position(): Lots {
    return this.#position as Lots;
  }

  /** Lots that open orders and reserves may still buy, without reduce-only orders. */
  get workingBuys(): Lots {
    return this.#buys as Lots;
  }

  /** Lots that open orders and reserves may still sell, without reduce-only orders; at least 0. */
  get workingSells(): Lots {
    return this.#sells as Lots;
  }

  /** Lots that reduce-only orders, also those that wait for their trigger, may buy of a short position. */
  get reducingBuys(): Lots {
    return this.#reducingBuys as Lots;
  }

  /** Lots that reduce-only orders, also those that wait for their trigger, may sell of a long position; at least 0. */
  get reducingSells(): Lots {
    return this.#reducingSells as Lots;
  }

  get openOrders(): number {
    return this.#open.length;
  }

  /** Venue ms at which the next reserve ceases to count; Infinity: there is none. */
  get reservedUntil(): number {
    return this.#reservedUntil;
  }

  /** Takes over the position that the venue shows before the session's first order. */
  adopt(position: Lots): void {
    this.#position = position;
  }

  approved(command: Command): void {
    if (command.kind === 'cancel') return;
    const { intentId, terms } = command;
    this.#open.push({ intentId, terms, leaves: terms.lots });
    this.#work(terms, terms.lots);
  }

  report(report: ExecutionReport): void {
    if (report.kind === 'late-fill') {
      this.#late(report.intentId, report.fill);
      return;
    }
    const at = this.#indexOf(report.intentId);
    // Reading index −1 would be a slow property lookup.
    if (at === -1) return;
    const order = this.#open[at] as Open;
    switch (report.kind) {
      case 'filled':
        this.#position += signOf(report.fill.side) * report.fill.lots;
        order.leaves -= report.fill.lots;
        this.#work(order.terms, -report.fill.lots);
        if (order.leaves <= 0) this.#remove(at);
        break;
      case 'rejected':
        this.#remove(at);
        if (report.reservedUntil === undefined || order.terms.reduceOnly) {
          this.#work(order.terms, -order.leaves);
        } else {
          // Its lots stay in the sum of their side, where they count already.
          const { intentId, terms } = order;
          const reserve = { intentId, side: terms.side, lots: order.leaves as Lots };
          this.#reserve([...this.#reserves, { ...reserve, until: report.reservedUntil }]);
        }
        break;
      case 'canceled':
        this.#work(order.terms, -order.leaves);
        this.#remove(at);
        break;
      case 'accepted':
      case 'in-doubt':
      case 'cancel-rejected':
        break;
    }
  }

  /** Drops the reserves whose time is over at `now`, venue ms. */
  release(now: number): void {
    if (now < this.#reservedUntil) return;
    for (const { side, lots, until } of this.#reserves) if (!(until > now)) this.#add(side, -lots);
    this.#reserve(this.#reserves.filter(({ until }) => until > now));
  }

  /** The largest |position| that may come about at `now` (venue ms), lots. For status pages: changes no state. */
  worstAt(now: number): Lots {
    let buys = this.#buys;
    let sells = this.#sells;
    for (const { side, lots, until } of this.#reserves) {
      if (until > now) continue;
      if (side === 'buy') buys -= lots;
      else sells -= lots;
    }
    return Math.max(
      worstOf(this.#position, this.#reducingBuys, buys),
      worstOf(-this.#position, this.#reducingSells, sells),
    ) as Lots;
  }

  /** Moves a late fill from the reserve of its order into the position, so that it never counts twice. */
  #late(intentId: IntentId | undefined, { side, lots }: Fill): void {
    this.#position += signOf(side) * lots;
    const reserve = this.#reserves.find((other) => other.intentId === intentId && other.side === side);
    if (reserve === undefined) return;
    const used = Math.min(lots, reserve.lots);
    this.#add(side, -used);
    const rest = { ...reserve, lots: (reserve.lots - used) as Lots };
    this.#reserve(this.#reserves.map((other) => (other === reserve ? rest : other)).filter(isLeft));
  }

  #reserve(reserves: readonly Reserve[]): void {
    this.#reserves = reserves;
    this.#reservedUntil = Math.min(Number.POSITIVE_INFINITY, ...reserves.map(({ until }) => until));
  }

  #indexOf(intentId: IntentId): number {
    for (let i = 0; i < this.#open.length; i++) if (this.#open[i]?.intentId === intentId) return i;
    return -1;
  }

  #remove(at: number): void {
    if (at === this.#open.length - 1) this.#open.pop();
    else this.#open.splice(at, 1);
  }

  #work({ side, reduceOnly }: OrderTerms, lots: number): void {
    if (!reduceOnly) this.#add(side, lots);
    else if (side === 'buy') this.#reducingBuys += lots;
    else this.#reducingSells += lots;
  }

  #add(side: Side, lots: number): void {
    if (side === 'buy') this.#buys += lots;
    else this.#sells += lots;
  }
}

function isLeft({ lots }: Reserve): boolean {
  return lots > 0;
}

/**
 * The largest |position|, lots, that orders of one side may lead to, seen from that side: `held` is above 0 where they add
 * to the position. Reduce-only ones may take off what is held on the other side before the `adding` ones fill, which then
 * enlarge what they were meant to turn round.
 */
export function worstOf(held: number, reducing: number, adding: number): number {
  const reduced = held < 0 ? Math.min(0, held + reducing) : held;
  return Math.abs(reduced + adding);
}

/**
 * As `worstOf`, with reduce-only orders that are still to come: none of them is refused, and they may take off all that is
 * held on the other side before the `adding` ones fill.
 */
export function worstWithExits(held: number, reducing: number, adding: number): number {
  const worst = worstOf(held, reducing, adding);
  return held < 0 ? Math.max(worst, adding) : worst;
}
