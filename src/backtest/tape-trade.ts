import { UsageError } from '../model/errors.js';
import type { Trade } from '../model/trade.js';
import type { TradeChunk } from '../storage/rows/trade-columns.js';

/** The rows from which ids are read; `undefined` once they have been replaced. */
export interface IdSource {
  chunk: TradeChunk | undefined;
}

/**
 * A trade of the tape as handlers see it. Its numbers are copies, so that a strategy may keep the trade as it may in a
 * live session. Decoding the id takes longer than everything else together, so that is done on demand.
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

  /** @throws UsageError when its rows were replaced by others: the id would be that of another trade */
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
