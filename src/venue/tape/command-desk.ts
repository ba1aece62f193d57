import type { Approved, CancelCommand, PlaceCommand } from '../../model/command.js';
import { InvariantError } from '../../model/errors.js';
import type { Money } from '../../model/money.js';
import type { IntentId } from '../../model/order.js';
import type { ExecutionReport } from '../../model/report.js';
import type { Account, CoreFill, CoreOrder, DoneReason, Holding } from '../core/account.js';
import type { VenueCore } from '../core/venue-core.js';

/**
 * Where commands of one account on one market reach the core, and where what becomes of them is said in reports.
 *
 * What a take-over leaves the account without (`money.md` §8.3) is no fee at the venue and in no fill. Here it is told as
 * the fee of the last fill, below 0 where the insurance fund paid a debt: the deposit, what fills realised, their fees and
 * the funding then come to the cash that there is.
 */
export class CommandDesk {
  /**
   * What happened and was not taken yet, in order. Whoever takes it empties it: one array for the life of the venue.
   */
  readonly reports: ExecutionReport[] = [];
  readonly #core: VenueCore;
  readonly #account: Account;
  readonly #holding: Holding;
  /** The intent whose order is entering the core just now, until its order is known. */
  #entering: IntentId | undefined;
  /** The venue ended the position, which may have moved cash beside the fills. */
  #isUnsquared = false;
  /** Cash beside realised P&L, fees and funding, units: the deposit, less what was told as a fee here. */
  #beside: Money;

  constructor(core: VenueCore, account: Account, holding: Holding) {
    this.#core = core;
    this.#account = account;
    this.#holding = holding;
    this.#beside = holding.cash.cash;
    core.onFill((order, fill) => this.#onFill(order, fill));
    core.onDone((order, reason) => this.#onDone(order, reason));
  }

  execute(command: Approved, time: number): void {
    if (command.kind === 'place') this.#place(command, time);
    else this.#cancel(command, time);
  }

  /** After each step that may have reported anything. `funding`: all that was received so far, units. */
  square(funding: Money): void {
    if (!this.#isUnsquared) return;
    this.#isUnsquared = false;
    const { cash, pnl, feesPaid } = this.#holding.cash;
    const lost = this.#beside + pnl - feesPaid + funding - cash;
    if (lost === 0n) return;
    this.#beside -= lost;
    const { reports } = this;
    const last = reports.findLastIndex(({ kind }) => kind === 'filled' || kind === 'late-fill');
    const report = reports[last];
    if (report?.kind !== 'filled' && report?.kind !== 'late-fill') return;
    const { id, orderId, time, side, lots, ticks, liquidity, fee } = report.fill;
    const fill = { id, orderId, time, side, lots, ticks, liquidity, fee: fee + lost };
    reports[last] = { ...report, fill };
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

  #onFill(order: CoreOrder, fill: CoreFill): void {
    if (order.account !== this.#account) return;
    const { time } = fill;
    // What the venue does with a position that it liquidates comes from no intent.
    if (order.intent === undefined) this.reports.push({ kind: 'late-fill', intentId: undefined, fill, time });
    else this.reports.push({ kind: 'filled', intentId: this.#intentOf(order), fill, time });
    // A position that the venue ended by itself.
    if (order.intent === undefined && this.#holding.lots === 0) this.#isUnsquared = true;
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
