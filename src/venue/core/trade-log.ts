import type { Trade } from '../../model/trade.js';

const FIRST_ROOM = 1_024;

/** Public trades of one market in order of execution, as columns: the newest `limit` of them. */
export class TradeLog {
  readonly #limit: number;
  #room: number;
  #times: Float64Array;
  #prices: Float64Array;
  #quantities: Float64Array;
  #makers: Uint8Array;
  readonly #ids: (string | number)[] = [];
  #count = 0;
  #start = 0;

  /** `limit` may be Infinity: then nothing is forgotten. */
  constructor(limit: number) {
    this.#limit = limit;
    this.#room = Math.max(1, Math.min(limit, FIRST_ROOM));
    this.#times = new Float64Array(this.#room);
    this.#prices = new Float64Array(this.#room);
    this.#quantities = new Float64Array(this.#room);
    this.#makers = new Uint8Array(this.#room);
  }

  get size(): number {
    return this.#count;
  }

  /** Times must not go back. */
  push(id: string | number, time: number, price: number, quantity: number, isBuyerMaker: boolean): void {
    if (this.#limit === 0) return;
    if (this.#count === this.#room && this.#room < this.#limit) this.#grow();
    let at = this.#count;
    if (this.#count === this.#room) {
      at = this.#start;
      this.#start = this.#start + 1 === this.#room ? 0 : this.#start + 1;
    } else {
      this.#count++;
    }
    this.#ids[at] = id;
    this.#times[at] = time;
    this.#prices[at] = price;
    this.#quantities[at] = quantity;
    this.#makers[at] = isBuyerMaker ? 1 : 0;
  }

  /** The newest `limit` trades with from <= time <= to, newest first. */
  newest(limit: number, from: number, to: number): Trade[] {
    const found: Trade[] = [];
    for (let n = this.#notAfter(to) - 1; n >= 0 && found.length < limit; n--) {
      const at = this.#at(n);
      const time = this.#times[at] as number;
      if (time < from) break;
      found.push({
        id: String(this.#ids[at]),
        time,
        price: this.#prices[at] as number,
        quantity: this.#quantities[at] as number,
        isBuyerMaker: this.#makers[at] === 1,
      });
    }
    return found;
  }

  /** Number of trades that are not later than `time`. */
  #notAfter(time: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[this.#at(middle)] as number) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #at(n: number): number {
    const at = this.#start + n;
    return at >= this.#room ? at - this.#room : at;
  }

  /** Called only while nothing was forgotten, so the oldest trade is at index 0. */
  #grow(): void {
    this.#room = Math.min(this.#limit, this.#room * 2);
    this.#times = grown(this.#times, new Float64Array(this.#room));
    this.#prices = grown(this.#prices, new Float64Array(this.#room));
    this.#quantities = grown(this.#quantities, new Float64Array(this.#room));
    this.#makers = grown(this.#makers, new Uint8Array(this.#room));
  }
}

function grown<A extends Float64Array | Uint8Array>(old: A, fresh: A): A {
  fresh.set(old);
  return fresh;
}
