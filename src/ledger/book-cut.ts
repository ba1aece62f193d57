import { NO_LOTS } from '../model/grid.js';
import type { Money } from '../model/money.js';
import { bookFunding, countFundingTimes, type LedgerFacts, marketOf, noteDebt } from './book-entry.js';
import type { AssetBook, Books } from './books.js';
import type {
  Cut,
  CutBalance,
  CutPosition,
  CutReport,
  InferredFunding,
  PositionDifference,
  SuspenseItem,
} from './cut.js';

export type CutOutcome = Omit<CutReport, 'isBalanced'>;

/** Books the first cut: the balances become the opening balances, and positions are taken from the venue. */
export function bookOpening(books: Books, facts: LedgerFacts, cut: Cut): void {
  books.cutTime = cut.time;
  for (const position of cut.positions) {
    followPosition(books, facts, position);
    books.pair(position.pair).funding = position.funding;
  }
  for (const balance of cut.balances) {
    const { asset, total } = balance;
    books.accounts.post(asset, [
      { kind: 'cash', amount: total },
      { kind: 'opening', amount: -total },
    ]);
    classify(books, facts, cut, asset, balance.withdrawing);
    startInterval(books, facts, cut, balance);
  }
}

/** Compares the books with the venue's figures. Afterwards the books equal the venue's figures. */
export function bookCut(books: Books, facts: LedgerFacts, cut: Cut): CutOutcome {
  const from = books.cutTime ?? cut.time;
  const unexplained: SuspenseItem[] = [];
  const inferred: InferredFunding[] = [];
  countFunding(books, facts, cut);
  if (facts.funding === 'stated') bookStatedFunding(books, facts, cut);
  const assets = new Set([...books.accounts.assets, ...cut.balances.map(({ asset }) => asset)]);
  for (const asset of [...assets].sort()) {
    const balance = cut.balances.find((each) => each.asset === asset) ?? nothingOf(asset);
    const book = books.asset(asset);
    // Money that was reserved for a withdrawal is out of reach of a take-over.
    if (book.takenCash !== undefined) {
      book.takenCash -= balance.withdrawing - books.accounts.balance(asset, 'withdrawing');
    }
    classify(books, facts, cut, asset, balance.withdrawing);
    let missing = balance.total - books.accounts.held(asset);
    if (isWithin(missing, balance.tolerance)) missing = 0n;
    if (missing !== 0n) missing -= bookLiquidation(books, facts, balance, missing);
    if (missing !== 0n && facts.funding === 'inferred') {
      const funding = inferFunding(books, facts, asset, missing);
      if (funding !== undefined) {
        bookFunding(books, asset, funding.pair, missing);
        inferred.push({ asset, amount: missing, pair: funding.pair, from, to: cut.time });
        missing = 0n;
      }
    }
    if (missing !== 0n) {
      books.accounts.post(asset, [
        { kind: 'cash', amount: missing },
        { kind: 'suspense', amount: -missing },
      ]);
      unexplained.push({ asset, amount: missing, from, to: cut.time });
    }
    startInterval(books, facts, cut, balance);
  }
  books.items.push(...unexplained);
  const positions = followPositions(books, facts, cut);
  books.differences.push(...positions);
  books.cutTime = cut.time;
  return { time: cut.time, unexplained, positions, inferred };
}

/** Books the funding of open positions that the venue states, beyond what was booked already (`dialect.md` §6). */
function bookStatedFunding(books: Books, facts: LedgerFacts, cut: Cut): void {
  for (const { pair, lots, funding } of cut.positions) {
    if (lots === 0) continue;
    const book = books.pair(pair);
    const isSame = Math.sign(lots) === Math.sign(book.lots);
    const stated = funding - (isSame ? book.funding : 0n);
    if (stated !== 0n) bookFunding(books, marketOf(facts, pair).quote, pair, stated);
    book.funding = funding;
  }
}

/** Updates the bounds of funding that may be inferred up to the cut. */
function countFunding(books: Books, facts: LedgerFacts, cut: Cut): void {
  for (const [pair, book] of books.pairs) {
    const market = marketOf(facts, pair);
    const cost = books.cost(market.quote, pair);
    countFundingTimes(book, market, cut.time, cost < 0n ? -cost : cost);
  }
}

/**
 * In a take-over the group's cash goes to the provider, and the insurance fund pays what a liquidation leaves owing; no
 * list of the venue says so (`money.md` §8). The venue's counters tell what fills and fees are missing, and this explains
 * the rest. Without a liquidation, the insurance fund pays only the debt of an account that no position covers.
 */
function bookLiquidation(books: Books, facts: LedgerFacts, balance: CutBalance, missing: Money): Money {
  const { asset } = balance;
  const book = books.asset(asset);
  noteDebt(books, facts, asset);
  const unknown = uncounted(book, balance);
  if (unknown === undefined) return 0n;
  const amount = missing - unknown;
  const isPossible = amount < 0n ? isTaken(book, -amount) : amount <= larger(book.lost, book.debt);
  if (amount === 0n || !isPossible) return 0n;
  books.accounts.post(asset, [
    { kind: 'cash', amount },
    { kind: 'liquidation', amount: -amount },
  ]);
  return amount;
}

/** A take-over takes all cash of a cross group, or the remaining margin of an isolated one. */
function isTaken({ takenCash, takenMargin }: AssetBook, amount: Money): boolean {
  const ofMargin = amount - (takenCash ?? 0n);
  return (
    (amount <= takenMargin && amount > 0n) ||
    (takenCash !== undefined && ofMargin >= 0n && ofMargin <= takenMargin)
  );
}

function larger(a: Money, b: Money): Money {
  return a > b ? a : b;
}

/** Change of the venue's counters beyond our entries: realised − fees; `undefined` where there are no counters. */
function uncounted({ counters, realised, fees }: AssetBook, balance: CutBalance): Money | undefined {
  if (counters === undefined || balance.realised === undefined || balance.fees === undefined)
    return undefined;
  const more = balance.realised - counters.realised - realised;
  const paid = balance.fees - counters.fees - fees;
  return more - paid;
}

/** At a venue that states no funding, a missing amount within the bounds of the rules is booked as funding. */
function inferFunding(
  books: Books,
  facts: LedgerFacts,
  asset: string,
  missing: Money,
): { readonly pair: string | undefined } | undefined {
  const possible = [...books.pairs].filter(
    ([pair, { fundingBound }]) => fundingBound > 0n && marketOf(facts, pair).quote === asset,
  );
  const bound = possible.reduce((sum, [, { fundingBound }]) => sum + fundingBound, 0n);
  if (bound === 0n || !isWithin(missing, bound)) return undefined;
  return { pair: possible.length === 1 ? possible[0]?.[0] : undefined };
}

/**
 * Distributes the held money among cash, isolated margins and pending withdrawals as the venue does; the sum stays the
 * same.
 */
function classify(books: Books, facts: LedgerFacts, cut: Cut, asset: string, withdrawing: Money): void {
  const { accounts } = books;
  move(books, asset, 'withdrawing', undefined, withdrawing);
  for (const pair of accounts.pairs(asset, 'margin')) {
    const shown = cut.positions.find((position) => position.pair === pair);
    if (shown === undefined && !cut.isEveryPair) continue;
    move(books, asset, 'margin', pair, shown?.margin ?? 0n);
  }
  for (const { pair, margin } of cut.positions) {
    if (margin !== undefined && marketOf(facts, pair).quote === asset)
      move(books, asset, 'margin', pair, margin);
  }
}

function move(
  { accounts }: Books,
  asset: string,
  kind: 'margin' | 'withdrawing',
  pair: string | undefined,
  to: Money,
): void {
  const amount = to - accounts.balance(asset, kind, pair);
  accounts.post(asset, [
    { kind, pair, amount },
    { kind: 'cash', amount: -amount },
  ]);
}

function startInterval(books: Books, facts: LedgerFacts, cut: Cut, balance: CutBalance): void {
  const { asset, realised, fees } = balance;
  const book = books.asset(asset);
  book.counters = realised === undefined || fees === undefined ? undefined : { realised, fees };
  book.realised = 0n;
  book.fees = 0n;
  const cash = books.accounts.balance(asset, 'cash');
  book.takenCash = undefined;
  book.takenMargin = 0n;
  book.lost = cash < 0n ? -cash : 0n;
  book.debt = 0n;
  for (const [pair, each] of books.pairs) {
    if (marketOf(facts, pair).quote !== asset) continue;
    each.countedTo = Math.max(each.countedTo, cut.time);
    each.added = 0n;
    each.fundingTimes = 0;
    each.fundingBound = 0n;
  }
}

/**
 * Differing sizes are reported. A differing cost is followed silently, because venues round averages in different ways.
 */
function followPositions(books: Books, facts: LedgerFacts, cut: Cut): PositionDifference[] {
  const differences: PositionDifference[] = [];
  const shown = new Map(cut.positions.map((position) => [position.pair, position]));
  const pairs = cut.isEveryPair ? new Set([...shown.keys(), ...books.pairs.keys()]) : shown.keys();
  for (const pair of pairs) {
    const position = shown.get(pair) ?? flat(pair);
    const { lots } = books.pair(pair);
    if (lots !== position.lots) {
      differences.push({ pair, time: cut.time, ours: lots, venue: position.lots });
      books.pair(pair).funding = position.funding;
    }
    followPosition(books, facts, position);
  }
  return differences;
}

function followPosition(
  books: Books,
  facts: LedgerFacts,
  { pair, lots, cost, roughCost }: CutPosition,
): void {
  const { quote } = marketOf(facts, pair);
  const book = books.pair(pair);
  const ours = books.cost(quote, pair);
  const followed = cost ?? (book.lots === lots ? ours : roughCost);
  books.accounts.post(quote, [
    { kind: 'cost', pair, amount: followed - ours },
    { kind: 'traded', pair, amount: ours - followed },
  ]);
  book.lots = lots;
}

function flat(pair: string): CutPosition {
  return { pair, lots: NO_LOTS, cost: 0n, roughCost: 0n, funding: 0n, margin: undefined };
}

function nothingOf(asset: string): CutBalance {
  return { asset, total: 0n, withdrawing: 0n, realised: undefined, fees: undefined, tolerance: 0n };
}

function isWithin(amount: Money, bound: Money): boolean {
  return amount <= bound && amount >= -bound;
}
