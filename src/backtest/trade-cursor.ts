import type { Trade } from '../model/trade.js';
import type { TradeChunk } from '../storage/trade-columns.js';

/** A window on one row of a chunk: what strategies see as a trade, without an object per trade. */
export class TradeCursor implements Trade {
  #chunk: TradeChunk;
  row = 0;

  constructor(chunk: TradeChunk) {
    this.#chunk = chunk;
  }

  /** Moves to another chunk, before its first row is read. */
  turn(chunk: TradeChunk): void {
    this.#chunk = chunk;
  }

  get id(): string {
    return this.#chunk.id(this.row);
  }

  get time(): number {
    return this.#chunk.time[this.row] as number;
  }

  get price(): number {
    return this.#chunk.price[this.row] as number;
  }

  get quantity(): number {
    return this.#chunk.quantity[this.row] as number;
  }

  get isBuyerMaker(): boolean {
    return this.#chunk.isBuyerMaker[this.row] === 1;
  }
}
