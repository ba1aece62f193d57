import type { Lots, Ticks } from '../../model/grid.js';
import type { Book, BookSide, Restable } from './book.js';
import type { Fraction } from './fraction.js';
import type { Impact } from './prices.js';

/**
 * Average price of selling and buying `lots` at once (`money.md` §2). Uses only what the depth shows, so that anybody can
 * recompute it. `undefined` while a side shows less than that, and for 0 lots.
 */
export function impactOf<O extends Restable<O>>(book: Book<O>, lots: Lots): Impact | undefined {
  if (lots <= 0) return undefined;
  const bid = averageOver(book.bids, lots);
  const ask = bid === undefined ? undefined : averageOver(book.asks, lots);
  const bestBid = book.bids.bestDisplayed?.ticks as Ticks | undefined;
  const bestAsk = book.asks.bestDisplayed?.ticks as Ticks | undefined;
  if (bid === undefined || ask === undefined || bestBid === undefined || bestAsk === undefined)
    return undefined;
  return { bestBid, bestAsk, bid, ask };
}

function averageOver<O extends Restable<O>>(side: BookSide<O>, lots: Lots): Fraction | undefined {
  let left: number = lots;
  let sum = 0n;
  for (let rank = 0; left > 0; rank++) {
    const level = side.level(rank);
    if (level === undefined) return undefined;
    const taken = Math.min(left, level.lots);
    left -= taken;
    sum += BigInt(taken) * BigInt(level.ticks);
  }
  return { numerator: sum, denominator: BigInt(lots) };
}
