/** A journal counts in ticks and lots: what these are stays as fine as it was, whatever the venue makes of its filters. */
import type { Books } from '../execution/books.js';
import type { Chronicle } from '../execution/chronicle.js';
import type { JournalRecord } from '../model/journal-record.js';
import { defineMarketOn, type Market } from '../model/market.js';
import { marketSpecOf } from '../storage/market-spec.js';

/** The market on grids that hold all that the books have of its pair. */
export function onGridOfBooks(market: Market, books: Books): Market {
  const known = books.gridOf(market.pair);
  const price = Math.max(market.priceGrid.decimals, known?.price ?? 0);
  const quantity = Math.max(market.quantityGrid.decimals, known?.quantity ?? 0);
  if (price === market.priceGrid.decimals && quantity === market.quantityGrid.decimals) return market;
  // Tick × lot stays a whole number of units of money.
  const quotePrecision = Math.max(market.quotePrecision, price + quantity);
  return defineMarketOn({ price, quantity }, { ...marketSpecOf(market), quotePrecision });
}

/** What has to be written down before anything is counted on the grids of this market; `undefined`: it is known. */
export function gridRecordOf(
  { pair, priceGrid, quantityGrid }: Market,
  books: Books,
): Extract<JournalRecord, { kind: 'grid' }> | undefined {
  const known = books.gridOf(pair);
  const [price, quantity] = [priceGrid.decimals, quantityGrid.decimals];
  return known?.price === price && known.quantity === quantity
    ? undefined
    : { kind: 'grid', pair, price, quantity };
}

export function noteGrid(chronicle: Chronicle, market: Market): void {
  const record = gridRecordOf(market, chronicle.books);
  if (record !== undefined) chronicle.note(record, 'durable');
}
