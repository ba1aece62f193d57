import { compareTrades, isDecimalId, type Trade } from '../../model/trade.js';
import type { SourceFault } from '../certificate/fault-file.js';
import type { RepeatedTrade } from '../certificate/id-sequence.js';
import { OrderWatch } from '../certificate/order-watch.js';

/**
 * The share of misplaced trades above which a whole file counts as differently ordered (newest first, or unordered).
 * The file then counts as one fault, from its first trade to its last, instead of many.
 */
const MOST_MISPLACED = 0.1;
const MOST_REPEATS = 10_000;

/** Collects the faults of source files that an import corrects. */
export class SourceWatch {
  readonly #sources: Source[] = [];

  /**
   * Number of trades that were reordered within their millisecond although their ids are not numbers. They are sorted
   * by the text of their ids, so the file's order, which may have been the true one, is lost.
   */
  get unordered(): number {
    return this.#sources.reduce((sum, { unordered }) => sum + unordered, 0);
  }

  begin(name: string): void {
    this.#sources.push(new Source(name));
  }

  /** Takes the next trade of the source. `taken` is false if the trade is already known to be a repeat. */
  next(trade: Trade, taken: boolean): void {
    this.#sources.at(-1)?.next(trade, taken);
  }

  /**
   * Takes a repeated trade. `known`: its day existed before this import, so an earlier import may have brought the
   * trade, and the repeat is not a fault of this file.
   */
  repeated(trade: RepeatedTrade, known: boolean): void {
    if (known) this.#sources.at(-1)?.repeatedKnown(trade);
    else this.#sources.at(-1)?.repeated(trade);
  }

  faults(): readonly SourceFault[] {
    return this.#sources.flatMap((source) => source.faults());
  }

  /** Number of sources that were out of order as a whole. */
  get sorted(): number {
    return this.#sources.filter((source) => source.hasOtherOrder).length;
  }
}

class Source {
  unordered = 0;
  readonly #name: string;
  readonly #order = new OrderWatch();
  #highest: Trade | undefined;
  #lowest: Trade | undefined;
  #trades = 0;
  /** The first and the last misplaced trade, in order of time. */
  #firstMisplaced: Trade | undefined;
  #lastMisplaced: Trade | undefined;
  readonly #misplacedIds = new Set<string>();
  readonly #repeats: RepeatedTrade[] = [];
  /**
   * Repeats of trades that the recording had before this import. They are not faults of the file, but they explain
   * misplaced trades.
   */
  readonly #knownRepeats: RepeatedTrade[] = [];
  /**
   * Number of trades that were counted as misplaced before they turned out to be repeats. Counts on beyond
   * `MOST_REPEATS`.
   */
  #lateRepeats = 0;

  constructor(name: string) {
    this.#name = name;
  }

  next(trade: Trade, taken: boolean): void {
    this.#trades += 1;
    if (this.#lowest === undefined || compareTrades(trade, this.#lowest) < 0) this.#lowest = trade;
    if (this.#highest !== undefined && compareTrades(trade, this.#highest) <= 0) {
      if (taken && isOpaque(trade, this.#highest)) this.unordered += 1;
      else if (taken) this.#misplace(trade);
      else this.#lateRepeats -= 1;
      return;
    }
    this.#order.inPlace();
    this.#highest = trade;
  }

  repeated({ id, time }: RepeatedTrade): void {
    this.#lateRepeats += 1;
    if (this.#repeats.length < MOST_REPEATS) this.#repeats.push({ id, time });
  }

  /** Counts a repeat only if the trade was counted as misplaced: a repeat in its right place explains nothing. */
  repeatedKnown({ id, time }: RepeatedTrade): void {
    if (!this.#wasMisplaced({ id, time })) return;
    this.#lateRepeats += 1;
    if (this.#knownRepeats.length < MOST_REPEATS) this.#knownRepeats.push({ id, time });
  }

  /**
   * Looks up the id while the ids of all misplaced trades are kept. Beyond that, tests whether the trade lies between
   * the first and the last misplaced one.
   */
  #wasMisplaced({ id, time }: RepeatedTrade): boolean {
    if (this.#misplacedIds.size < MOST_REPEATS) return this.#misplacedIds.has(id);
    const [first, last] = [this.#firstMisplaced, this.#lastMisplaced];
    if (first === undefined || last === undefined) return false;
    return compareTrades({ id, time }, first) >= 0 && compareTrades({ id, time }, last) <= 0;
  }

  #misplace(trade: Trade): void {
    if (this.#misplacedIds.size < MOST_REPEATS) this.#misplacedIds.add(trade.id);
    this.#order.misplaced(trade.id, trade.time);
    const [first, last] = [this.#firstMisplaced, this.#lastMisplaced];
    if (first === undefined || compareTrades(trade, first) < 0) this.#firstMisplaced = trade;
    if (last === undefined || compareTrades(trade, last) > 0) this.#lastMisplaced = trade;
  }

  get hasOtherOrder(): boolean {
    return this.#misplaced > this.#trades * MOST_MISPLACED;
  }

  get #misplaced(): number {
    return this.#order.trades - this.#lateRepeats;
  }

  faults(): readonly SourceFault[] {
    const source = this.#name;
    const duplicates = this.#repeats.map((repeat): SourceFault => ({ kind: 'duplicate', ...repeat, source }));
    const [first, last] = [this.#lowest, this.#highest];
    if (this.hasOtherOrder && first !== undefined && last !== undefined) {
      const [firstId, lastId, from, to] = [first.id, last.id, first.time, last.time];
      const trades = this.#misplaced;
      return [...duplicates, { kind: 'reordered', firstId, lastId, from, to, trades, source }];
    }
    if (this.#order.trades > this.#trades * MOST_MISPLACED) return duplicates;
    const allRepeats = [...this.#repeats, ...this.#knownRepeats];
    const reordered = this.#order.stretches.flatMap((stretch): SourceFault[] => {
      // A repeated page appears misplaced only because it is a repeat; do not report it twice.
      const repeats = allRepeats.filter(
        (repeat) =>
          compareTrades(repeat, { id: stretch.firstId, time: stretch.from }) >= 0 &&
          compareTrades(repeat, { id: stretch.lastId, time: stretch.to }) <= 0,
      );
      const trades = stretch.trades - repeats.length;
      return trades > 0 ? [{ kind: 'reordered', ...stretch, trades, source }] : [];
    });
    return [...duplicates, ...reordered];
  }
}

/** Whether neither id is known to come first: the trades share a millisecond, and their ids are not numbers. */
function isOpaque(a: Trade, b: Trade): boolean {
  return a.time === b.time && !(isDecimalId(a.id) && isDecimalId(b.id));
}
