import type { Approved } from '../../model/command.js';
import { wholeSteps } from '../../model/grid.js';
import type { LoneOrder, LoneOrders } from '../core/lone-orders.js';
import type { TapePrints } from '../liquidity.js';
import type { CommandDesk } from './command-desk.js';
import type { QueueModel } from './queue-model.js';

/** What a lone order has to do with. */
export interface LoneTakerParts {
  readonly orders: LoneOrders;
  /** Where what becomes of it is told. */
  readonly desk: CommandDesk;
  readonly model: QueueModel;
  /** How long it waits for prints, ms. */
  readonly windowMs: number;
}

/**
 * The MARKET order of an account that has nothing else working, while it waits for prints of its side: what `LoneOrders`
 * is for. It has the market to itself, so a print needs but three comparisons. Whatever else happens, `join` comes first.
 */
export class LoneTaker {
  readonly #orders: LoneOrders;
  readonly #desk: CommandDesk;
  readonly #model: QueueModel;
  readonly #windowMs: number;
  #order: LoneOrder | undefined;
  /** Prints come by row, and nothing but rows and commands moves the account. */
  #isOpen = false;
  #isRetired = false;
  /** Of the order that waits. */
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

  /** The last moment of its window, ms; Infinity when none waits. */
  get deadline(): number {
    return this.#deadline;
  }

  /** Prints come by row from now on, or one by one. */
  setOpen(isOpen: boolean): void {
    if (!isOpen) this.join();
    this.#isOpen = isOpen && !this.#isRetired;
  }

  /** Margins are looked at from now on, which is the core's business, and so is everything that follows. */
  retire(): void {
    this.#isRetired = true;
    this.setOpen(false);
  }

  /** A command arrives. False when it is one for the core. */
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

  /** A print of this aggressor, which comes before its window ends, passes it by. */
  isPassing(time: number, isBuyerMaker: boolean): boolean {
    return this.#isBuy === isBuyerMaker && this.#deadline >= time;
  }

  /** The print of a row. False when it takes the core: the order has joined it. */
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

  /** It goes on in the core. Harmless when none waits; always false. */
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
