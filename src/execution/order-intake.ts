import type { Market } from '../model/market.js';
import { compareIds } from '../model/trade.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Chronicle } from './chronicle.js';
import { claimOf, type Claim } from './claim.js';
import { isOrderOf } from './fingerprint.js';
import type { OwnOrders } from './own-orders.js';
import type { TrackedOrder } from './tracked-order.js';

export interface OrderIntakeOptions {
  readonly market: Market;
  readonly own: OwnOrders;
  readonly chronicle: Chronicle;
  /** The venue echoes tags. */
  readonly echo: boolean;
  /** How long after its sending the venue may still execute a request, ms (`reliability.md` A2). */
  readonly lateMs: number;
  /** Makes a stray of an order that nobody wants. */
  readonly strayOf: (claim: Claim, record: OrderRecord) => TrackedOrder;
}

/** What becomes of orders that are taken in. */
export interface OrderIntakeEvents {
  /** Called with an order that is nobody's or, so far, not known to be ours. */
  readonly onForeign: (record: OrderRecord) => void;
  /** Called with an order of ours that has to be canceled. */
  readonly onUnwanted: (order: TrackedOrder) => void;
  /** Called after a stop of an earlier life that guards a position was found. */
  readonly onGuard: () => void;
}

/** Takes in orders that the venue shows: updates known ones, and binds each unknown one to an intent or calls it foreign. */
export class OrderIntake {
  readonly #options: OrderIntakeOptions;
  readonly #events: OrderIntakeEvents;

  constructor(options: OrderIntakeOptions, events: OrderIntakeEvents) {
    this.#options = options;
    this.#events = events;
  }

  /** `readAt`: monotonic ms at which the read of the records began. */
  take(records: readonly OrderRecord[], readAt: number): void {
    // Of two orders that could belong to one intent, the older is the intent's own. Ids tell the age: a record's time is
    // that of its last update.
    for (const record of [...records].sort((a, b) => compareIds(a.id, b.id))) this.#takeOne(record, readAt);
  }

  #takeOne(record: OrderRecord, readAt: number): void {
    const { own, chronicle, market, echo, lateMs } = this.#options;
    const known = own.withOrderId(record.id);
    if (known !== undefined) {
      own.take(known, record, readAt);
      return;
    }
    if (chronicle.books.order(record.id) !== undefined) return;
    const claim = claimOf(chronicle.books, market, { echo, lateMs }, record);
    if (claim === undefined) {
      this.#events.onForeign(record);
      return;
    }
    const order = own.get(claim.intent.key);
    // The answer to its POST is still under way and will tell.
    if (order?.stage === 'sent' || order?.stage === 'queued') return;
    // The same goes for a POST with the same terms: until its answer is there, this order may belong to either intent.
    if (!echo && this.#mayBeUnderWay(record)) {
      this.#events.onForeign(record);
      return;
    }
    // Also an order whose verdict was `disputed`: it still waits to be found.
    if (claim.as !== 'surplus' && order?.stage === 'in-doubt') {
      own.accept(order, record, readAt, claim.evidence);
    } else this.#acceptStray(claim, record, readAt);
  }

  #acceptStray(claim: Claim, record: OrderRecord, readAt: number): void {
    const { own, strayOf } = this.#options;
    const recovered = own.strays().find(({ key, stage }) => key === claim.intent.key && stage === 'in-doubt');
    const stray = recovered ?? strayOf(claim, record);
    if (recovered === undefined) own.add(stray);
    own.accept(stray, record, readAt, claim.evidence);
    if (stray.guards) this.#events.onGuard();
    else this.#events.onUnwanted(stray);
  }

  /**
   * A POST without an answer may have made this order. Times are ignored: our estimate of the venue's clock may be wrong.
   */
  #mayBeUnderWay(record: OrderRecord): boolean {
    const { own, market } = this.#options;
    const sentAt = Number.NEGATIVE_INFINITY;
    return own.at('sent').some(({ terms }) => isOrderOf(market, { terms, tag: undefined, sentAt }, record));
  }
}
