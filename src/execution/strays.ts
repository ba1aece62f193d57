import type { OrderRecord } from '../model/venue-records.js';
import type { BookedIntent } from './books-state.js';
import type { Chronicle } from './chronicle.js';
import type { Claim } from './claim.js';
import type { ExecutionOptions } from './execution-options.js';
import { intentIdOf } from './intent-key.js';
import type { OwnOrders } from './own-orders.js';
import { TrackedOrder } from './tracked-order.js';

/**
 * Orders of ours that this session does not want: those of earlier lives, those that the network made of a POST that it
 * delivered twice, and those that show up after they were given up.
 */
export class Strays {
  readonly #options: ExecutionOptions;
  readonly #own: OwnOrders;
  readonly #chronicle: Chronicle;
  readonly #onUnwanted: (order: TrackedOrder) => void;
  #surplus = 0;

  /**
   * `onUnwanted` is called with each recovered order that is live at the venue according to the journal, except a stop: that
   * may guard the position for a while.
   */
  constructor(
    options: ExecutionOptions,
    own: OwnOrders,
    chronicle: Chronicle,
    onUnwanted: (order: TrackedOrder) => void,
  ) {
    this.#options = options;
    this.#own = own;
    this.#chronicle = chronicle;
    this.#onUnwanted = onUnwanted;
  }

  /** How many `surplus` and `late` orders the venue has shown. */
  get surplus(): number {
    return this.#surplus;
  }

  /**
   * Makes strays of the orders and doubts of earlier lives: this
   * session did not ask for them, yet follows each to its end.
   */
  recover(): void {
    const { pair } = this.#options.market;
    const { books } = this.#chronicle;
    for (const intent of books.intents(pair)) {
      if (intent.stage === 'sent') {
        const reason = 'the life that sent it ended before the answer';
        this.#chronicle.note({ kind: 'out', intent: intent.key, outcome: 'in-doubt', reason }, 'durable');
      }
      if (intent.stage !== 'sent' && intent.stage !== 'in-doubt') continue;
      const order = this.#stray(intent, 'recovered');
      order.stage = 'in-doubt';
      // The late bound counts from now: the sending is known in venue ms only, and the venue's clock may not be known yet.
      order.sentMono = this.#options.clock.monotonic();
      this.#own.add(order);
    }
    for (const { orderId, intent: key, fills } of books.openOrders(pair)) {
      const intent = books.intent(key);
      if (intent === undefined) continue;
      const order = this.#stray(intent, 'recovered');
      order.stage = 'live';
      order.orderId = orderId;
      for (const { id, lots } of fills) order.alreadyBooked(id, lots);
      this.#own.add(order);
      if (!order.guards) this.#onUnwanted(order);
    }
  }

  /** Makes a stray of an order that the venue shows and whose intent is bound to another order, or was given up. */
  found({ intent, as }: Claim, { id: orderId, pair }: OrderRecord): TrackedOrder {
    this.#surplus++;
    const { key } = intent;
    this.#options.log.error('the venue holds an order of ours that nobody wants', {
      pair,
      orderId,
      intent: key,
      as,
    });
    return this.#stray(intent, as === 'surplus' ? 'surplus' : 'late');
  }

  #stray(intent: BookedIntent, role: TrackedOrder['role']): TrackedOrder {
    const { key, terms, tag, sentAt, validUntil } = intent;
    const { market, visibilityMs: confirmMs, fenceMs, clock } = this.#options;
    const intentId = intentIdOf(this.#options.session, key);
    const order = new TrackedOrder({ key, intentId, market, terms, tag, confirmMs, clock, role });
    order.sentAt = sentAt;
    order.guards = role === 'recovered' && terms.trigger !== undefined && terms.reduceOnly;
    if (fenceMs !== undefined) order.validUntil = validUntil;
    return order;
  }
}
