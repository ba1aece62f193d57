import type { Lots, Ticks } from '../../model/grid.js';
import type { Money } from '../../model/money.js';
import type { CoreFill, CoreOrder } from './account.js';
import type { Events } from './events.js';
import type { Ledger } from './ledger.js';
import type { MarketState } from './market-state.js';

/** Writes one side of an execution where it belongs: the order, the account's money and position, its records. */
export class Fills {
  readonly #state: MarketState;
  readonly #ledger: Ledger;
  readonly #events: Events;

  constructor(state: MarketState, ledger: Ledger, events: Events) {
    this.#state = state;
    this.#ledger = ledger;
    this.#events = events;
  }

  /** Returns quantity × price in units. */
  fill(
    order: CoreOrder,
    id: string,
    lots: Lots,
    ticks: Ticks,
    liquidity: 'maker' | 'taker',
    time: number,
  ): Money {
    const { account, holding, side } = order;
    const { pair } = this.#state.market;
    holding.reduceWorking(order, lots);
    if (order.level !== undefined) order.level.lots -= lots;
    order.leaves = (order.leaves - lots) as Lots;
    order.updatedAt = time;
    order.lastTicks = ticks;
    const amount = this.#state.amountOf(lots, ticks);
    const fee = this.#ledger.fee(account, this.#state, liquidity, amount);
    const realised = this.#ledger.settle(holding, { side, lots, ticks, amount }, fee);
    // The venue's own accounts keep no records, so theirs are made for listeners only.
    if (!account.isCustomer && !this.#events.wantsFills) return amount;
    const grossFee = this.#ledger.grossFee(order, liquidity, amount, fee);
    const fill: CoreFill = {
      id,
      orderId: order.id,
      pair,
      time,
      side,
      lots,
      ticks,
      liquidity,
      fee,
      grossFee,
      realised,
    };
    order.addFill(fill);
    account.fills.push(fill);
    this.#events.fill(order, fill);
    return amount;
  }
}
