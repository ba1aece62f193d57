import type { LedgerFacts } from '../ledger/ledger.js';
import { precisionsOf } from '../ledger/read-records.js';
import type { Market } from '../model/market.js';
import type { FillRecord } from '../model/venue-records.js';
import type { PublicCalls } from '../ports/venue-api.js';

type FactsApi = Pick<PublicCalls, 'markets' | 'assets'>;

/**
 * Facts of a ledger: grow as the venue lists more. A fact that is known never changes, so that all bookings use the same.
 */
export class ListedFacts implements LedgerFacts {
  readonly markets: Map<string, Market>;
  readonly precisions: Map<string, number>;
  readonly funding = 'stated';
  #isRead = false;

  /** `own`: the market whose fills the ledger hears, in ticks and lots that may be finer than what the venue lists. */
  constructor(own: Market) {
    this.markets = new Map([[own.pair, own]]);
    this.precisions = new Map([[own.quote, own.quotePrecision]]);
  }

  /** The venue has said what it lists. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Reads the venue's lists. Resolves to true when they hold something new. @throws VenueError */
  async read(api: FactsApi): Promise<boolean> {
    const markets = await api.markets();
    const precisions = precisionsOf(markets.values(), await api.assets());
    this.#isRead = true;
    const added = [addNew(this.markets, markets), addNew(this.precisions, precisions)];
    return added.includes(true);
  }
}

function addNew<K, V>(known: Map<K, V>, listed: ReadonlyMap<K, V>): boolean {
  const { size } = known;
  for (const [name, fact] of listed) if (!known.has(name)) known.set(name, fact);
  return known.size > size;
}

/** Tells assets and pairs that the venue lists from those that it only shows, and keeps the names of the latter. */
export class Listed {
  readonly #facts: LedgerFacts;
  readonly #missing = new Set<string>();

  constructor(facts: LedgerFacts) {
    this.#facts = facts;
  }

  get missing(): readonly string[] {
    return [...this.#missing];
  }

  hasAsset(asset: string): boolean {
    return this.#has(this.#facts.precisions, asset);
  }

  hasPair(pair: string): boolean {
    return this.#has(this.#facts.markets, pair);
  }

  hasFill({ pair, netCommissionAsset: asset }: FillRecord): boolean {
    return this.hasPair(pair) && (asset === undefined || this.hasAsset(asset));
  }

  #has(listed: ReadonlyMap<string, unknown>, name: string): boolean {
    if (listed.has(name)) return true;
    this.#missing.add(name);
    return false;
  }
}
