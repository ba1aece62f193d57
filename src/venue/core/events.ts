import { InvariantError } from '../../model/errors.js';
import type { Trade } from '../../model/trade.js';
import type { CoreFill, CoreOrder, DoneReason } from './account.js';

export type FillHandler = (order: CoreOrder, fill: CoreFill) => void;
export type DoneHandler = (order: CoreOrder, reason: DoneReason) => void;
export type TradeHandler = (pair: string, trade: Trade) => void;
export type Unsubscribe = () => void;

/**
 * Tells listeners what happened, synchronously and in order, within the call that caused it. A listener may read the core
 * but must not command it: the running match would continue on a book that has changed.
 */
export class Events {
  readonly #fill: FillHandler[] = [];
  readonly #done: DoneHandler[] = [];
  readonly #trade: TradeHandler[] = [];
  #isTelling = false;

  get wantsFills(): boolean {
    return this.#fill.length > 0;
  }

  get wantsTrades(): boolean {
    return this.#trade.length > 0;
  }

  onFill(handler: FillHandler): Unsubscribe {
    return add(this.#fill, handler);
  }

  onDone(handler: DoneHandler): Unsubscribe {
    return add(this.#done, handler);
  }

  onTrade(handler: TradeHandler): Unsubscribe {
    return add(this.#trade, handler);
  }

  /** @throws InvariantError when a listener gives a command. */
  assertIdle(): void {
    if (this.#isTelling) throw new InvariantError('a listener of the venue core must not command it');
  }

  fill(order: CoreOrder, fill: CoreFill): void {
    if (this.#fill.length === 0) return;
    this.#isTelling = true;
    // By index, because an iterator would allocate an object for every fill.
    for (let at = 0; at < this.#fill.length; at++) (this.#fill[at] as FillHandler)(order, fill);
    this.#isTelling = false;
  }

  done(order: CoreOrder, reason: DoneReason): void {
    if (this.#done.length === 0) return;
    this.#isTelling = true;
    for (let at = 0; at < this.#done.length; at++) (this.#done[at] as DoneHandler)(order, reason);
    this.#isTelling = false;
  }

  trade(pair: string, trade: Trade): void {
    this.#isTelling = true;
    for (const handler of this.#trade) handler(pair, trade);
    this.#isTelling = false;
  }
}

function add<H>(handlers: H[], handler: H): Unsubscribe {
  handlers.push(handler);
  return () => {
    const at = handlers.indexOf(handler);
    if (at >= 0) handlers.splice(at, 1);
  };
}
