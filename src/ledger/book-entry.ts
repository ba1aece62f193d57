import { UsageError } from '../model/errors.js';
import type { Lots } from '../model/grid.js';
import { type Market, notional } from '../model/market.js';
import { divCeil, type Money } from '../model/money.js';
import { execute } from '../model/position.js';
import { signOf } from '../model/side.js';
import type { Books, PairBook } from './books.js';
import type { BookedFill, FillEntry, RoundTripEntry, TransferEntry } from './entry.js';
import { ledgerScale } from './units.js';

/** Facts of the venue that bookings depend on. */
export interface LedgerFacts {
  readonly markets: ReadonlyMap<string, Market>;
  /** Digits that amounts of each asset have on the wire. */
  readonly precisions: ReadonlyMap<string, number>;
  /**
   * How funding becomes known. `stated`: the venue's open and completed positions state it exactly. `inferred`: they do
   * not, so it is inferred from the change of the balance across a funding time, within the market's rates.
   */
  readonly funding: 'stated' | 'inferred';
}

/** @throws UsageError for a pair that the venue does not list */
export function marketOf({ markets }: LedgerFacts, pair: string): Market {
  const market = markets.get(pair);
  if (market !== undefined) return market;
  throw new UsageError(
    'TICKWRIGHT_E_LEDGER_PAIR',
    `a ledger entry must be of a market it knows (${[...markets.keys()].join(', ')}), received ${pair}`,
  );
}

/** `money.md` §5 and §9. */
export function bookFill(books: Books, facts: LedgerFacts, entry: FillEntry): BookedFill {
  const market = marketOf(facts, entry.pair);
  const booked =
    market.contract === 'spot'
      ? bookExchange(books, market, entry)
      : bookContract(books, facts, market, entry);
  const { feeAsset, fee, realised } = booked;
  if (fee !== 0n) {
    books.accounts.post(feeAsset, [
      { kind: 'cash', amount: -fee },
      { kind: 'fees', pair: entry.pair, amount: fee },
    ]);
  }
  books.asset(feeAsset).fees += fee;
  books.asset(market.quote).realised += realised;
  noteDebt(books, facts, market.quote);
  return booked;
}

function bookContract(books: Books, facts: LedgerFacts, market: Market, entry: FillEntry): BookedFill {
  const { pair, quote } = market;
  const { fill } = entry;
  const book = books.pair(pair);
  const scale = ledgerScale(market.quotePrecision);
  const worth = notional(market, Math.abs(book.lots) as Lots, fill.ticks) * scale;
  countFundingTimes(book, market, fill.time, worth);
  const before = { lots: book.lots, cost: books.cost(quote, pair) };
  // The cost of a closed part is rounded to the money of the market, and every cost is a whole number of its units.
  const executed = execute(market, before.lots, before.cost / scale, fill);
  const { lots } = executed;
  const [cost, realised] = [executed.cost * scale, executed.realised * scale];
  books.accounts.post(quote, [
    { kind: 'cost', pair, amount: cost - before.cost },
    { kind: 'traded', pair, amount: before.cost - cost },
    { kind: 'cash', amount: realised },
    { kind: 'realised', pair, amount: -realised },
  ]);
  book.lots = lots;
  const grown = magnitude(cost) - (before.lots > 0 === lots > 0 ? magnitude(before.cost) : 0n);
  if (grown > 0n) book.added += grown;
  if (entry.liquidation && realised < 0n) books.asset(quote).lost -= realised;
  const hasEnded = before.lots !== 0 && (lots === 0 || lots > 0 !== before.lots > 0);
  if (hasEnded) {
    if (book.fundingTimes > 0 && facts.funding === 'stated') book.ended.set(fill.id, book.funding);
    book.funding = 0n;
    book.fundingTimes = 0;
    if (entry.liquidation && fill.fee === 0n) noteTaken(books, facts, market);
  }
  return { pair, fill, liquidation: entry.liquidation, realised, ...feeOf(market, entry), lots, cost };
}

/** Exchanges base and quote. A spot market has no positions, so nothing is realised. */
function bookExchange(books: Books, market: Market, entry: FillEntry): BookedFill {
  const { pair, base, quote, quotePrecision, quantityGrid } = market;
  const { fill } = entry;
  const signed = BigInt(signOf(fill.side));
  const amount = signed * notional(market, fill.lots, fill.ticks) * ledgerScale(quotePrecision);
  const quantity = signed * BigInt(fill.lots) * ledgerScale(quantityGrid.decimals);
  books.accounts.post(quote, [
    { kind: 'cash', amount: -amount },
    { kind: 'traded', pair, amount },
  ]);
  books.accounts.post(base, [
    { kind: 'cash', amount: quantity },
    { kind: 'traded', pair, amount: -quantity },
  ]);
  return {
    pair,
    fill,
    liquidation: entry.liquidation,
    realised: 0n,
    ...feeOf(market, entry),
    lots: 0,
    cost: 0n,
  };
}

function feeOf(market: Market, { fill, fee }: FillEntry): { readonly feeAsset: string; readonly fee: Money } {
  return fee === undefined
    ? { feeAsset: market.quote, fee: fill.fee * ledgerScale(market.quotePrecision) }
    : { feeAsset: fee.asset, fee: fee.amount };
}

/** `money.md` §10: a deposit adds its amount less the fee to the cash; a withdrawal is paid out of the reserved money. */
export function bookTransfer(books: Books, { kind, asset, quantity, fee }: TransferEntry): void {
  const { accounts } = books;
  if (kind === 'deposit') {
    accounts.post(asset, [
      { kind: 'cash', amount: quantity - fee },
      { kind: 'fees', amount: fee },
      { kind: 'transfers', amount: -quantity },
    ]);
  } else {
    const aside = accounts.balance(asset, 'withdrawing');
    const fromAside = aside < quantity ? aside : quantity;
    accounts.post(asset, [
      { kind: 'withdrawing', amount: -fromAside },
      { kind: 'cash', amount: fromAside - quantity },
      { kind: 'fees', amount: fee },
      { kind: 'transfers', amount: quantity - fee },
    ]);
  }
  books.asset(asset).fees += fee;
}

/** Books the stated funding of a round trip, less what was booked while the position was open. */
export function bookRoundTrip(books: Books, facts: LedgerFacts, entry: RoundTripEntry): void {
  const book = books.pair(entry.pair);
  const booked = book.ended.get(entry.closingFill);
  if (booked === undefined) return;
  book.ended.delete(entry.closingFill);
  const { quote } = marketOf(facts, entry.pair);
  const amount = entry.funding - booked;
  bookFunding(books, quote, entry.pair, amount);
  // This funding moved before the position ended, so a take-over took that much more or less cash.
  const asset = books.asset(quote);
  if (asset.takenCash !== undefined) asset.takenCash += amount;
}

/** P&L: paid is negative. */
export function bookFunding(books: Books, asset: string, pair: string | undefined, amount: Money): void {
  books.accounts.post(asset, [
    { kind: 'cash', amount },
    { kind: 'funding', pair, amount: -amount },
  ]);
}

/** Counts the funding times in (counted, to] at which the position was held; `worth` is its present notional. */
export function countFundingTimes(book: PairBook, { funding }: Market, to: number, worth: Money): void {
  const { intervalMs } = funding;
  if (to <= book.countedTo) return;
  // Funding at exactly the time of the last cut may be missing in that cut, so this time counts on both sides.
  const times = Math.floor(to / intervalMs) - Math.ceil(book.countedTo / intervalMs) + 1;
  book.countedTo = to;
  if (book.lots === 0 || times <= 0) return;
  book.fundingTimes += times;
  const { min, max } = funding;
  const most = max.numerator * min.denominator > -min.numerator * max.denominator ? max : negated(min);
  if (most.numerator <= 0n) return;
  // A tenth more, because the mark at that time is unknown.
  book.fundingBound += BigInt(times) * divCeil(11n * worth * most.numerator, 10n * most.denominator);
}

function magnitude(amount: Money): Money {
  return amount < 0n ? -amount : amount;
}

function negated({ numerator, denominator }: { numerator: bigint; denominator: bigint }) {
  return { numerator: -numerator, denominator };
}

/** Notes a debt: the insurance fund pays it once no cross position covers it (`money.md` §5). */
export function noteDebt(books: Books, facts: LedgerFacts, asset: string): void {
  const cash = books.accounts.balance(asset, 'cash');
  if (cash >= 0n || hasCrossPosition(books, facts, asset)) return;
  const book = books.asset(asset);
  if (-cash > book.debt) book.debt = -cash;
}

/** Notes that a position ended in the way of a take-over. */
function noteTaken(books: Books, facts: LedgerFacts, { pair, quote }: Market): void {
  const book = books.asset(quote);
  const margin = books.accounts.balance(quote, 'margin', pair);
  book.takenMargin += margin + books.pair(pair).added;
  if (margin === 0n && !hasCrossPosition(books, facts, quote)) {
    book.takenCash = books.accounts.balance(quote, 'cash');
  }
}

function hasCrossPosition(books: Books, { markets }: LedgerFacts, asset: string): boolean {
  for (const [pair, { lots }] of books.pairs) {
    if (lots === 0 || markets.get(pair)?.quote !== asset) continue;
    if (books.accounts.balance(asset, 'margin', pair) === 0n) return true;
  }
  return false;
}

/** @throws UsageError for an asset that the venue does not list */
export function precisionOf({ precisions }: LedgerFacts, asset: string): number {
  const precision = precisions.get(asset);
  if (precision !== undefined) return precision;
  throw new UsageError(
    'TICKWRIGHT_E_LEDGER_ASSET',
    `an asset must be one the ledger knows (${[...precisions.keys()].join(', ')}), received ${asset}`,
  );
}
