import { compareTrades } from '../model/trade.js';
import { bookCut, bookOpening } from './book-cut.js';
import { bookFill, bookRoundTrip, bookTransfer, type LedgerFacts } from './book-entry.js';
import type { Books } from './books.js';
import type { FillEntry, LedgerEntry } from './entry.js';

/** How far the time of a cut may be from the moment at which its balances were true, ms. */
const AMBIGUOUS_MS = 5_000;

/** Books one entry after another into a copy of `base`. */
export function replay(facts: LedgerFacts, base: Books, log: Iterable<LedgerEntry>): Books {
  const books = base.clone();
  for (const entry of log) bookEntry(facts, books, entry);
  return books;
}

export function bookEntry(facts: LedgerFacts, books: Books, entry: LedgerEntry): void {
  switch (entry.kind) {
    case 'fill':
      bookFill(books, facts, entry);
      return;
    case 'deposit':
    case 'withdrawal':
      bookTransfer(books, entry);
      return;
    case 'round-trip':
      bookRoundTrip(books, facts, entry);
      return;
    case 'cut':
      if (books.cutTime === undefined) bookOpening(books, facts, entry.cut);
      else bookCut(books, facts, entry.cut);
      return;
  }
}

/**
 * The index at which a fill belongs in the log: at the end, unless the log has a later fill of its pair or a later cut.
 * The log holds only cuts that did not balance. The time of their balances is known to some milliseconds only, so near
 * such a cut the index is chosen that leaves fewer amounts unexplained.
 */
export function placeOf(
  facts: LedgerFacts,
  base: Books,
  log: readonly LedgerEntry[],
  entry: FillEntry,
): number {
  const { fill, pair } = entry;
  const near: number[] = [];
  let place = log.length;
  for (let at = place - 1; at >= 0; at--) {
    const each = log[at] as LedgerEntry;
    if (each.kind === 'cut') {
      if (Math.abs(each.cut.time - fill.time) <= AMBIGUOUS_MS) near.push(at, at + 1);
      if (each.cut.time > fill.time) place = at;
    } else if (each.kind === 'fill' && each.pair === pair) {
      if (compareTrades(each.fill, fill) < 0) break;
      place = at;
    }
  }
  if (near.length === 0) return place;
  let best = { place, ...unexplainedWith(facts, base, log, { entry, place }) };
  for (const at of new Set(near)) {
    const { items, differences } = unexplainedWith(facts, base, log, { entry, place: at });
    const isBetter =
      items < best.items || (items === 0 && best.items === 0 && differences < best.differences);
    if (isBetter) best = { place: at, items, differences };
  }
  return best.place;
}

function unexplainedWith(
  facts: LedgerFacts,
  base: Books,
  log: readonly LedgerEntry[],
  { entry, place }: { readonly entry: FillEntry; readonly place: number },
): { readonly items: number; readonly differences: number } {
  const books = replay(facts, base, [...log.slice(0, place), entry, ...log.slice(place)]);
  return { items: books.items.length, differences: books.differences.length };
}
