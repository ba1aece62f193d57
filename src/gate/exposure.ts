import type { Command } from '../model/command.js';
import type { Lots } from '../model/grid.js';
import type { IntentId, OrderTerms } from '../model/order.js';
import type { ExecutionReport } from '../model/report.js';
import { signOf } from '../model/side.js';

interface Open {
  readonly intentId: IntentId;
  readonly terms: OrderTerms;
  leaves: number;
}

/**
 * The worst that can become of a pair: its position, and everything that may still fill on each side. Orders in flight
 * and in doubt count from the moment they are approved until the news that they are done.
 */
export class Exposure {
  /** A handful, so finding one is a short walk. */
  readonly #open: Open[] = [];
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
    return this.#open.length;
  }

  /** The venue's word for what is held before the session's first order. */
  adopt(position: Lots): void {
    this.#position = position;
  }

  approved(command: Command): void {
    if (command.kind === 'cancel') return;
    const { intentId, terms } = command;
    this.#open.push({ intentId, terms, leaves: terms.lots });
    this.#add(terms, terms.lots);
  }

  report(report: ExecutionReport): void {
    const at = this.#indexOf(report.intentId);
    const order = this.#open[at];
    if (order === undefined) return;
    switch (report.kind) {
      case 'filled':
        this.#position += signOf(report.fill.side) * report.fill.lots;
        order.leaves -= report.fill.lots;
        this.#add(order.terms, -report.fill.lots);
        if (order.leaves <= 0) this.#remove(at);
        break;
      case 'rejected':
      case 'canceled':
        this.#add(order.terms, -order.leaves);
        this.#remove(at);
        break;
      case 'accepted':
      case 'in-doubt':
      case 'cancel-rejected':
        break;
    }
  }

  #indexOf(intentId: IntentId): number {
    for (let i = 0; i < this.#open.length; i++) if (this.#open[i]?.intentId === intentId) return i;
    return -1;
  }

  #remove(at: number): void {
    if (at === this.#open.length - 1) this.#open.pop();
    else this.#open.splice(at, 1);
  }

  #add(terms: OrderTerms, lots: number): void {
    if (terms.reduceOnly) return;
    if (terms.side === 'buy') this.#buys += lots;
    else this.#sells += lots;
  }
}
