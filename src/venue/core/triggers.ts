import type { Ticks } from '../../model/grid.js';
import type { Side } from '../../model/side.js';
import type { CancelReason, CoreOrder, DoneReason } from './account.js';
import { admissionRefusal } from './admission.js';
import type { Ledger } from './ledger.js';
import type { MarketState } from './market-state.js';
import type { OcoGroup } from './oco-groups.js';
import { TriggerQueue } from './trigger-queue.js';

/** What firing a trigger needs of the market's matcher. */
export interface FiringMarket {
  readonly state: MarketState;
  marketLimit(side: Side): Ticks | undefined;
  foresee(order: CoreOrder, now: number): CancelReason | undefined;
  enter(order: CoreOrder, now: number): void;
  end(order: CoreOrder, reason: DoneReason, now: number): void;
  strike(order: CoreOrder, group: OcoGroup<CoreOrder>, now: number): void;
  /** Prices strictly between these two reach no waiting trigger; quote units. */
  heed(above: number, below: number): void;
}

/**
 * The conditional orders of one market. While they wait they are in no book and reserve nothing. When their price is
 * reached they enter matching as new orders with the same id, or stay triggers with the reason of their refusal
 * (`money.md` §4).
 */
export class Triggers {
  readonly #market: FiringMarket;
  readonly #ledger: Ledger;
  readonly #queue = new TriggerQueue();

  constructor(market: FiringMarket, ledger: Ledger) {
    this.#market = market;
    this.#ledger = ledger;
  }

  wait(order: CoreOrder): void {
    order.status = 'untriggered';
    order.account.waiting.add(order);
    if (order.special?.group !== undefined) order.holding.oco.wait(order);
    this.#queue.add(order, this.#market.state.eventPrices);
    this.#tell();
  }

  /** To be called when the order was canceled. */
  remove(order: CoreOrder): void {
    order.account.waiting.delete(order);
    this.#queue.remove(order);
    this.#tell();
  }

  /** A price has changed: triggers that it reaches are due, and fire in their turn. */
  update(): void {
    this.#queue.update(this.#market.state.eventPrices);
    this.#tell();
  }

  /** The trigger that fires next; `undefined` when none is due. */
  get next(): CoreOrder | undefined {
    return this.#queue.next;
  }

  fire(order: CoreOrder, now: number): void {
    const { holding, terms, options, special } = order;
    const market = this.#market;
    if (special === undefined) return;
    order.account.waiting.delete(order);
    order.updatedAt = now;
    special.isFiring = true;
    if (options.closeOnTrigger === true) this.#makeRoom(order, now);
    const limit = terms.ticks ?? market.marketLimit(terms.side);
    // Without any price in the market, a MARKET order is canceled on arrival.
    order.limitTicks = limit ?? (0 as Ticks);
    const refusal = admissionRefusal(holding, terms, limit, this.#ledger);
    if (refusal !== undefined) special.message = `Order was rejected due to ${refusal}`;
    const { group } = special;
    const reason =
      refusal !== undefined
        ? 'trigger refused'
        : group === undefined
          ? undefined
          : market.foresee(order, now);
    if (reason === undefined) {
      if (group !== undefined) {
        holding.oco.wake(order);
        market.strike(order, group, now);
      }
      order.status = 'active';
      market.enter(order, now);
    } else {
      market.end(order, reason, now);
    }
    special.isFiring = false;
  }

  #tell(): void {
    this.#market.heed(this.#queue.above, this.#queue.below);
  }

  /** Cancels the other working orders of its side, so that nothing competes with a close. */
  #makeRoom(order: CoreOrder, now: number): void {
    for (let other = order.holding.firstWorking; other !== undefined; ) {
      const next: CoreOrder | undefined = other.nextWorking;
      if (other.side === order.side && !other.isLiquidation) this.#market.end(other, 'close on trigger', now);
      other = next;
    }
  }
}
