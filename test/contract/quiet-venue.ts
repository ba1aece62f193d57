import { CATALOGUE, ASSETS, LISTED_OPTIONS } from '../../src/venue/catalogue.js';
import { defineMarket } from '../../src/model/market.js';
import type { Ticks } from '../../src/model/grid.js';
import { VenueCore } from '../../src/venue/core/venue-core.js';
import type { Customer } from './door.js';
import { ManualClock } from './manual-clock.js';

export const CUSTOMERS: readonly Customer[] = ['anna', 'bert', 'cleo'];
/** What each customer starts with. */
export const CASH = 100_000;
/** A full hour, so that the next funding is an hour away. */
export const START = 1_760_004_000_000;
/** Of the fees, while a customer holds the token. */
export const DISCOUNT = 0.1;

const INDEX: Readonly<Record<string, number>> = { USD_BTC_PERP: 600_000, USD_ETH_PERP: 250_000 };

/**
 * The suite's own venue: every market of the catalogue as a book in which nobody trades but the cards, the index at
 * 60 000 (BTC) and 2 500 (ETH), three customers with cash, an empty insurance fund, and a clock that stands.
 */
export function quietVenue() {
  const clock = new ManualClock(START);
  const markets = [...CATALOGUE.map(({ spec }) => spec), ...LISTED_OPTIONS].map(defineMarket);
  const core = new VenueCore({
    markets: markets.map((market) => ({ market, prices: 'index' as const })),
    assets: ASSETS,
    commissionDiscount: { rate: DISCOUNT },
  });
  for (const name of CUSTOMERS) core.openAccount(name, { USD: CASH });
  // An index holds from the next update on, which is at START.
  for (const [pair, ticks] of Object.entries(INDEX)) core.setIndex(pair, ticks as Ticks, START - 1);
  core.advance(START);
  const accounts = CUSTOMERS.map((account) => ({ ...keysOf(account), account }));
  return { core, clock, markets, accounts };
}

export function keysOf(who: Customer): { readonly key: string; readonly secret: string } {
  return { key: `${who}-key`, secret: `${who}-secret` };
}
