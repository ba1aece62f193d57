import type { IntentId, OrderTerms } from '../model/order.js';
import { compareIds } from '../model/trade.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Log } from '../ports/log.js';
import type { PrivateVenueApi } from '../ports/venue-api.js';

/** An intent whose POST proved nothing: the order may exist, may come to exist, or never will. */
export interface Doubt {
  readonly intentId: IntentId;
  readonly pair: string;
  readonly terms: OrderTerms;
  /** What the venue echoes in the order's record, where it does. */
  readonly tag: string | undefined;
  /** Venue ms when the POST left. */
  readonly sentAt: number;
}

/** `absent` is a proof that it will never exist, not the lack of a trace; `open` asks for another look later. */
export type Verdict =
  | { readonly kind: 'present'; readonly order: OrderRecord }
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'open' };

/** Where doubt is turned into knowledge (`reliability.md` b.5). May be asked about one intent again and again. */
export interface DoubtResolver {
  resolve(doubt: Doubt): Promise<Verdict>;
}

/** Error of the venue's clock, and of ours about it, ms. */
const SKEW_MS = 10_000;

/** Knows presence only, and only by an echoed tag: without that proof an intent stays in doubt. */
export class PresenceByTag implements DoubtResolver {
  readonly #api: Pick<PrivateVenueApi, 'orders'>;
  readonly #log: Log;
  readonly #limit: number;

  constructor(api: Pick<PrivateVenueApi, 'orders'>, log: Log, limit: number) {
    this.#api = api;
    this.#log = log;
    this.#limit = limit;
  }

  async resolve({ intentId, pair, tag, sentAt }: Doubt): Promise<Verdict> {
    if (tag === undefined) return { kind: 'open' };
    // An order's time is that of its last update, so the window has no end.
    const records = await this.#api.orders('all', { pair, from: sentAt - SKEW_MS, limit: this.#limit });
    const [order, ...surplus] = records
      .filter(({ oco }) => oco === tag)
      .sort((a, b) => a.time - b.time || compareIds(a.id, b.id));
    if (order === undefined) return { kind: 'open' };
    if (surplus.length > 0) {
      this.#log.error('one intent has several orders', { pair, intentId, orders: surplus.length + 1 });
    }
    return { kind: 'present', order };
  }
}
