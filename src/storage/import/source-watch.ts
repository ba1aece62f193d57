import { compareTrades, isDecimalId, type Trade } from '../../model/trade.js';
import type { SourceFault } from '../certificate/fault-file.js';
import type { RepeatedTrade } from '../certificate/id-sequence.js';
import { OrderWatch } from '../certificate/order-watch.js';

/** A file with more in a wrong place has another order, newest first or none: it is one fault from its first trade to its last. */
const MOST_MISPLACED = 0.1;
const MOST_REPEATS = 10_000;

/** Notes what is wrong with files on their way into a recording, where it is put right. */
export class SourceWatch {
  readonly #sources: Source[] = [];

  /**
   * Trades that stand here in another order than in their file though that may have been right: within a millisecond only
   * ids tell, and theirs are no numbers.
   */
  get unordered(): number {
    return this.#sources.reduce((sum, { unordered }) => sum + unordered, 0);
  }

  begin(name: string): void {
    this.#sources.push(new Source(name));
  }

  /** The next trade of the source; `taken` is false when it is known already that it came before. */
  next(trade: Trade, taken: boolean): void {
    this.#sources.at(-1)?.next(trade, taken);
  }

  /**
   * A trade came again. `known`: its day was there before this import, and so perhaps the trade, which is no fault of a
   * file.
   */
  repeated(trade: RepeatedTrade, known: boolean): void {
    if (known) this.#sources.at(-1)?.repeatedKnown(trade);
    else this.#sources.at(-1)?.repeated(trade);
  }

  faults(): readonly SourceFault[] {
    return this.#sources.flatMap((source) => source.faults());
  }

  /** Sources that were in another order as a whole. */
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
  /** Where the misplaced lie. */
  #firstMisplaced: Trade | undefined;
  #lastMisplaced: Trade | undefined;
  readonly #misplacedIds = new Set<string>();
  readonly #repeats: RepeatedTrade[] = [];
  /** That are no faults to tell, but may be why trades stand in a wrong place. */
  readonly #knownRepeats: RepeatedTrade[] = [];
  /** Those that stand among the misplaced until they are known to be repeats; they may be more than are kept. */
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

  /** Counts only when it is one of the misplaced: what stood in its place says nothing of them. */
  repeatedKnown({ id, time }: RepeatedTrade): void {
    if (!this.#wasMisplaced({ id, time })) return;
    this.#lateRepeats += 1;
    if (this.#knownRepeats.length < MOST_REPEATS) this.#knownRepeats.push({ id, time });
  }

  /** Of more than are kept by their ids, those that lie among them may have been. */
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
      // A page that came again long after the first time stood in a wrong place only because it was there twice.
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

/** Nobody can say which of the two came first. */
function isOpaque(a: Trade, b: Trade): boolean {
  return a.time === b.time && !(isDecimalId(a.id) && isDecimalId(b.id));
}
