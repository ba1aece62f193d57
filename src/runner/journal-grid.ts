/** A journal counts in ticks and lots: what these are stays as fine as it was, whatever the venue makes of its filters. */
import type { Books } from '../execution/books.js';
import type { Chronicle } from '../execution/chronicle.js';
import { TickwrightError } from '../model/errors.js';
import type { JournalRecord } from '../model/journal-record.js';
import { defineMarketOn, type GridDigits, type Market } from '../model/market.js';
import { marketSpecOf } from '../storage/market-spec.js';

type GridRecord = Extract<JournalRecord, { kind: 'grid' }>;

/**
 * The market on grids that hold all that the books have of its pair. `noted`: what a journal of an earlier version counts
 * in, which does not say so itself.
 */
export function onGridOfBooks(market: Market, books: Books, noted?: GridDigits): Market {
  const known = books.gridOf(market.pair) ?? noted;
  const price = Math.max(market.priceGrid.decimals, known?.price ?? 0);
  const quantity = Math.max(market.quantityGrid.decimals, known?.quantity ?? 0);
  if (price === market.priceGrid.decimals && quantity === market.quantityGrid.decimals) return market;
  // Tick × lot stays a whole number of units of money.
  const quotePrecision = Math.max(market.quotePrecision, price + quantity);
  return defineMarketOn({ price, quantity }, { ...marketSpecOf(market), quotePrecision });
}

/**
 * What has to be written down before anything is counted on the grids of this market; none where it is known.
 *
 * @throws TickwrightError where the books count in finer steps: what they hold would be taken for many times as much
 */
export function gridRecordsOf(
  { pair, priceGrid, quantityGrid }: Market,
  books: Books,
  noted?: GridDigits,
): readonly GridRecord[] {
  const known = books.gridOf(pair);
  const [price, quantity] = [priceGrid.decimals, quantityGrid.decimals];
  const before = known ?? noted;
  if (before !== undefined && (before.price > price || before.quantity > quantity)) {
    throw new TickwrightError(
      'TICKWRIGHT_E_JOURNAL_GRID',
      `${pair} must be counted in steps as fine as its journal has, with ${before.price} digits of prices and ` +
        `${before.quantity} of quantities, received ${price} and ${quantity}`,
    );
  }
  if (known?.price === price && known.quantity === quantity) return [];
  const now = recordOf(pair, { price, quantity });
  // The record that told it first may be in a segment that was removed since: without one, a reader would take the new
  // steps for those of all records before.
  return before === undefined || (before.price === price && before.quantity === quantity)
    ? [now]
    : [recordOf(pair, before), now];
}

function recordOf(pair: string, { price, quantity }: GridDigits): GridRecord {
  return { kind: 'grid', pair, price, quantity };
}

/** @throws TickwrightError as `gridRecordsOf` */
export function noteGrid(chronicle: Chronicle, market: Market, noted?: GridDigits): void {
  for (const record of gridRecordsOf(market, chronicle.books, noted)) chronicle.note(record, 'durable');
}
