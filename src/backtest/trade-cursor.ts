import type { TradeWindow } from '../engine/engine.js';
import type { Trade } from '../model/trade.js';
import type { TradeChunk } from '../storage/rows/trade-columns.js';
import { type IdSource, TapeTrade } from './tape-trade.js';

/**
 * A window on one row of a chunk without an object per trade. It makes an object only for a strategy that looks at the
 * trade.
 */
export class TradeCursor implements TradeWindow {
  #chunk: TradeChunk;
  #ids: IdSource;
  // The columns of the chunk, a step nearer to hand: they are read millions of times.
  #times: Float64Array;
  #prices: Float64Array;
  row = 0;

  constructor(chunk: TradeChunk) {
    this.#chunk = chunk;
    this.#ids = { chunk };
    this.#times = chunk.time;
    this.#prices = chunk.price;
  }

  /** Moves to another chunk, or to other rows of this one; to be called before its first row is read. */
  turn(chunk: TradeChunk): void {
    this.close();
    this.#ids = { chunk };
    this.#chunk = chunk;
    this.#times = chunk.time;
    this.#prices = chunk.price;
  }

  /** The rows are about to be replaced: ids of kept trades cannot be read any more. */
  close(): void {
    this.#ids.chunk = undefined;
  }

  /** Moves to a row and returns its trade, which the caller may keep. */
  at(row: number): Trade {
    this.row = row;
    return new TapeTrade(this.#chunk, this.#ids, row);
  }

  get id(): string {
    return this.#chunk.id(this.row);
  }

  get time(): number {
    return this.#times[this.row] as number;
  }

  get price(): number {
    return this.#prices[this.row] as number;
  }

  get quantity(): number {
    return this.#chunk.quantity[this.row] as number;
  }

  get isBuyerMaker(): boolean {
    return this.#chunk.isBuyerMaker[this.row] === 1;
  }
}
