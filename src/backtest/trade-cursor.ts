import type { TradeWindow } from '../engine/engine.js';
import type { TradeChunk } from '../storage/trade-columns.js';

/** A window on one row of a chunk: what strategies see as a trade, without an object per trade. */
export class TradeCursor implements TradeWindow {
  #chunk: TradeChunk;
  // The columns of the chunk, a step nearer to hand: they are read millions of times.
  #times: Float64Array;
  #prices: Float64Array;
  row = 0;

  constructor(chunk: TradeChunk) {
    this.#chunk = chunk;
    this.#times = chunk.time;
    this.#prices = chunk.price;
  }

  /** Moves to another chunk, before its first row is read. */
  turn(chunk: TradeChunk): void {
    this.#chunk = chunk;
    this.#times = chunk.time;
    this.#prices = chunk.price;
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
