/** Reads the journals of a state folder from outside of the daemon. */
import { join } from 'node:path';
import { Books } from '../../execution/books.js';
import { defineMarket, type GridDigits, type Market } from '../../model/market.js';
import type { Files } from '../../ports/files.js';
import { onGridOfBooks } from '../../runner/journal-grid.js';
import { type JournaledPair, pairInBooks } from '../../runner/journaled-pair.js';
import { booksIn } from '../../runner/open-chronicle.js';
import { PRIVATE_DIRECTORY } from '../../storage/journal/journal-layout.js';
import { readJournal } from '../../storage/journal/journal-reader.js';
import { marketPath } from '../../storage/rows/layout.js';
import { readMarket, writeMarket } from '../../storage/rows/market-file.js';
import { marketSpecOf } from '../../storage/market-spec.js';
import { pairFolder } from './pair-folder.js';

export function journalOf(state: string, pair: string): string {
  return join(pairFolder(state, pair), 'journal');
}

/** The pairs that were ever traded live with this state folder; paper trading writes no journal. */
export async function journaledPairs(files: Files, state: string): Promise<readonly string[]> {
  if ((await files.stat(state)) === undefined) return [];
  const folders = (await files.list(state)).filter(({ kind }) => kind === 'directory');
  const found = await Promise.all(
    folders.map(async ({ name }) => ((await files.stat(journalOf(state, name))) === undefined ? [] : [name])),
  );
  return found.flat();
}

/**
 * The books of a pair; `undefined` if it has no journal.
 *
 * @throws JournalDamaged, JournalUnreadable
 */
export async function journaledBooks(files: Files, state: string, pair: string): Promise<Books | undefined> {
  const directory = journalOf(state, pair);
  if ((await files.stat(directory)) === undefined) return undefined;
  return booksIn(await readJournal(files, directory));
}

/**
 * What the journal of a pair says about it; `undefined` if it has no journal.
 *
 * @throws JournalDamaged, JournalUnreadable
 */
export async function journaledPair(
  files: Files,
  state: string,
  pair: string,
): Promise<JournaledPair | undefined> {
  const books = await journaledBooks(files, state, pair);
  return books && pairInBooks(pair, books, await gridDigits(files, state, pair, books));
}

/**
 * Notes a market next to its journal. The journal counts in lots, whose size only the venue knows, and it may be away
 * when somebody reads the journal.
 */
export async function noteMarket(files: Files, state: string, market: Market): Promise<void> {
  const folder = pairFolder(state, market.pair);
  const recorded = { spec: marketSpecOf(market), source: 'given' } as const;
  const known = await readMarket(files, folder).catch(() => undefined);
  if (JSON.stringify(known?.spec) === JSON.stringify(recorded.spec)) return;
  await files.makeDirectory(folder, PRIVATE_DIRECTORY);
  await writeMarket(files, folder, recorded);
}

export interface JournaledMarket {
  readonly market: Market;
  /** The grid of a journal that does not state it itself. */
  readonly noted: GridDigits | undefined;
}

/**
 * The market on a grid that can hold all records of its pair in the journal of a folder. An unreadable journal is
 * ignored here; opening it reports the error.
 */
export async function onGridOfJournal(
  files: Files,
  folder: string,
  market: Market,
): Promise<JournaledMarket> {
  const books = await readJournal(files, join(folder, 'journal')).then(booksIn, () => new Books());
  const noted = books.gridOf(market.pair) === undefined ? await notedGrid(files, folder) : undefined;
  return { market: onGridOfBooks(market, books, noted), noted };
}

/**
 * The grid of the market as the newest life noted it next to its journal, which journals of earlier versions count in.
 */
export async function notedGrid(files: Files, folder: string): Promise<GridDigits | undefined> {
  const noted = await readMarket(files, folder).catch(() => undefined);
  if (noted === undefined) return undefined;
  const { priceGrid, quantityGrid } = defineMarket(noted.spec);
  return { price: priceGrid.decimals, quantity: quantityGrid.decimals };
}

/**
 * Whether the venue ever had the pair, which is so if its market was noted. The journal is created before that is
 * known.
 */
export async function wasTraded(files: Files, state: string, pair: string): Promise<boolean> {
  return (await files.stat(marketPath(pairFolder(state, pair)))) !== undefined;
}

/** The digits of a pair's grids; `undefined` if no life noted them. */
export async function gridDigits(
  files: Files,
  state: string,
  pair: string,
  books: Books,
): Promise<GridDigits | undefined> {
  return books.gridOf(pair) ?? (await notedGrid(files, pairFolder(state, pair)));
}

/**
 * Runs something that cancels orders, such as the end of a daemon. Resolves to the orders that were canceled meanwhile
 * by its journals, because a later look at the venue does not show them as open.
 */
export async function canceledBy<T>(
  files: Files,
  state: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly canceled: (pair: string) => readonly string[] }> {
  const before = await canceledSoFar(files, state);
  const result = await work();
  const after = await canceledSoFar(files, state);
  const canceled = (pair: string) => {
    const earlier = before.get(pair);
    return earlier === undefined ? [] : [...(after.get(pair) ?? [])].filter((id) => !earlier.has(id));
  };
  return { result, canceled };
}

/** Own orders that were canceled so far, by pair; without an entry for unreadable journals. */
type CanceledOrders = ReadonlyMap<string, ReadonlySet<string>>;

async function canceledSoFar(files: Files, state: string): Promise<CanceledOrders> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const pair of await journaledPairs(files, state).catch(() => [])) {
    const books = await journaledBooks(files, state, pair).catch(() => undefined);
    if (books === undefined) continue;
    const canceled = books.state().orders.filter((order) => order.pair === pair && order.end === 'canceled');
    found.set(pair, new Set(canceled.map(({ orderId }) => orderId)));
  }
  return found;
}
