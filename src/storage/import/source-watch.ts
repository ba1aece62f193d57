import { compareTrades, isDecimalId, type Trade } from '../../model/trade.js';
import type { SourceFault } from '../certificate/fault-file.js';
import type { RepeatedTrade } from '../certificate/id-sequence.js';
import { OrderWatch } from '../certificate/order-watch.js';

/**
 * Share of a file's trades in a wrong place above which the file as a whole has another order (newest first, or none). It
 * then counts as one fault from its first trade to its last.
 */
const MOST_MISPLACED = 0.1;
const MOST_REPEATS = 10_000;

/** Notes what is wrong with files on their way into a recording, where it is put right. */
export class SourceWatch {
  readonly #sources: Source[] = [];

  /**
   * Trades of one millisecond whose ids are no numbers: they are sorted by the text of their ids, and the order that they
   * had in the file, which may have been the true one, is lost.
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
  /** Repeats of trades that the recording had before. They are no faults of the file, but explain trades in a wrong place. */
  readonly #knownRepeats: RepeatedTrade[] = [];
  /** Trades that were counted as misplaced and then turned out to be repeats; counted on beyond `MOST_REPEATS`. */
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

  /** Counts only when the trade was taken for misplaced before: a repeat in its right place explains nothing. */
  repeatedKnown({ id, time }: RepeatedTrade): void {
    if (!this.#wasMisplaced({ id, time })) return;
    this.#lateRepeats += 1;
    if (this.#knownRepeats.length < MOST_REPEATS) this.#knownRepeats.push({ id, time });
  }

  /** By its id, as long as all ids of the misplaced are kept; beyond that, whether it lies between the first and the last. */
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
