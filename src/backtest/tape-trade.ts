import { UsageError } from '../model/errors.js';
import type { Trade } from '../model/trade.js';
import type { TradeChunk } from '../storage/rows/trade-columns.js';

/** What the ids of some rows are read from, for as long as it is there. */
export interface IdSource {
  chunk: TradeChunk | undefined;
}

/**
 * A trade of the tape as handlers see it. Its numbers are its own, so that it may be kept as one of a live session; the
 * text of its id takes longer than all else together, and is made when asked for.
 */
export class TapeTrade implements Trade {
  readonly time: number;
  readonly price: number;
  readonly quantity: number;
  readonly isBuyerMaker: boolean;
  readonly #ids: IdSource;
  readonly #row: number;

  constructor(chunk: TradeChunk, ids: IdSource, row: number) {
    this.time = chunk.time[row] as number;
    this.price = chunk.price[row] as number;
    this.quantity = chunk.quantity[row] as number;
    this.isBuyerMaker = chunk.isBuyerMaker[row] === 1;
    this.#ids = ids;
    this.#row = row;
  }

  /** @throws UsageError when its rows have made room for others: it would be another trade's */
  get id(): string {
    const { chunk } = this.#ids;
    if (chunk !== undefined) return chunk.id(this.#row);
    throw new UsageError(
      'TICKWRIGHT_E_STRATEGY',
      'the id of a trade must be read while its handler runs, or be kept by snapshot(trade); ' +
        `received a trade of ${this.time} ms, which was kept without`,
    );
  }
}
