import type { Lots, Ticks } from '../../model/grid.js';
import type { Amount, Money } from '../../model/money.js';
import type { Side } from '../../model/side.js';
import type { CoreOrder, Holding } from './account.js';
import { replenish } from './book.js';
import { CoreFill } from './core-fill.js';
import type { Events } from './events.js';
import type { Ledger } from './ledger.js';
import type { MarketState } from './market-state.js';
import { settleForced } from './risk-postings.js';
import type { SpecialState } from './special.js';

/** Books one side of an execution: in the order, the account's money and position, and its records. */
export class Fills {
  readonly #state: MarketState;
  readonly #ledger: Ledger;
  readonly #events: Events;

  constructor(state: MarketState, ledger: Ledger, events: Events) {
    this.#state = state;
    this.#ledger = ledger;
    this.#events = events;
  }

  /** `isLiquidation`: one of the two orders is a liquidation. */
  fill(
    order: CoreOrder,
    id: number,
    lots: Lots,
    ticks: Ticks,
    liquidity: 'maker' | 'taker',
    time: number,
    isLiquidation = false,
  ): void {
    const { account, holding, side, special } = order;
    holding.reduceWorking(order, lots);
    order.leaves = (order.leaves - lots) as Lots;
    if (special !== undefined) showLess(order, special, lots);
    else if (order.level !== undefined) order.level.lots -= lots;
    order.updatedAt = time;
    order.lastTicks = ticks;
    if (this.#ledger.touched !== undefined && account.isCustomer) this.#ledger.touched.push(holding);
    if (special?.isLiquidation === true) {
      this.#fillForced(order, special, id, lots, ticks, liquidity, time);
      return;
    }
    const units = this.#state.unitsOf(lots, ticks);
    const feeUnits = this.#ledger.feeUnits(account, this.#state, liquidity, units);
    const realisedUnits = this.#ledger.settleUnits(holding, side, lots, ticks, units, feeUnits, time);
    let fee: Amount = feeUnits;
    let grossFee: Amount = feeUnits;
    let realised: Amount = realisedUnits;
    // One of the amounts needs bigints.
    if (Number.isNaN(realisedUnits)) {
      const amount = this.#state.amountOf(lots, ticks);
      fee = this.#ledger.fee(account, this.#state, liquidity, amount);
      grossFee = this.#ledger.grossFee(order, liquidity, amount, fee);
      realised = this.#ledger.settle(holding, { side, lots, ticks, amount }, fee, time);
    }
    this.#record(order, id, lots, ticks, liquidity, time, fee, grossFee, realised, isLiquidation);
  }

  /** Books the street's side of an execution on a tape, which has no record and no fee. */
  settleStreet(street: Holding, side: Side, lots: Lots, ticks: Ticks, time: number): void {
    const units = this.#state.unitsOf(lots, ticks);
    if (!Number.isNaN(this.#ledger.settleUnits(street, side, lots, ticks, units, 0, time))) return;
    const amount = this.#state.amountOf(lots, ticks);
    this.#ledger.settle(street, { side, lots, ticks, amount }, 0n, time);
  }

  /** Books a liquidated side by its own rules; the other side of a transfer like any fill, but without a fee. */
  #fillForced(
    order: CoreOrder,
    { forced }: SpecialState<CoreOrder>,
    id: number,
    lots: Lots,
    ticks: Ticks,
    liquidity: 'maker' | 'taker',
    time: number,
  ): void {
    const { holding, side } = order;
    const execution = { side, lots, ticks, amount: this.#state.amountOf(lots, ticks) };
    const { fee, realised } =
      forced === undefined
        ? { fee: 0n, realised: this.#ledger.settle(holding, execution, 0n, time) }
        : settleForced(this.#ledger, holding, execution, {
            kind: forced,
            time,
            atRisk: this.#lossOfRest(order),
          });
    this.#record(order, id, lots, ticks, liquidity, time, fee, fee, realised, true);
  }

  /** What the rest of a slice would lose against the mark at its limit. */
  #lossOfRest({ leaves, limitTicks, side }: CoreOrder): Money {
    const { mark } = this.#state;
    if (leaves === 0 || mark === undefined) return 0n;
    const loss = side === 'sell' ? mark - limitTicks : limitTicks - mark;
    return loss > 0 ? this.#state.amountOf(leaves, loss as Ticks) : 0n;
  }

  /** Separate arguments, because every fill passes here and an arguments object would be a second allocation. */
  #record(
    order: CoreOrder,
    id: number,
    lots: Lots,
    ticks: Ticks,
    liquidity: 'maker' | 'taker',
    time: number,
    fee: Amount,
    grossFee: Amount,
    realised: Amount,
    isLiquidation: boolean,
  ): void {
    const { account, lastFill } = order;
    // The venue's own accounts keep no records; their fills are only made for listeners.
    if (!account.isCustomer && !this.#events.wantsFills) return;
    const fill = new CoreFill(
      order,
      lastFill,
      id,
      time,
      lots,
      ticks,
      liquidity,
      fee,
      grossFee,
      realised,
      isLiquidation,
    );
    order.lastFill = fill;
    account.fills.push(fill);
    this.#events.fill(order, fill);
  }
}

/** Updates what the book shows of an order after `lots` left it. */
function showLess(order: CoreOrder, special: SpecialState<CoreOrder>, lots: Lots): void {
  const { level } = order;
  if (special.slice === 0) {
    if (level !== undefined && !special.isHidden) level.lots -= lots;
    return;
  }
  const { shown } = special;
  const isUsedUp = special.consume(lots, order.leaves);
  if (level === undefined) return;
  level.lots -= isUsedUp || order.leaves === 0 ? shown : lots;
  if (isUsedUp) replenish(order);
}
