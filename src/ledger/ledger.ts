import { InvariantError } from '../model/errors.js';
import { type Money, moneyText } from '../model/money.js';
import { Position } from '../model/position.js';
import type { AccountBalance, AccountKind } from './accounts.js';
import { bookCut, bookOpening } from './book-cut.js';
import { bookFill, type LedgerFacts, marketOf, precisionOf } from './book-entry.js';
import { Books } from './books.js';
import { type Cut, type CutReport, isSameCut, type PositionDifference, type SuspenseItem } from './cut.js';
import type { BookedFill, FillEntry, LedgerEntry, RoundTripEntry, TransferEntry } from './entry.js';
import { type Finer, restateBooks, restated } from './finer.js';
import { bookEntry, placeOf, replay } from './replay.js';
import { LEDGER_DIGITS } from './units.js';

export type { LedgerFacts } from './book-entry.js';

/** The result of giving an entry; `known`: it was booked before. */
export type Booking<T = undefined> =
  | { readonly kind: 'booked'; readonly entry: T }
  | { readonly kind: 'known' }
  /** The fill is older than an unexplained cut: the books were recomputed with the fill in its place. */
  | { readonly kind: 'late' };

/** Most entries that are kept after a cut that did not balance. Beyond that, its amounts stay in suspense for good. */
const MOST_OPEN = 1_000;
/** Number of ids that are remembered from before the last balanced cut. */
const MOST_IDS = 2_000;

/**
 * The account's money by double entry, in whole units of 10^-`LEDGER_DIGITS`: every fill, fee, funding and transfer on one side, the venue's
 * figures on the other. At each cut the two must agree. A difference goes to *suspense*, with its amount and the two cuts
 * around it, and stays visible until an entry explains it.
 *
 * After an unexplained cut the entries are kept, so that a fill that shows up late can be booked in its place and takes
 * exactly its own effect out of suspense.
 */
export class Ledger {
  readonly #facts: LedgerFacts;
  /** Books as of the last balanced cut. */
  #base = new Books();
  /** Entries since then. */
  #log: LedgerEntry[] = [];
  /** `#base` with `#log`. */
  #books = new Books();
  #isStale = false;
  /** Ids of fills and transfers, oldest first. */
  readonly #ids = new Set<string>();

  constructor(facts: LedgerFacts) {
    this.#facts = facts;
  }

  /** Whether the opening cut was made: from it on everything has to be explained. */
  get isOpen(): boolean {
    return this.#fresh().cutTime !== undefined;
  }

  /**
   * Books an execution of the account, on any pair, whether the order was ours or not. Fills may come in any order and
   * repeatedly. Fills that the opening cut already included must not be given.
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

  /** Books a completed deposit or withdrawal. */
  transfer(entry: TransferEntry): Booking {
    this.#mustBeOpen();
    precisionOf(this.#facts, entry.asset);
    if (!this.#isNew(`${entry.kind} ${entry.id}`)) return { kind: 'known' };
    this.#append(entry);
    return { kind: 'booked', entry: undefined };
  }

  /** Books a record of /completed_positions. Only records that a cut asked for (`wanted`) have an effect. */
  roundTrip(entry: Omit<RoundTripEntry, 'kind'>): Booking {
    if (!this.#fresh().pair(entry.pair).ended.has(entry.closingFill)) return { kind: 'known' };
    this.#append({ kind: 'round-trip', ...entry });
    return { kind: 'booked', entry: undefined };
  }

  /**
   * Pairs on which a position ended after being held across a funding time. Their records of /completed_positions must be
   * given by `roundTrip` before the next cut, or their funding goes to suspense until they are.
   */
  get wanted(): readonly string[] {
    return [...this.#fresh().pairs].filter(([, { ended }]) => ended.size > 0).map(([pair]) => pair);
  }

  /** Makes a cut. The first one opens the ledger; at each later one everything has to be explained. */
  cut(cut: Cut): CutReport {
    const books = this.#fresh();
    // A cut that equals the last, unexplained one tells nothing new.
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

  /** The result that a cut would have, without any change. The ledger must be open. */
  preview(cut: Cut): Pick<CutReport, 'unexplained' | 'positions'> {
    this.#mustBeOpen();
    return bookCut(this.#fresh().clone(), this.#facts, cut);
  }

  /** Must be called as soon as the facts have finer steps or finer money of a market, and before anything else. */
  becameFiner(finer: Finer): void {
    restateBooks(this.#base, finer);
    restateBooks(this.#books, finer);
    this.#log = this.#log.map((entry) => restated(entry, finer));
  }

  /** Every account that is not 0, debits positive; the accounts of an asset sum to 0. */
  get accounts(): readonly AccountBalance[] {
    return this.#fresh().accounts.list();
  }

  /** Debit balance of all accounts of these kinds; units of the ledger. P&L received is negative, amounts paid are positive. */
  total(asset: string, ...kinds: readonly AccountKind[]): Money {
    return this.#fresh().accounts.total(asset, ...kinds);
  }

  /** The balance of an asset that the venue should show at present; units of the ledger. */
  held(asset: string): Money {
    return this.#fresh().accounts.held(asset);
  }

  /** Size and cost by the ledger; realised P&L, fees and funding since it was opened, as P&L; units of the ledger. */
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

  /** Items in suspense, in the order of the cuts; those of an asset sum to its suspense. */
  get suspense(): readonly SuspenseItem[] {
    return this.#fresh().items;
  }

  /**
   * Venue ms from which on a fill may still explain something; `undefined`: nothing is waiting for one. For settled items
   * a late fill can no longer be inserted, and the ids of that time are forgotten: reading those fills again would book
   * them twice.
   */
  get openSince(): number | undefined {
    return this.#fresh().items[this.#base.items.length]?.from;
  }

  /** Positions that differ from the fills, since the last balanced cut. */
  get differences(): readonly PositionDifference[] {
    return this.#fresh().differences;
  }

  /** Venue ms of the last cut. */
  get cutTime(): number | undefined {
    return this.#fresh().cutTime;
  }

  /**
   * Why no order may add risk: the suspense of an asset exceeds its threshold, up or down. `threshold`: units of the ledger by asset, 0
   * for an absent one. `undefined`: no threshold is exceeded.
   */
  exceeds(threshold: ReadonlyMap<string, Money>): string | undefined {
    for (const asset of this.#suspenseAssets()) {
      const most = threshold.get(asset) ?? 0n;
      const amount = -this.#fresh().accounts.balance(asset, 'suspense');
      if ((amount < 0n ? -amount : amount) <= most) continue;
      const items = this.suspense.filter((item) => item.asset === asset);
      const since = Math.min(...items.map(({ from }) => from));
      const until = Math.max(...items.map(({ to }) => to));
      return (
        `the ledger must explain the balance of ${asset} but for ${moneyText(most, LEDGER_DIGITS)}, ` +
        `received ${moneyText(amount, LEDGER_DIGITS)} that nothing explains, between ${since} and ${until}`
      );
    }
    return undefined;
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

  /** Fixes everything up to this point, which will not be recomputed any more. */
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
