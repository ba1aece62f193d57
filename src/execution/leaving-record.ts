import type { Lots } from '../model/grid.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { OrderTerms } from '../model/order.js';
import type { LeavingOrder } from '../ports/venue-api.js';
import type { TrackedOrder } from './tracked-order.js';

type Prep = Extract<JournalRecord, { kind: 'prep' }>;

/**
 * The PREP record: this order is about to leave. The getter works out the body's hash only when a journal asks for it; a
 * class, since getters of object literals are slow.
 */
export class LeavingRecord implements Prep {
  readonly kind = 'prep';
  readonly intent: Prep['intent'];
  readonly pair: string;
  readonly terms: OrderTerms;
  readonly tag: string | undefined;
  readonly sentAt: number;
  readonly validUntil: number | undefined;
  readonly wall: number;
  readonly position: Lots;
  readonly #request: LeavingOrder;

  constructor(
    { key, market, terms, tag, sentAt }: TrackedOrder,
    request: LeavingOrder,
    { position, wall }: Pick<Prep, 'position' | 'wall'>,
  ) {
    this.intent = key;
    this.pair = market.pair;
    this.terms = terms;
    this.tag = tag;
    this.sentAt = sentAt;
    this.wall = wall;
    this.position = position;
    this.validUntil = request.validUntil;
    this.#request = request;
  }

  get bodySha256(): string {
    return this.#request.bodySha256;
  }
}
