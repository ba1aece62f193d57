import type { StandingWant } from '../engine/standing-want.js';
import { textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';

/** What a strategy wants now, in words, for people. */
export function wantText(market: Market, want: StandingWant): string {
  switch (want.kind) {
    case 'none':
      return 'nothing yet';
    case 'flat':
      return 'flat';
    case 'position':
      return `position ${textOf(market.quantityGrid, want.lots)} ${market.base}`;
    case 'quote':
      return (
        [want.bid, want.ask]
          .flatMap((terms) => (terms === undefined ? [] : [termsText(market, terms)]))
          .join('   ') || 'no quotes'
      );
    case 'orders':
      return want.orders.map((terms) => termsText(market, terms)).join('   ') || 'no orders';
  }
}

function termsText(market: Market, { side, lots, ticks }: OrderTerms): string {
  const price = ticks === undefined ? 'market' : textOf(market.priceGrid, ticks);
  return `${side} ${textOf(market.quantityGrid, lots)} @ ${price}`;
}
