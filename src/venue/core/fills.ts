import type { Lots, Ticks } from '../../model/grid.js';
import type { Money } from '../../model/money.js';
import type { Side } from '../../model/side.js';
import type { CoreFill, CoreOrder, Holding } from './account.js';
import { replenish } from './book.js';
import type { Events } from './events.js';
import type { Ledger } from './ledger.js';
import type { MarketState } from './market-state.js';
import { settleForced } from './risk-postings.js';
import type { SpecialState } from './special.js';

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

  /** `isLiquidation`: the order on either side is one. */
  fill(
    order: CoreOrder,
    id: string,
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
      const amount = this.#state.amountOf(lots, ticks);
      this.#settleLiquidation(order, special, { id, lots, ticks, amount, liquidity, time });
      return;
    }
    const units = this.#state.unitsOf(lots, ticks);
    const feeUnits = this.#ledger.feeUnits(account, this.#state, liquidity, units);
    // NaN where a step of it takes bigints.
    const realisedUnits = this.#ledger.settleUnits(holding, side, lots, ticks, units, feeUnits, time);
    // The venue's own accounts keep no records, so theirs are made for listeners only.
    const isKept = account.isCustomer || this.#events.wantsFills;
    if (Number.isNaN(realisedUnits)) {
      const amount = this.#state.amountOf(lots, ticks);
      const fee = this.#ledger.fee(account, this.#state, liquidity, amount);
      const realised = this.#ledger.settle(holding, { side, lots, ticks, amount }, fee, time);
      if (!isKept) return;
      const grossFee = this.#ledger.grossFee(order, liquidity, amount, fee);
      this.#record(order, { id, lots, ticks, liquidity, time, fee, grossFee, realised }, isLiquidation);
    } else if (isKept) {
      const fee = BigInt(feeUnits);
      const realised = realisedUnits === 0 ? 0n : BigInt(realisedUnits);
      this.#record(order, { id, lots, ticks, liquidity, time, fee, grossFee: fee, realised }, isLiquidation);
    }
  }

  /** The street's side of an execution of a tape, of which there is no record and no fee. */
  settleStreet(street: Holding, side: Side, lots: Lots, ticks: Ticks, time: number): void {
    const units = this.#state.unitsOf(lots, ticks);
    if (!Number.isNaN(this.#ledger.settleUnits(street, side, lots, ticks, units, 0, time))) return;
    const amount = this.#state.amountOf(lots, ticks);
    this.#ledger.settle(street, { side, lots, ticks, amount }, 0n, time);
  }

  #record(
    order: CoreOrder,
    {
      id,
      lots,
      ticks,
      liquidity,
      time,
      fee,
      grossFee,
      realised,
    }: Omit<CoreFill, 'orderId' | 'pair' | 'side'>,
    isLiquidation: boolean,
  ): void {
    const { id: orderId, side } = order;
    const { pair } = this.#state.market;
    const fill: CoreFill = {
      id,
      orderId,
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
    this.#keep(order, isLiquidation ? { ...fill, isLiquidation } : fill);
  }

  /** The liquidated side by its own rules; the other side of a transfer like any fill, without a fee. */
  #settleLiquidation(
    order: CoreOrder,
    { forced }: SpecialState<CoreOrder>,
    { amount, ...facts }: Pick<CoreFill, 'id' | 'lots' | 'ticks' | 'liquidity' | 'time'> & { amount: Money },
  ): void {
    const { holding, side } = order;
    const execution = { side, lots: facts.lots, ticks: facts.ticks, amount };
    const { fee, realised } =
      forced === undefined
        ? { fee: 0n, realised: this.#ledger.settle(holding, execution, 0n, facts.time) }
        : settleForced(this.#ledger, holding, execution, {
            kind: forced,
            time: facts.time,
            atRisk: this.#lossOfRest(order),
          });
    if (!order.account.isCustomer && !this.#events.wantsFills) return;
    const { pair } = this.#state.market;
    const { id: orderId } = order;
    this.#keep(order, { ...facts, orderId, pair, side, fee, grossFee: fee, realised, isLiquidation: true });
  }

  /** What the rest of a slice would lose against the mark at its limit. */
  #lossOfRest({ leaves, limitTicks, side }: CoreOrder): Money {
    const { mark } = this.#state;
    if (leaves === 0 || mark === undefined) return 0n;
    const loss = side === 'sell' ? mark - limitTicks : limitTicks - mark;
    return loss > 0 ? this.#state.amountOf(leaves, loss as Ticks) : 0n;
  }

  #keep(order: CoreOrder, fill: CoreFill): void {
    order.addFill(fill);
    order.account.fills.push(fill);
    this.#events.fill(order, fill);
  }
}

/** After `lots` left the order: what the book shows of it. */
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
