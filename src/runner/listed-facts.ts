import { type Finer, finerOf } from '../ledger/finer.js';
import type { LedgerFacts } from '../ledger/ledger.js';
import { precisionsOf } from '../ledger/read-records.js';
import { defineMarketOn, type Market } from '../model/market.js';
import type { FillRecord } from '../model/venue-records.js';
import type { PublicCalls } from '../ports/venue-api.js';
import { marketSpecOf } from '../storage/market-spec.js';

type FactsApi = Pick<PublicCalls, 'markets' | 'assets'>;

/**
 * Facts of a ledger: grow as the venue lists more. What is known stays, so that all bookings use the same, except that the
 * steps and the money of a market become finer when the venue's do.
 */
export class ListedFacts implements LedgerFacts {
  readonly markets: Map<string, Market>;
  readonly precisions: Map<string, number>;
  readonly funding = 'stated';
  readonly #own: string;
  #isRead = false;

  /** `own`: the market whose fills the ledger hears, in ticks and lots that may be finer than what the venue lists. */
  constructor(own: Market) {
    this.#own = own.pair;
    this.markets = new Map([[own.pair, own]]);
    this.precisions = new Map([[own.quote, own.quotePrecision]]);
  }

  /** The venue has said what it lists. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /**
   * Reads the venue's lists. Resolves to true when they hold something new. `became` is told of each market that is finer
   * now, at the moment at which the facts change.
   *
   * @throws VenueError
   */
  async read(api: FactsApi, became?: (finer: Finer) => void): Promise<boolean> {
    const markets = await api.markets();
    const precisions = precisionsOf(markets.values(), await api.assets());
    this.#isRead = true;
    let isNew = false;
    for (const [pair, listed] of markets) {
      const known = this.markets.get(pair);
      // A session keeps the steps of its own market for life.
      const now = known === undefined ? listed : pair === this.#own ? known : finerMarket(known, listed);
      if (now === known) continue;
      this.markets.set(pair, now);
      isNew = true;
      if (known !== undefined) became?.(finerOf(known, now));
    }
    for (const [asset, digits] of precisions) {
      const known = this.precisions.get(asset);
      if (known !== undefined && known >= digits) continue;
      this.precisions.set(asset, digits);
      isNew = true;
    }
    return isNew;
  }
}

/** The market as it is listed, but nowhere coarser than it is known; what is known where that is as fine. */
function finerMarket(known: Market, listed: Market): Market {
  const { priceGrid, quantityGrid, quotePrecision } = known;
  const isFiner =
    listed.priceGrid.decimals > priceGrid.decimals ||
    listed.quantityGrid.decimals > quantityGrid.decimals ||
    listed.quotePrecision > quotePrecision;
  if (!isFiner) return known;
  const price = Math.max(priceGrid.decimals, listed.priceGrid.decimals);
  const quantity = Math.max(quantityGrid.decimals, listed.quantityGrid.decimals);
  return defineMarketOn(
    { price, quantity },
    {
      ...marketSpecOf(listed),
      quotePrecision: Math.max(quotePrecision, listed.quotePrecision, price + quantity),
    },
  );
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
