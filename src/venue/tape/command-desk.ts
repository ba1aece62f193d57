import type { Approved, CancelCommand, PlaceCommand } from '../../model/command.js';
import { InvariantError } from '../../model/errors.js';
import { type IntentId, optionsOf } from '../../model/order.js';
import type { ExecutionReport } from '../../model/report.js';
import type { Account, CoreFill, CoreOrder, DoneReason, Holding } from '../core/account.js';
import type { VenueCore } from '../core/venue-core.js';
import type { AccountSquare } from './account-square.js';
import type { AccountMargins } from './margin-bounds.js';

/**
 * Passes commands of one account on one market to the core, and turns what becomes of them into reports.
 *
 * The loss of a take-over (`money.md` §8.3) is neither a fee nor part of a fill. It is reported as the fee of the last
 * fill (below 0 where the insurance fund paid a debt), so that deposit, realised P&L, fees and funding add up to the
 * account's cash.
 */
export class CommandDesk {
  /**
   * Reports that nobody has taken yet, in order. It is one array for the life of the venue, and the reader empties it.
   */
  readonly reports: ExecutionReport[] = [];
  readonly #core: VenueCore;
  readonly #account: Account;
  readonly #holding: Holding;
  /** The intent whose order is entering the core at this moment, until its acceptance was reported. */
  #entering: IntentId | undefined;
  /** The venue ended the position, which may have moved cash that is in no fill. */
  #isUnsquared = false;
  readonly #square: AccountSquare;
  readonly #margins: AccountMargins;
  #hasFilled = false;
  /** The venue took orders or the position away, and nobody asked for it yet. */
  #isSeized = false;

  constructor(
    core: VenueCore,
    account: Account,
    {
      holding,
      margins,
      square,
    }: { readonly holding: Holding; readonly margins: AccountMargins; readonly square: AccountSquare },
  ) {
    this.#core = core;
    this.#account = account;
    this.#holding = holding;
    this.#margins = margins;
    this.#square = square;
    // The only one who listens: what else follows from a fill is done by him, since each listener is a call more.
    core.onFill((order, fill) => this.#onFill(order, fill));
    core.onDone((order, reason) => this.#onDone(order, reason));
  }

  execute(command: Approved, time: number): void {
    if (command.kind === 'place') this.#place(command, time);
    else this.#cancel(command, time);
  }

  /** After each step that may have reported anything. */
  square(): void {
    if (!this.#isUnsquared) return;
    this.#isUnsquared = false;
    const lost = this.#square.take();
    if (lost === 0n) return;
    const { reports } = this;
    const last = reports.findLastIndex(({ kind }) => kind === 'filled' || kind === 'late-fill');
    const report = reports[last];
    if (report?.kind !== 'filled' && report?.kind !== 'late-fill') return;
    const { id, orderId, time, side, lots, ticks, liquidity, fee } = report.fill;
    const fill = { id, orderId, time, side, lots, ticks, liquidity, fee: fee + lost };
    reports[last] = { ...report, fill };
  }

  /** The account had a fill on this market. */
  get hasFilled(): boolean {
    return this.#hasFilled;
  }

  /** Whether the venue has taken orders or the position away since this was last asked. */
  takeSeizure(): boolean {
    const isSeized = this.#isSeized;
    this.#isSeized = false;
    return isSeized;
  }

  #seize(): void {
    this.#isSeized = true;
    this.#square.seizures++;
  }

  #place({ intentId, pair, terms }: PlaceCommand, time: number): void {
    this.#entering = intentId;
    const request = { pair, terms, options: optionsOf(terms), intent: intentId };
    const placement = this.#core.place(this.#account, request, time);
    if (placement.kind === 'refused') {
      this.#entering = undefined;
      this.#report({ kind: 'rejected', intentId, reason: placement.reason, time });
    } else if (this.#entering !== undefined) {
      this.#intentOf(placement.order);
    }
  }

  #cancel({ intentId, orderId }: CancelCommand, time: number): void {
    const cancellation = this.#core.cancel(this.#account, orderId, time);
    if (cancellation.kind === 'refused') {
      this.#report({ kind: 'cancel-rejected', intentId, reason: cancellation.reason, time });
    }
  }

  /** Reports the acceptance of an order that is not in the core. */
  accepted(intentId: IntentId, orderId: string, time: number): void {
    this.#report({ kind: 'accepted', intentId, orderId, time });
  }

  /** Reports a fill of an accepted order that comes from an intent. */
  filled(intentId: IntentId, fill: CoreFill): void {
    this.#hasFilled = true;
    this.#margins.renew();
    this.#report({ kind: 'filled', intentId, fill, time: fill.time });
  }

  /** Reports that such an order was canceled on request. */
  canceled(intentId: IntentId, orderId: string, time: number): void {
    this.#report({ kind: 'canceled', intentId, orderId, reason: 'requested', time });
  }

  #onFill(order: CoreOrder, fill: CoreFill): void {
    if (order.holding !== this.#holding) return;
    if (order.intent !== undefined) {
      this.filled(this.#intentOf(order), fill);
      return;
    }
    // Executions by which the venue liquidates a position come from no intent.
    this.#hasFilled = true;
    this.#margins.renew();
    this.#report({ kind: 'late-fill', intentId: undefined, fill, time: fill.time });
    this.#seize();
    // The venue itself ended the position.
    if (this.#holding.lots === 0) this.#isUnsquared = true;
  }

  #onDone(order: CoreOrder, reason: DoneReason): void {
    if (order.holding !== this.#holding || order.intent === undefined) return;
    const intentId = this.#intentOf(order);
    if (reason === 'filled') return;
    if (reason === 'liquidation') this.#seize();
    this.#report({ kind: 'canceled', intentId, orderId: order.id, reason, time: order.updatedAt });
  }

  /** Appends by index: a `push` that V8 does not inline everywhere costs more than the report itself. */
  #report(report: ExecutionReport): void {
    this.reports[this.reports.length] = report;
  }

  /** Reports the acceptance of an entering order first, before other news of it. */
  #intentOf(order: CoreOrder): IntentId {
    const intentId = order.intent;
    if (intentId === undefined) {
      throw new InvariantError(`an order of the client must come from a command, received order ${order.id}`);
    }
    if (intentId === this.#entering) {
      this.#entering = undefined;
      this.accepted(intentId, order.id, order.acceptedAt);
    }
    return intentId;
  }
}
