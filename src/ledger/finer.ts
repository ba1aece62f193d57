/** Steps and money of a market that became finer: what is kept in those of before, restated without loss. */
import type { Lots, Ticks } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { Money } from '../model/money.js';
import type { Books } from './books.js';
import type { LedgerEntry } from './entry.js';

/** How many of the present steps and units one of before is; powers of ten, at least 1. */
export interface Finer {
  readonly pair: string;
  readonly lots: number;
  readonly ticks: number;
  readonly money: Money;
}

/** `now` is the same market on grids and in money at least as fine. */
export function finerOf(before: Market, now: Market): Finer {
  return {
    pair: now.pair,
    lots: now.quantityGrid.scale / before.quantityGrid.scale,
    ticks: now.priceGrid.scale / before.priceGrid.scale,
    money: 10n ** BigInt(now.quotePrecision - before.quotePrecision),
  };
}

/** Amounts stay as they are: those of the ledger are in its own units. */
export function restateBooks(books: Books, { pair, lots }: Finer): void {
  const book = books.pairs.get(pair);
  if (book !== undefined) book.lots = (book.lots * lots) as Lots;
  books.differences = books.differences.map((each) =>
    each.pair === pair
      ? { ...each, ours: (each.ours * lots) as Lots, venue: (each.venue * lots) as Lots }
      : each,
  );
}

export function restated(entry: LedgerEntry, { pair, lots, ticks, money }: Finer): LedgerEntry {
  if (entry.kind === 'cut') {
    const positions = entry.cut.positions.map((each) =>
      each.pair === pair ? { ...each, lots: (each.lots * lots) as Lots } : each,
    );
    return { ...entry, cut: { ...entry.cut, positions } };
  }
  if (entry.kind !== 'fill' || entry.pair !== pair) return entry;
  const { fill } = entry;
  return {
    ...entry,
    fill: {
      ...fill,
      lots: (fill.lots * lots) as Lots,
      ticks: (fill.ticks * ticks) as Ticks,
      fee: fill.fee * money,
    },
  };
}
