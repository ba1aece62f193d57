import type { Books } from '../execution/books.js';
import type { Cut } from '../ledger/cut.js';
import type { TransferEntry } from '../ledger/entry.js';
import { Ledger } from '../ledger/ledger.js';
import { roundTripEntryOf, transferEntryOf } from '../ledger/read-records.js';
import { LEDGER_DIGITS, ledgerScale } from '../ledger/units.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import { type Money, moneyText } from '../model/money.js';
import { type CancelTimer, sleep, type Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { FundsChange, type FundsRead } from './funds-change.js';
import { type LedgerApi, readStill, type Still } from './ledger-reads.js';
import { Listed, ListedFacts } from './listed-facts.js';

export interface LedgerWatchOptions {
  readonly api: LedgerApi;
  readonly market: Market;
  readonly books: Pick<Books, 'position' | 'fills'>;
  /** The pair is SYNCED: its orders, fills and position agree with the venue. */
  readonly isSynced: () => boolean;
  /** Time between two cuts, ms. */
  readonly everyMs: number;
  /** The most rows that one answer of the venue holds. */
  readonly limit: number;
  /** The largest |unexplained amount| of the quote asset, units of the market's money, that does not stop risk; `undefined`: any amount. */
  readonly maxSuspense: Money | undefined;
  /** Called when `reason` may have changed. */
  readonly onReason?: (() => void) | undefined;
  /** Absent: nobody asks what transfers change. */
  readonly funds?: (() => FundsRead) | undefined;
  /** Called with what transfers have changed the funds by since they were read, quote units, when that is something new. */
  readonly onFunds?: ((change: number) => void) | undefined;
  readonly timers: Timers;
  readonly log: Log;
}

/** The unexplained amount of one asset, plain decimal text. Above 0: the venue shows more than the ledger explains. */
export interface SuspenseAmount {
  readonly asset: string;
  readonly amount: string;
}

export interface LedgerStatus {
  readonly isOpen: boolean;
  readonly cuts: number;
  /** Venue ms of the newest cut. */
  readonly cutTime: number | undefined;
  readonly suspense: readonly SuspenseAmount[];
  /** Assets and pairs that the account holds and no list of the venue describes, so that their amounts cannot be read. */
  readonly unlisted: readonly string[];
  /** Why several looks in a row failed. `undefined`: they did not, even if there is no cut because something moves. */
  readonly failure: string | undefined;
}

/** First pause, ms, before the next look when something moved or a difference may still be explained. */
const AGAIN_MS = 5_000;
/** A difference counts once so many looks in a row have shown it: reads of one venue may be of different age. */
const LOOKS = 3;
/** Fills are read from this long before the last cut, venue ms. */
const OVERLAP_MS = 60_000;
/** After so many failed looks in a row the status tells that the balances are not watched: fewer may be a passing fault. */
const FAILURES = 3;
/** The operator's words for a look that failed. */
const NOT_COMPARED =
  'the balances cannot be compared with the ledger: trading goes on, but money that nothing explains is not noticed ' +
  'meanwhile. If this lasts, see to what the error names; where it is the request budget, set longer poll times';
/** More than any amount. */
const BOUNDLESS = 10n ** 60n;

/**
 * The ledger of the account while a bot trades: it opens with the account's balances, books each fill of the journal, and
 * compares its balances with the venue's whenever nothing moves (a cut). An unexplained difference is held in suspense; too
 * much of it stops risk. A cut costs five requests, and a failure of them stops nothing.
 */
export class LedgerWatch {
  readonly #options: LedgerWatchOptions;
  readonly #abort = new AbortController();
  /** Transfers, and fills of other pairs, that the opening balances include; also fills that cannot be read. */
  readonly #opening = new Set<string>();
  readonly #facts: ListedFacts;
  #ledger: Ledger | undefined;
  #fundsChange: FundsChange | undefined;
  /** The change of the funds that was told last. */
  #told = 0;
  #cancelLook: CancelTimer | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** Fills so far: a change during a look means that its reads do not belong together. */
  #moves = 0;
  #cuts = 0;
  /** Looks without a result since the last one that had one. */
  #tries = 0;
  /** Looks in a row that found something unexplained. */
  #unexplained = 0;
  #failures = 0;
  #failure: string | undefined;
  #unlisted: readonly string[] = [];
  #suspense: readonly SuspenseAmount[] = [];
  #reason: string | undefined;

  constructor(options: LedgerWatchOptions) {
    this.#options = options;
    this.#facts = new ListedFacts(options.market);
  }

  get status(): LedgerStatus {
    return {
      isOpen: this.#ledger?.isOpen === true,
      cuts: this.#cuts,
      cutTime: this.#ledger?.cutTime,
      suspense: this.#suspense,
      unlisted: this.#unlisted,
      failure: this.#failures < FAILURES ? undefined : this.#failure,
    };
  }

  /** Why no risk may be added; `undefined`: it may. Costs no request. */
  reason(): string | undefined {
    return this.#reason;
  }

  /** Takes every record of the journal, as it is written. Never throws. */
  hear(record: JournalRecord): void {
    if (record.kind !== 'fill') return;
    this.#moves++;
    if (this.#ledger === undefined) return;
    const { pair, fill, liquidation } = record;
    try {
      const booking = this.#ledger.fill({ pair, fill, liquidation });
      if (booking.kind === 'late') this.#tell();
    } catch (error) {
      this.#options.log.error('the ledger does not take a fill', { pair, id: fill.id, error: String(error) });
    }
  }

  /** Opens the ledger as soon as nothing moves, and goes on until `stop`. */
  start(): void {
    this.#schedule(0);
  }

  stop(): void {
    this.#abort.abort(new Error('stopped'));
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  /** Stops, after one last cut if that is possible within `deadlineMs`. */
  async finish(deadlineMs: number): Promise<LedgerStatus> {
    this.stop();
    const { timers } = this.#options;
    if (this.#ledger !== undefined && this.#failures === 0) {
      const over = new AbortController();
      const work = this.#looking.then(() => this.#lastLook(over.signal));
      await Promise.race([work, sleep(timers, deadlineMs, over.signal).catch(() => undefined)]);
      over.abort(new Error('over'));
    }
    return this.status;
  }

  async #lastLook(over: AbortSignal): Promise<void> {
    for (let looks = 0; looks < LOOKS && !over.aborted; looks++) {
      if (await this.#attempt(over)) return;
      await sleep(this.#options.timers, 250, over).catch(() => undefined);
    }
  }

  #schedule(ms: number): void {
    const { signal } = this.#abort;
    if (signal.aborted) return;
    this.#cancelLook = this.#options.timers.after(ms, () => {
      this.#looking = this.#attempt(signal).then((isDone) => {
        const { everyMs } = this.#options;
        this.#tries = isDone ? 0 : this.#tries + 1;
        // The pause grows, since on a busy account frequent looks would only cost requests that others need.
        this.#schedule(isDone ? everyMs : Math.min(everyMs, AGAIN_MS * 2 ** (this.#tries - 1)));
      });
    });
  }

  /** True when the next look may wait for `everyMs`: there was a cut, or the look failed. Never rejects. */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    const { log } = this.#options;
    try {
      const isDone = await this.#look(signal);
      if (this.#failures > 0) log.info('the balances are compared with the ledger again');
      this.#failures = 0;
      return isDone;
    } catch (error) {
      this.#failure = String(error);
      if (this.#failures === 0 && !signal.aborted)
        log.warn(NOT_COMPARED, { error: this.#failure, againMs: this.#options.everyMs });
      this.#failures++;
      return true;
    }
  }

  /** True when there was a cut. @throws VenueError, and the reason of the signal */
  async #look(signal: AbortSignal): Promise<boolean> {
    const { api, market, books, limit, isSynced, log } = this.#options;
    if (!isSynced()) return false;
    const facts = this.#facts;
    if (!facts.isRead) await facts.read(api);
    const ledger = this.#ledger;
    const from = Math.max(0, this.#since(ledger) - OVERLAP_MS);
    const how = { api, facts, market, books, limit, from };
    const completed = ledger === undefined ? await this.#transfers() : [];
    const moved = this.#moves;
    const still = await readStill({ ...how, moves: () => this.#moves });
    signal.throwIfAborted();
    if (still === undefined || !isSynced()) return false;
    // The venue may have listed them, or made a market finer, since the facts were read: then the next look knows it.
    const isKnown = still.unlisted.length === 0 && !still.isOffGrid;
    if (!isKnown && (await facts.read(api, (finer) => this.#ledger?.becameFiner(finer)))) return false;
    signal.throwIfAborted();
    this.#tellUnlisted(still.unlisted);
    if (ledger === undefined) {
      // A transfer that was completed during the look may be in the balances or not: look again.
      const isSame = (await this.#transfers()).length === completed.length;
      signal.throwIfAborted();
      if (!isSame || this.#moves !== moved) return false;
      for (const { kind, id } of completed) this.#opening.add(`${kind} ${id}`);
      this.#open(still, completed);
      return true;
    }
    for (const { pair, id } of still.unreadable) {
      const name = `${pair} ${id}`;
      if (!this.#opening.has(name)) log.error('the ledger cannot read a fill', { pair, id });
      this.#opening.add(name);
    }
    for (const entry of still.others) {
      if (!this.#opening.has(`${entry.pair} ${entry.fill.id}`)) ledger.fill(entry);
    }
    return this.#cut(ledger, still.cut, signal);
  }

  /** Venue ms from which the cause of an unexplained difference may date. */
  #since(ledger: Ledger | undefined): number {
    const cutTime = Math.floor(ledger?.cutTime ?? this.#options.api.clock.now());
    return Math.min(cutTime, ledger?.openSince ?? cutTime);
  }

  /** Opens the ledger with the balances of the look, which include the fills that the look shows. */
  #open({ cut, others }: Still, completed: readonly TransferEntry[]): void {
    for (const { pair, fill } of others) this.#opening.add(`${pair} ${fill.id}`);
    this.#ledger = new Ledger(this.#facts);
    this.#ledger.cut(cut);
    this.#cuts++;
    const { funds, market } = this.#options;
    if (funds === undefined) return;
    this.#fundsChange = new FundsChange(this.#facts, market.quote, funds(), { cut, completed });
    this.#tellFunds(cut);
  }

  /** The session of a watch that was stopped takes nothing in any more. */
  #tellFunds(cut: Cut): void {
    const change = this.#fundsChange?.at(cut) ?? 0;
    if (change === this.#told || this.#abort.signal.aborted) return;
    this.#told = change;
    this.#options.onFunds?.(change);
  }

  async #cut(ledger: Ledger, cut: Cut, signal: AbortSignal): Promise<boolean> {
    const moved = this.#moves;
    const { length: known } = this.#suspense;
    for (const pair of ledger.wanted) await this.#readRoundTrips(ledger, pair);
    if (ledger.preview(cut).unexplained.length > 0) {
      for (const entry of await this.#transfers()) {
        if (this.#opening.has(`${entry.kind} ${entry.id}`)) continue;
        if (ledger.transfer(entry).kind === 'booked') this.#fundsChange?.book(entry);
      }
      signal.throwIfAborted();
      if (this.#moves !== moved) return false;
      const isExplained = ledger.preview(cut).unexplained.length === 0;
      this.#unexplained = isExplained ? 0 : this.#unexplained + 1;
      if (this.#unexplained > 0 && this.#unexplained < LOOKS) return false;
    }
    signal.throwIfAborted();
    if (this.#moves !== moved) return false;
    this.#unexplained = 0;
    const { positions } = ledger.cut(cut);
    this.#cuts++;
    this.#tellFunds(cut);
    for (const { pair, ours, venue } of positions) {
      this.#options.log.error('the fills in the ledger do not lead to the position', { pair, ours, venue });
    }
    if (known > 0 || ledger.suspense.length > 0) this.#tell();
    return true;
  }

  async #readRoundTrips(ledger: Ledger, pair: string): Promise<void> {
    const { api, limit } = this.#options;
    const from = Math.max(0, this.#since(ledger) - OVERLAP_MS);
    for (const record of await api.completedPositions({ pair, from, limit })) {
      const entry = roundTripEntryOf(this.#facts, record);
      if (entry !== undefined) ledger.roundTrip(entry);
    }
  }

  /** The completed ones among the newest transfers, of assets that the venue lists. */
  async #transfers(): Promise<readonly TransferEntry[]> {
    const { api, limit } = this.#options;
    const deposits = await api.deposits({ limit });
    const withdrawals = await api.withdrawals({ limit });
    const facts = this.#facts;
    const listed = new Listed(facts);
    const isListed = ({ asset }: { readonly asset: string }) => listed.hasAsset(asset);
    return [
      ...deposits.filter(isListed).flatMap((record) => transferEntryOf(facts, 'deposit', record) ?? []),
      ...withdrawals.filter(isListed).flatMap((record) => transferEntryOf(facts, 'withdrawal', record) ?? []),
    ];
  }

  /**
   * Notes and logs names that the venue shows but does not list: they are left out, and the rest is watched all the same.
   */
  #tellUnlisted(names: readonly string[]): void {
    const fresh = names.filter((name) => !this.#unlisted.includes(name));
    if (fresh.length > 0)
      this.#options.log.error('the ledger leaves out what the venue shows and does not list', {
        names: fresh,
      });
    this.#unlisted = names;
  }

  /** Updates `reason`, and logs the amounts in suspense when they have changed. */
  #tell(): void {
    const { log, market, maxSuspense, onReason } = this.#options;
    const ledger = this.#ledger as Ledger;
    const { precisions } = this.#facts;
    const sums = new Map<string, Money>();
    for (const { asset, amount } of ledger.suspense) sums.set(asset, (sums.get(asset) ?? 0n) + amount);
    const suspense = [...sums]
      .filter(([, amount]) => amount !== 0n)
      .map(([asset, amount]) => ({ asset, amount: moneyText(amount, LEDGER_DIGITS) }));
    const bounds = new Map([...precisions.keys()].map((asset) => [asset, BOUNDLESS]));
    if (maxSuspense !== undefined) bounds.set(market.quote, maxSuspense * ledgerScale(market.quotePrecision));
    this.#reason = ledger.exceeds(bounds);
    onReason?.();
    if (JSON.stringify(suspense) === JSON.stringify(this.#suspense)) return;
    this.#suspense = suspense;
    if (suspense.length === 0) log.warn('the ledger explains every balance again');
    else log.error('the ledger does not explain the balances', { suspense });
  }
}
