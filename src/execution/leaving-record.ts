import type { Lots } from '../model/grid.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { OrderTerms } from '../model/order.js';
import type { LeavingOrder } from '../ports/venue-api.js';
import type { TrackedOrder } from './tracked-order.js';

type Prep = Extract<JournalRecord, { kind: 'prep' }>;

/** That an order is about to leave. A class: its hash is worked out for journals only, and getters of literals are slow. */
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
