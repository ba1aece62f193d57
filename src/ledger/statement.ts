import type { Market } from '../model/market.js';
import type { Money } from '../model/money.js';
import { compareTrades } from '../model/trade.js';
import type {
  BalanceRecord,
  DepositRecord,
  FillRecord,
  PositionRecord,
  WithdrawalRecord,
} from '../model/venue-records.js';
import type { AccountKind } from './accounts.js';
import { bookFill, bookFunding, bookTransfer, type LedgerFacts, marketOf } from './book-entry.js';
import { Books } from './books.js';
import type { FillEntry, TransferEntry } from './entry.js';
import { cutOf, fillEntryOf, transferEntryOf } from './read-records.js';
import { type TripStatement, tripStatements, undatedFundingOf } from './trip-statement.js';
import { ledgerScale, unitsOf } from './units.js';
import { withUnlisted } from './unlisted-assets.js';

/** All records of an account: complete lists, and balances and open positions of one moment. */
export interface AccountRecords {
  /** Venue ms of the balances. */
  readonly time: number;
  readonly balances: readonly BalanceRecord[];
  /** Open ones. */
  readonly positions: readonly PositionRecord[];
  readonly completed: readonly PositionRecord[];
  readonly fills: readonly FillRecord[];
  readonly deposits: readonly DepositRecord[];
  readonly withdrawals: readonly WithdrawalRecord[];
}

/**
 * Where the balance of one asset came from; units of the ledger. All parts are P&L, so what was paid is negative, and
 * opening + deposits + withdrawals + realised + fees + funding + exchanged + suspense = closing.
 */
export interface AssetStatement {
  readonly asset: string;
  /** What was there before the first entry: the closing balance less everything else. */
  readonly opening: Money;
  readonly deposits: Money;
  readonly withdrawals: Money;
  readonly realised: Money;
  /** Fees of trading and of transfers: `deposits` is what was sent, `withdrawals` what arrived. */
  readonly fees: Money;
  readonly funding: Money;
  /** What spot markets exchanged. */
  readonly exchanged: Money;
  /** P&L that the venue counts but no listed fill explains. */
  readonly suspense: Money;
  /** The venue's balance, when nothing came after. */
  readonly closing: Money;
}

/** Units of 10^-precision, those of the market's money; its trips too. */
export interface PairStatement {
  readonly pair: string;
  readonly precision: number;
  readonly realised: Money;
  readonly fees: Money;
  readonly funding: Money;
  readonly suspense: Money;
  /** Of the position that is open at present; not part of any balance. */
  readonly unrealised: Money;
  readonly trips: readonly TripStatement[];
  readonly unlisted: readonly string[];
  /** P&L: funding that the venue states for ended positions without a fill, so that it has no time; it is in the opening balance. */
  readonly undatedFunding: Money;
}

export interface Statement {
  /** Venue ms, inclusive; `undefined`: from the opening of the account. */
  readonly from: number | undefined;
  readonly to: number;
  readonly assets: readonly AssetStatement[];
  readonly pairs: readonly PairStatement[];
  readonly transfers: readonly TransferEntry[];
  /** Time from which on the venue lists the fills of all pairs; earlier ones are in the opening balance. */
  readonly listedFrom: number | undefined;
  /**
   * The venue itself ended a position: by liquidation, or by deleveraging, which no list tells apart. Nor does any tell
   * what a take-over took or insurance paid: it is in the opening balance.
   */
  readonly isLiquidated: boolean;
  /**
   * Fills since `from` that could not be read: off the market's grids, without a side, or of a market that is listed no
   * more. What they brought is in the opening balance.
   */
  readonly unreadable: readonly string[];
}

/** One entry with the time it is shown at. */
interface Dated {
  readonly time: number;
  readonly book: (books: Books) => void;
}

/**
 * Explains the balances of an account from its records. Realised P&L and fees are computed from the fills alone and
 * compared with what the venue states for each position; the difference is suspense. Funding is taken from the positions
 * and booked at their end. The precision of an asset that is no longer listed comes from its records.
 */
export function statementOf(
  listed: LedgerFacts,
  records: AccountRecords,
  query: { readonly from?: number | undefined; readonly to?: number | undefined } = {},
): Statement {
  const facts = { ...listed, precisions: withUnlisted(listed.precisions, records) };
  const entries: FillEntry[] = [];
  const unread: FillRecord[] = [];
  for (const record of records.fills) {
    const entry = facts.markets.has(record.pair) ? fillEntryOf(facts, record) : undefined;
    if (entry === undefined) unread.push(record);
    else entries.push({ kind: 'fill', ...entry });
  }
  entries.sort((a, b) => compareTrades(a.fill, b.fill));
  const traded = [...facts.markets.values()].map((market) => pairOf(market, entries, records));
  const begins = traded.flatMap(({ listedFrom }) => listedFrom ?? []);
  const listedFrom = begins.length === 0 ? undefined : Math.max(...begins);
  const from = begins.length === 0 ? query.from : Math.max(listedFrom as number, query.from ?? 0);
  const to = query.to ?? records.time;
  const isInside = (time: number) => time >= (from ?? Number.NEGATIVE_INFINITY) && time <= to;
  const isAfter = (time: number) => time > to;

  const transfers = [
    ...records.deposits.map((record) => transferEntryOf(facts, 'deposit', record)),
    ...records.withdrawals.map((record) => transferEntryOf(facts, 'withdrawal', record)),
  ].filter((entry) => entry !== undefined);
  const charged = new Set<FillEntry>();
  const dated = [
    ...traded.flatMap(({ market, fills, trips }) =>
      market.contract === 'spot'
        ? fills.map((entry) => exchangeOf(facts, entry))
        : trips.flatMap((trip) => partsOf(market, trip, { now: records.time, charged })),
    ),
    ...transfers.map((entry) => ({ time: entry.time, book: (books: Books) => bookTransfer(books, entry) })),
  ];
  const moved = transfers.filter(({ time }) => isInside(time));
  const inside = booksOf(dated.filter(({ time }) => isInside(time)));
  const after = booksOf(dated.filter(({ time }) => isAfter(time)));

  const isCounted = ({ closedAt }: TripStatement) => isInside(closedAt ?? records.time);
  const pairs = traded.map(({ market, trips, ...rest }) =>
    pairStatement(market, inside, records, { ...rest, trips: trips.filter(isCounted) }),
  );
  const suspense = new Map<string, Money>();
  for (const { pair, precision, suspense: amount } of pairs) {
    const { quote } = marketOf(facts, pair);
    suspense.set(quote, (suspense.get(quote) ?? 0n) + amount * ledgerScale(precision));
  }
  const { balances } = cutOf(facts, { ...records, positions: [], isEveryPair: true });
  const assets = [...new Set([...balances.map(({ asset }) => asset), ...inside.accounts.assets])].sort();
  return {
    from,
    to,
    assets: assets.map((asset) => {
      const total = balances.find((each) => each.asset === asset)?.total ?? 0n;
      const closing = total - after.accounts.held(asset);
      return assetStatement(inside, asset, {
        transfers: moved,
        closing,
        suspense: suspense.get(asset) ?? 0n,
      });
    }),
    pairs: pairs.filter(({ trips, unlisted }) => trips.length > 0 || unlisted.length > 0),
    transfers: moved,
    listedFrom,
    isLiquidated: pairs.some(({ trips }) => trips.some(isLiquidated)),
    // What was before the stretch is in its opening balance, like everything before it.
    unreadable: unread.filter(({ time }) => time >= (from ?? Number.NEGATIVE_INFINITY)).map(({ id }) => id),
  };
}

/** Of the whole account, whichever market is shown: a balance belongs to all of them. */
export function isExplained({ assets, pairs, unreadable }: Statement): boolean {
  return (
    unreadable.length === 0 &&
    assets.every(({ suspense }) => suspense === 0n) &&
    pairs.every(
      ({ trips, unlisted, undatedFunding }) =>
        unlisted.length === 0 && undatedFunding === 0n && trips.every(({ difference }) => difference === 0n),
    )
  );
}

function pairOf(market: Market, entries: readonly FillEntry[], records: AccountRecords) {
  const { pair } = market;
  const fills = entries.filter((entry) => entry.pair === pair);
  const none = { trips: [], listedFrom: undefined, unlisted: [], undatedFunding: 0n };
  if (market.contract === 'spot') return { market, fills, ...none };
  const position = records.positions.find((each) => each.pair === pair && each.size !== 0);
  const completed = records.completed.filter((each) => each.pair === pair);
  const stated = tripStatements(market, fills, { completed, position });
  const undatedFunding = undatedFundingOf(market, completed, stated.trips);
  return { market, fills, ...stated, undatedFunding };
}

/** The entries of a round trip: each fill at its time, and the funding of the whole trip at its end, or now. */
function partsOf(
  { quote, quotePrecision }: Market,
  { pair, closedAt, funding, fills }: TripStatement,
  { now, charged }: { readonly now: number; readonly charged: Set<FillEntry> },
): Dated[] {
  const scale = ledgerScale(quotePrecision);
  const parts = fills.map(({ entry, ...part }): Dated => {
    const [realised, fee] = [part.realised * scale, part.fee * scale];
    // A fill that ends one trip and begins the next belongs to both; its fee in another asset is not divided.
    const other = charged.has(entry) ? undefined : entry.fee;
    charged.add(entry);
    return {
      time: entry.fill.time,
      book: ({ accounts }) => {
        accounts.post(quote, [
          { kind: 'cash', amount: realised - fee },
          { kind: 'realised', pair, amount: -realised },
          { kind: 'fees', pair, amount: fee },
        ]);
        if (other === undefined) return;
        accounts.post(other.asset, [
          { kind: 'cash', amount: -other.amount },
          { kind: 'fees', pair, amount: other.amount },
        ]);
      },
    };
  });
  return [
    ...parts,
    { time: closedAt ?? now, book: (books) => bookFunding(books, quote, pair, funding * scale) },
  ];
}

function exchangeOf(facts: LedgerFacts, entry: FillEntry): Dated {
  return { time: entry.fill.time, book: (books) => void bookFill(books, facts, entry) };
}

function booksOf(dated: readonly Dated[]): Books {
  const books = new Books();
  for (const { book } of dated) book(books);
  return books;
}

function pairStatement(
  market: Market,
  books: Books,
  records: AccountRecords,
  { trips, unlisted, undatedFunding }: Pick<PairStatement, 'trips' | 'unlisted' | 'undatedFunding'>,
): PairStatement {
  const { pair, quote, quotePrecision: precision } = market;
  const of = (kind: AccountKind) => -books.accounts.balance(quote, kind, pair) / ledgerScale(precision);
  const position = records.positions.find((each) => each.pair === pair);
  return {
    pair,
    precision,
    realised: of('realised'),
    fees: of('fees'),
    funding: of('funding'),
    suspense: trips.reduce((sum, { difference }) => sum + difference, 0n),
    unrealised: position === undefined ? 0n : unitsOf(position.unrealized, precision),
    trips,
    unlisted,
    undatedFunding,
  };
}

function assetStatement(
  { accounts }: Books,
  asset: string,
  {
    transfers,
    closing,
    suspense,
  }: { readonly transfers: readonly TransferEntry[]; readonly closing: Money; readonly suspense: Money },
): AssetStatement {
  const of = (kind: AccountKind) => -accounts.total(asset, kind);
  const moved = (kind: TransferEntry['kind']) =>
    transfers.filter((each) => each.asset === asset && each.kind === kind);
  return {
    asset,
    opening: closing - accounts.held(asset) - suspense,
    deposits: moved('deposit').reduce((sum, { quantity }) => sum + quantity, 0n),
    withdrawals: moved('withdrawal').reduce((sum, { quantity, fee }) => sum - (quantity - fee), 0n),
    realised: of('realised'),
    fees: of('fees'),
    funding: of('funding'),
    exchanged: of('traded'),
    suspense,
    closing,
  };
}

/**
 * A slice of a position that is still open took nothing but its fee, which is among the fees. A maker's fill with a fee is
 * that of an own order which the liquidation of somebody else has filled.
 */
function isLiquidated({ closedAt, fills }: TripStatement): boolean {
  const last = fills.at(-1)?.entry;
  if (closedAt === undefined || last?.liquidation !== true) return false;
  return !(last.fill.liquidity === 'maker' && last.fill.fee !== 0n);
}
