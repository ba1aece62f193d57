import type { Books } from '../execution/books.js';
import { MOST_PAGES } from '../execution/cut.js';
import { readWhole } from '../execution/whole-list.js';
import { glance } from '../ledger/glance.js';
import type { Cut } from '../ledger/cut.js';
import { cutOf, fillEntryOf } from '../ledger/read-records.js';
import type { FillEntry } from '../ledger/entry.js';
import { marketOf } from '../ledger/book-entry.js';
import type { LedgerFacts } from '../ledger/ledger.js';
import { stepsNear } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { FillRecord } from '../model/venue-records.js';
import type { KeyCalls, PublicCalls, VenueClock } from '../ports/venue-api.js';
import { Listed } from './listed-facts.js';

export type LedgerApi = Pick<PublicCalls, 'markets' | 'assets'> &
  Pick<
    KeyCalls,
    'balances' | 'activePositions' | 'fills' | 'deposits' | 'withdrawals' | 'completedPositions'
  > & { readonly clock: VenueClock };

export interface StillOptions {
  readonly api: LedgerApi;
  readonly facts: LedgerFacts;
  readonly market: Market;
  readonly books: Pick<Books, 'position' | 'fills'>;
  /** The most rows that one answer of the venue holds. */
  readonly limit: number;
  /** Fills are read from this venue ms on. */
  readonly from: number;
  /** A number that grows with each fill of the session. */
  readonly moves: () => number;
}

/** The account as two equal readings show it, for the assets and pairs that the venue lists. */
export interface Still {
  readonly cut: Cut;
  /** Fills of pairs that our journal does not cover, oldest first, without those that cannot be read. */
  readonly others: readonly Omit<FillEntry, 'kind'>[];
  readonly unreadable: readonly FillRecord[];
  /** A fill or a position is off the steps of its market as it was listed. */
  readonly isOffGrid: boolean;
  /** Names of assets and pairs that the account shows and the venue does not list. */
  readonly unlisted: readonly string[];
}

/**
 * `undefined`: something moved meanwhile, the journal does not
 * have a fill yet that the venue shows, or a list is incomplete.
 *
 * @throws VenueError
 */
export async function readStill(options: StillOptions): Promise<Still | undefined> {
  const { api, facts, market, books, moves } = options;
  const { pair } = market;
  const time = Math.floor(api.clock.now());
  const moved = moves();
  const before = await glance(api);
  const { fills, lack } = await readFills(options);
  const after = await glance(api);
  if (lack !== undefined || moves() !== moved || before.digest !== after.digest) return undefined;
  const { positions, balances } = after;
  const shown = positions.find((position) => position.pair === pair)?.size ?? 0;
  const book = books.fills(pair);
  const isBooked = (fill: FillRecord) => fill.pair !== pair || book?.has(fill.id, fill.time) === true;
  if (stepsNear(market.quantityGrid, shown) !== books.position(pair) || !fills.every(isBooked)) {
    return undefined;
  }
  const listed = new Listed(facts);
  const others = fills
    .filter((fill) => fill.pair !== pair && listed.hasFill(fill))
    .map((record) => ({ record, entry: fillEntryOf(facts, record) }));
  const shownOf = {
    balances: balances.filter(({ asset }) => listed.hasAsset(asset)),
    positions: positions.filter((position) => listed.hasPair(position.pair)),
  };
  const unreadable = others.flatMap(({ record, entry }) => (entry === undefined ? [record] : []));
  const isOffGrid = shownOf.positions.some(({ pair: name, size }) =>
    Number.isNaN(stepsNear(marketOf(facts, name).quantityGrid, size)),
  );
  return {
    cut: cutOf(facts, { time, ...shownOf, isEveryPair: true }),
    others: others.flatMap(({ entry }) => entry ?? []),
    unreadable,
    isOffGrid: isOffGrid || unreadable.length > 0,
    unlisted: listed.missing,
  };
}

/** Fills of all pairs from `from` (venue ms) on, oldest first. */
async function readFills({
  api,
  limit,
  from,
}: StillOptions): Promise<{ readonly fills: readonly FillRecord[]; readonly lack: string | undefined }> {
  const { rows, lack } = await readWhole({
    // Fill ids are unique within a pair only, so the key includes the pair.
    read: async (query) =>
      (await api.fills(query)).map((fill) => ({ id: `${fill.pair} ${fill.id}`, time: fill.time, fill })),
    name: 'fills',
    limit,
    from,
    budget: { left: MOST_PAGES },
  });
  return { fills: rows.map(({ fill }) => fill).sort((a, b) => a.time - b.time), lack };
}
