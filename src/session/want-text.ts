import type { StandingWant } from '../engine/standing-want.js';
import type { OutBy } from '../engine/stop-desk.js';
import { textOf, type Ticks } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';

const OUT: Readonly<Record<OutBy, string>> = {
  stop: 'stopped out',
  'bare-limit': 'without a stop for limits.maxBareTime',
};

/** What a strategy wants now, in words, for people. `outBy`: it is stopped out. */
export function wantText(market: Market, want: StandingWant, outBy?: OutBy): string {
  const text = plainText(market, want);
  return outBy === undefined || want.kind === 'flat' ? text : `${text} (${OUT[outBy]}: it counts as flat)`;
}

function plainText(market: Market, want: StandingWant): string {
  switch (want.kind) {
    case 'none':
      return 'nothing yet';
    case 'flat':
      return 'flat';
    case 'position':
      return `position ${textOf(market.quantityGrid, want.lots)} ${market.base}${stopText(market, want.stop)}`;
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

function stopText({ priceGrid }: Market, stop: Ticks | undefined): string {
  return stop === undefined ? '' : `, stop ${textOf(priceGrid, stop)}`;
}

function termsText(market: Market, { side, lots, ticks }: OrderTerms): string {
  const price = ticks === undefined ? 'market' : textOf(market.priceGrid, ticks);
  return `${side} ${textOf(market.quantityGrid, lots)} @ ${price}`;
}
