import { InvariantError } from '../model/errors.js';
import { type Money, moneyText } from '../model/money.js';
import { Position } from '../model/position.js';
import type { AccountBalance, AccountKind } from './accounts.js';
import { bookCut, bookOpening } from './book-cut.js';
import { bookFill, type LedgerFacts, marketOf, precisionOf } from './book-entry.js';
import { Books } from './books.js';
import { type Cut, type CutReport, isSameCut, type PositionDifference, type SuspenseItem } from './cut.js';
import type { BookedFill, FillEntry, LedgerEntry, RoundTripEntry, TransferEntry } from './entry.js';
import { bookEntry, placeOf, replay } from './replay.js';
import { type LedgerState, readLedgerState, writeLedgerState } from './ledger-state.js';

export type { LedgerFacts } from './book-entry.js';

/** What became of an entry: `known` was booked before. */
export type Booking<T = undefined> =
  | { readonly kind: 'booked'; readonly entry: T }
  | { readonly kind: 'known' }
  /** A fill older than an unexplained cut: the books were computed again with it in its place. */
  | { readonly kind: 'late' };

/** Entries kept behind a cut that did not balance; after so many it stays in suspense whatever comes. */
const MOST_OPEN = 1_000;
/** Ids remembered of what is behind the last balanced cut. */
const MOST_IDS = 2_000;

/**
 * The account's money by double entry, in whole units: every fill, fee, funding and transfer on one side, what the
 * venue shows on the other. At each cut the two must agree; what they do not goes to *suspense* with its amount and the
 * cuts around it, where it stays in sight until an entry explains it or an operator gives it up.
 *
 * Behind an unexplained cut the entries are kept, so that a fill that shows up late is booked in its place and takes
 * exactly its own effect out of suspense.
 */
export class Ledger {
  readonly #facts: LedgerFacts;
  /** As of the last balanced cut. */
  #base: Books;
  /** Since then. */
  #log: LedgerEntry[];
  /** `#base` with `#log`. */
  #books: Books;
  #isStale = false;
  /** Of fills and transfers, oldest first. */
  #ids: Set<string>;

  constructor(facts: LedgerFacts) {
    this.#facts = facts;
    this.#base = new Books();
    this.#books = new Books();
    this.#log = [];
    this.#ids = new Set();
  }

  /** The opening cut was made: from there on everything has to be explained. */
  get isOpen(): boolean {
    return this.#fresh().cutTime !== undefined;
  }

  /**
   * An execution of the account, on any pair, of an order of ours or not; each once, in any order. Those that the
   * opening cut already had in it are not given.
   *
   * @throws UsageError for a pair that the ledger does not know; InvariantError before the opening cut
   */
  fill(entry: Omit<FillEntry, 'kind'>): Booking<BookedFill> {
    this.#mustBeOpen();
    marketOf(this.#facts, entry.pair);
    if (!this.#isNew(`fill ${entry.pair} ${entry.fill.id}`)) return { kind: 'known' };
    const fill: FillEntry = { kind: 'fill', ...entry };
    const place = placeOf(this.#facts, this.#base, this.#log, fill);
    if (place < this.#log.length) {
      this.#log.splice(place, 0, fill);
      this.#isStale = true;
      return { kind: 'late' };
    }
    const books = this.#fresh();
    this.#log.push(fill);
    return { kind: 'booked', entry: bookFill(books, this.#facts, fill) };
  }

  /** A deposit or withdrawal that is completed. */
  transfer(entry: TransferEntry): Booking {
    this.#mustBeOpen();
    precisionOf(this.#facts, entry.asset);
    if (!this.#isNew(`${entry.kind} ${entry.id}`)) return { kind: 'known' };
    this.#append(entry);
    return { kind: 'booked', entry: undefined };
  }

  /** Our own POST /fund (above 0) or /draw (below 0) was done; units. Other ways to it are found at the next cut. */
  moveMargin(pair: string, amount: Money): void {
    this.#mustBeOpen();
    marketOf(this.#facts, pair);
    this.#append({ kind: 'margin', pair, amount });
  }

  /** A record of /completed_positions. Only those that a cut report wanted are of use; others change nothing. */
  roundTrip(entry: Omit<RoundTripEntry, 'kind'>): Booking {
    if (!this.#fresh().pair(entry.pair).ended.has(entry.closingFill)) return { kind: 'known' };
    this.#append({ kind: 'round-trip', ...entry });
    return { kind: 'booked', entry: undefined };
  }

  /**
   * Pairs of which a position ended across a funding time: their records of /completed_positions (`roundTrip`) are to be
   * given before the next cut, or that funding is in suspense until they are.
   */
  get wanted(): readonly string[] {
    return [...this.#fresh().pairs].filter(([, { ended }]) => ended.size > 0).map(([pair]) => pair);
  }

  /** The first cut opens the ledger; each later one must find everything explained. */
  cut(cut: Cut): CutReport {
    const books = this.#fresh();
    // As long as nothing happens after an unexplained cut, the next ones say nothing new.
    const last = this.#log.at(-1);
    if (last?.kind === 'cut' && isSameCut(last.cut, cut)) {
      return { time: cut.time, isBalanced: false, unexplained: [], positions: [], inferred: [] };
    }
    this.#log.push({ kind: 'cut', cut });
    if (books.cutTime === undefined) {
      bookOpening(books, this.#facts, cut);
      this.#settle();
      return {
        time: cut.time,
        isBalanced: true,
        unexplained: [],
        positions: [],
        inferred: [],
      };
    }
    const outcome = bookCut(books, this.#facts, cut);
    const isBalanced = books.differences.length === 0 && this.#suspenseAssets().length === 0;
    if (isBalanced || this.#log.length > MOST_OPEN) this.#settle();
    return { ...outcome, isBalanced };
  }

  /** What a cut would come to; nothing is changed. Of an open ledger. */
  preview(cut: Cut): Pick<CutReport, 'unexplained' | 'positions'> {
    this.#mustBeOpen();
    return bookCut(this.#fresh().clone(), this.#facts, cut);
  }

  /** An operator has looked: what is in suspense is given up and no longer in the way. */
  writeOff(decision: { readonly time: number; readonly by: string; readonly reason: string }): void {
    this.#append({ kind: 'write-off', ...decision });
    this.#settle();
  }

  /** Every account that is not 0, debits positive; per asset they add up to 0. */
  get accounts(): readonly AccountBalance[] {
    return this.#fresh().accounts.list();
  }

  /** Debit balance of all accounts of these kinds; units. What came in as P&L is negative, what was paid positive. */
  total(asset: string, ...kinds: readonly AccountKind[]): Money {
    return this.#fresh().accounts.total(asset, ...kinds);
  }

  /** What the venue should show as the balance of an asset now; units. */
  held(asset: string): Money {
    return this.#fresh().accounts.held(asset);
  }

  /** Size and cost as the ledger has them; realised, fees and funding since it was opened, as P&L. */
  position(pair: string): Position {
    const books = this.#fresh();
    const { quote } = marketOf(this.#facts, pair);
    const pnl = (kind: AccountKind) => -books.accounts.balance(quote, kind, pair);
    return Position.of({
      lots: books.pair(pair).lots,
      cost: books.cost(quote, pair),
      realised: pnl('realised'),
      fees: pnl('fees'),
      funding: pnl('funding'),
    });
  }

  /** What is in suspense, in the order of the cuts; amounts of an asset add up to its suspense. */
  get suspense(): readonly SuspenseItem[] {
    return this.#fresh().items;
  }

  /**
   * From when on a fill may still explain something, venue ms; `undefined`: nothing waits for one. What was settled in
   * suspense takes no fill in its place any more, and the ids of its time are forgotten: read again, they would be booked
   * twice.
   */
  get openSince(): number | undefined {
    return this.#fresh().items[this.#base.items.length]?.from;
  }

  /** Positions that the fills did not lead to, since the last balanced cut. */
  get differences(): readonly PositionDifference[] {
    return this.#fresh().differences;
  }

  /** Venue ms of the last cut. */
  get cutTime(): number | undefined {
    return this.#fresh().cutTime;
  }

  /**
   * Why no risk may be added: the suspense of an asset is above what may be unexplained, either way; units by asset, 0
   * for an asset that is not listed. `undefined` when it is not.
   */
  exceeds(threshold: ReadonlyMap<string, Money>): string | undefined {
    for (const asset of this.#suspenseAssets()) {
      const most = threshold.get(asset) ?? 0n;
      const amount = -this.#fresh().accounts.balance(asset, 'suspense');
      if ((amount < 0n ? -amount : amount) <= most) continue;
      const precision = precisionOf(this.#facts, asset);
      const items = this.suspense.filter((item) => item.asset === asset);
      const since = Math.min(...items.map(({ from }) => from));
      const until = Math.max(...items.map(({ to }) => to));
      return (
        `the ledger must explain the balance of ${asset} but for ${moneyText(most, precision)}, ` +
        `received ${moneyText(amount, precision)} that nothing explains, between ${since} and ${until}`
      );
    }
    return undefined;
  }

  /** Plain JSON for snapshots; equal ledgers give equal documents. */
  state(): LedgerState {
    return writeLedgerState({ base: this.#base, log: this.#log, ids: [...this.#ids] });
  }

  /** @throws UsageError when it is no state of a ledger of these facts */
  static restore(facts: LedgerFacts, state: unknown): Ledger {
    const ledger = new Ledger(facts);
    const { base, log, ids } = readLedgerState(state);
    ledger.#base = base;
    ledger.#log = [...log];
    ledger.#ids = new Set(ids);
    ledger.#isStale = true;
    return ledger;
  }

  #fresh(): Books {
    if (this.#isStale) {
      this.#books = replay(this.#facts, this.#base, this.#log);
      this.#isStale = false;
    }
    return this.#books;
  }

  #append(entry: LedgerEntry): void {
    const books = this.#fresh();
    this.#log.push(entry);
    bookEntry(this.#facts, books, entry);
  }

  /** Nothing behind this point will be computed again. */
  #settle(): void {
    if (this.#suspenseAssets().length === 0) {
      this.#books.items = [];
      this.#books.differences = [];
    }
    this.#base = this.#books.clone();
    this.#log = [];
    const surplus = this.#ids.size - MOST_IDS;
    if (surplus <= 0) return;
    const ids = this.#ids.values();
    for (let n = 0; n < surplus; n++) this.#ids.delete(ids.next().value as string);
  }

  #suspenseAssets(): string[] {
    const { accounts } = this.#fresh();
    return accounts.assets.filter((asset) => accounts.balance(asset, 'suspense') !== 0n);
  }

  #isNew(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    return true;
  }

  #mustBeOpen(): void {
    if (!this.isOpen) throw new InvariantError('a ledger must be opened by a cut before its first entry');
  }
}
