import type { Approved } from '../../model/command.js';
import { wholeSteps } from '../../model/grid.js';
import type { LoneOrder, LoneOrders } from '../core/lone-orders.js';
import type { TapePrints } from '../liquidity.js';
import type { CommandDesk } from './command-desk.js';
import type { QueueModel } from './queue-model.js';

/** The parts of the venue that a lone order uses. */
export interface LoneTakerParts {
  readonly orders: LoneOrders;
  /** Reports what becomes of the order. */
  readonly desk: CommandDesk;
  readonly model: QueueModel;
  /** How long the order waits for prints, ms. */
  readonly windowMs: number;
}

/**
 * Handles the MARKET order of an account without any other working order, while it waits for prints of its side (see
 * `LoneOrders`). Without other orders a print costs only three comparisons. Before anything else happens, `join` must
 * hand the order to the core.
 */
export class LoneTaker {
  readonly #orders: LoneOrders;
  readonly #desk: CommandDesk;
  readonly #model: QueueModel;
  readonly #windowMs: number;
  #order: LoneOrder | undefined;
  /** Prints come by rows, and only rows and commands change the account, so a lone order may be taken. */
  #isOpen = false;
  #isRetired = false;
  /** Facts of the order that waits. */
  #since = 0;
  #isBuy = false;
  #deadline = Number.POSITIVE_INFINITY;
  isWaiting = false;

  constructor({ orders, desk, model, windowMs }: LoneTakerParts) {
    this.#orders = orders;
    this.#desk = desk;
    this.#model = model;
    this.#windowMs = windowMs;
  }

  /** The end of its window, ms, inclusive; Infinity when no order waits. */
  get deadline(): number {
    return this.#deadline;
  }

  /** `isOpen`: prints come by rows from now on; otherwise one by one. */
  setOpen(isOpen: boolean): void {
    if (!isOpen) this.join();
    this.#isOpen = isOpen && !this.#isRetired;
  }

  /** The core has to check margins from now on, so it must have every order. */
  retire(): void {
    this.#isRetired = true;
    this.setOpen(false);
  }

  /** Takes a command. False when the command is one for the core. */
  take(command: Approved, time: number): boolean {
    if (command.kind === 'cancel') return this.#cancel(command.orderId, time);
    if (this.isWaiting || !this.#isOpen) return false;
    const order = this.#orders.accept(command.intentId, command.terms, time);
    if (order === undefined) return false;
    this.#order = order;
    this.#since = time;
    this.#isBuy = order.side === 'buy';
    this.#deadline = time + this.#windowMs;
    this.isWaiting = true;
    this.#desk.accepted(order.intent, order.id, time);
    return true;
  }

  /** Whether a print of this aggressor, within the window, cannot fill the order. */
  isPassing(time: number, isBuyerMaker: boolean): boolean {
    return this.#isBuy === isBuyerMaker && this.#deadline >= time;
  }

  /** Handles the print of a row. False when the core has to handle it: the order has joined the core. */
  printRow(prints: TapePrints, row: number): boolean {
    const order = this.#order;
    const time = prints.time[row] as number;
    if (order === undefined || this.#deadline < time) return this.join();
    if (this.#since >= time || prints.isOwn?.[row] === 1) return true;
    if (this.#isBuy === (prints.isBuyerMaker[row] === 1)) return true;
    const ticks = this.#model.takerTicks(prints.price[row] as number, order.side, order.limitTicks);
    if (ticks === undefined) return true;
    const lots = wholeSteps(this.#model.quantityGrid, prints.quantity[row] as number);
    if (!(lots > 0)) return true;
    const fill = this.#orders.execute(order, lots, ticks, time);
    if (fill === undefined) return this.join();
    this.#desk.filled(order.intent, fill);
    if (order.leaves === 0) this.#forget();
    return true;
  }

  /** Hands the order to the core. Does nothing when none waits; always returns false. */
  join(): false {
    const order = this.#order;
    if (order === undefined) return false;
    this.#forget();
    this.#orders.join(order);
    return false;
  }

  #cancel(orderId: string, time: number): boolean {
    const order = this.#order;
    if (order?.id !== orderId) return false;
    this.#forget();
    this.#desk.canceled(order.intent, orderId, time);
    return true;
  }

  #forget(): void {
    this.#order = undefined;
    this.#deadline = Number.POSITIVE_INFINITY;
    this.isWaiting = false;
  }
}
