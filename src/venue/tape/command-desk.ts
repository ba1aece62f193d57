import type { Approved, CancelCommand, PlaceCommand } from '../../model/command.js';
import { InvariantError } from '../../model/errors.js';
import type { IntentId } from '../../model/order.js';
import type { ExecutionReport } from '../../model/report.js';
import type { Account, CoreFill, CoreOrder, DoneReason } from '../core/account.js';
import type { VenueCore } from '../core/venue-core.js';

/** Where commands of one account reach the core, and where what becomes of them is said in reports. */
export class CommandDesk {
  /**
   * What happened and was not taken yet, in order. Whoever takes it empties it: one array for the life of the venue.
   */
  readonly reports: ExecutionReport[] = [];
  readonly #core: VenueCore;
  readonly #account: Account;
  /** The intent whose order is entering the core just now, until its order is known. */
  #entering: IntentId | undefined;

  constructor(core: VenueCore, account: Account) {
    this.#core = core;
    this.#account = account;
    core.onFill((order, fill) => this.#onFill(order, fill));
    core.onDone((order, reason) => this.#onDone(order, reason));
  }

  execute(command: Approved, time: number): void {
    if (command.kind === 'place') this.#place(command, time);
    else this.#cancel(command, time);
  }

  #place({ intentId, pair, terms }: PlaceCommand, time: number): void {
    this.#entering = intentId;
    const placement = this.#core.place(this.#account, { pair, terms, intent: intentId }, time);
    if (placement.kind === 'refused') {
      this.#entering = undefined;
      this.reports.push({ kind: 'rejected', intentId, reason: placement.reason, time });
    } else if (this.#entering !== undefined) {
      this.#intentOf(placement.order);
    }
  }

  #cancel({ intentId, orderId }: CancelCommand, time: number): void {
    const cancellation = this.#core.cancel(this.#account, orderId, time);
    if (cancellation.kind === 'refused') {
      this.reports.push({ kind: 'cancel-rejected', intentId, reason: cancellation.reason, time });
    }
  }

  #onFill(order: CoreOrder, { id, orderId, time, side, lots, ticks, liquidity, fee }: CoreFill): void {
    if (order.account !== this.#account) return;
    const fill = { id, orderId, time, side, lots, ticks, liquidity, fee };
    // What the venue does with a position that it liquidates comes from no intent.
    if (order.intent === undefined) this.reports.push({ kind: 'late-fill', intentId: undefined, fill, time });
    else this.reports.push({ kind: 'filled', intentId: this.#intentOf(order), fill, time });
  }

  #onDone(order: CoreOrder, reason: DoneReason): void {
    if (order.account !== this.#account || order.intent === undefined) return;
    const intentId = this.#intentOf(order);
    if (reason === 'filled') return;
    this.reports.push({ kind: 'canceled', intentId, orderId: order.id, reason, time: order.updatedAt });
  }

  /** The acceptance of the order that is entering comes before its other news. */
  #intentOf(order: CoreOrder): IntentId {
    const intentId = order.intent;
    if (intentId === undefined) {
      throw new InvariantError(`an order of the client must come from a command, received order ${order.id}`);
    }
    if (intentId === this.#entering) {
      this.#entering = undefined;
      this.reports.push({ kind: 'accepted', intentId, orderId: order.id, time: order.acceptedAt });
    }
    return intentId;
  }
}
