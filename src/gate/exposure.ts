import type { Command } from '../model/command.js';
import type { Lots } from '../model/grid.js';
import type { IntentId, OrderTerms } from '../model/order.js';
import type { ExecutionReport } from '../model/report.js';
import { signOf } from '../model/side.js';

interface Open {
  readonly terms: OrderTerms;
  leaves: number;
}

/**
 * The worst that can become of a pair: its position, and everything that may still fill on each side. Orders in flight
 * and in doubt count from the moment they are approved until the news that they are done.
 */
export class Exposure {
  readonly #open = new Map<IntentId, Open>();
  #position = 0;
  #buys = 0;
  #sells = 0;

  /** Signed, lots. */
  get position(): Lots {
    return this.#position as Lots;
  }

  /** What may still be bought, reduce-only orders aside; lots. */
  get workingBuys(): Lots {
    return this.#buys as Lots;
  }

  get workingSells(): Lots {
    return this.#sells as Lots;
  }

  get openOrders(): number {
    return this.#open.size;
  }

  /** The venue's word for what is held before the session's first order. */
  adopt(position: Lots): void {
    this.#position = position;
  }

  approved(command: Command): void {
    if (command.kind === 'cancel') return;
    this.#open.set(command.intentId, { terms: command.terms, leaves: command.terms.lots });
    this.#add(command.terms, command.terms.lots);
  }

  report(report: ExecutionReport): void {
    const order = this.#open.get(report.intentId);
    if (order === undefined) return;
    switch (report.kind) {
      case 'filled':
        this.#position += signOf(report.fill.side) * report.fill.lots;
        order.leaves -= report.fill.lots;
        this.#add(order.terms, -report.fill.lots);
        if (order.leaves <= 0) this.#open.delete(report.intentId);
        break;
      case 'rejected':
      case 'canceled':
        this.#add(order.terms, -order.leaves);
        this.#open.delete(report.intentId);
        break;
      case 'accepted':
      case 'in-doubt':
      case 'cancel-rejected':
        break;
    }
  }

  #add(terms: OrderTerms, lots: number): void {
    if (terms.reduceOnly) return;
    if (terms.side === 'buy') this.#buys += lots;
    else this.#sells += lots;
  }
}
