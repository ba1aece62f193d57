import type { Fill } from '../../model/fill.js';
import type { Lots, Ticks } from '../../model/grid.js';
import { type Amount, type Money, moneyOfAmount } from '../../model/money.js';
import type { OrderType } from '../../model/order.js';
import type { Side } from '../../model/side.js';
import { IdTexts } from './id-texts.js';

/** What a fill needs of its order. */
interface Filled {
  readonly id: string;
  readonly pair: string;
  readonly side: Side;
  readonly terms: { readonly type: OrderType };
}

const FILL_IDS = new IdTexts();

/**
 * One side of an execution, as the account of the order keeps it. A venue keeps very many fills and is asked about few,
 * so texts and money are computed on demand.
 */
export class CoreFill implements Fill {
  /** Its id as a number. */
  readonly sequence: number;
  readonly time: number;
  readonly lots: Lots;
  readonly ticks: Ticks;
  readonly liquidity: 'maker' | 'taker';
  readonly feeAmount: Amount;
  readonly grossAmount: Amount;
  readonly realisedAmount: Amount;
  /** The trade came from a liquidation, a take-over or a deleverage; set on both sides. */
  readonly isLiquidation: true | undefined;
  /** The fill of the same order before this one. */
  readonly previous: CoreFill | undefined;
  readonly #order: Filled;

  constructor(
    order: Filled,
    previous: CoreFill | undefined,
    sequence: number,
    time: number,
    lots: Lots,
    ticks: Ticks,
    liquidity: 'maker' | 'taker',
    fee: Amount,
    grossFee: Amount,
    realised: Amount,
    isLiquidation: boolean,
  ) {
    this.#order = order;
    this.previous = previous;
    this.sequence = sequence;
    this.time = time;
    this.lots = lots;
    this.ticks = ticks;
    this.liquidity = liquidity;
    this.feeAmount = fee;
    this.grossAmount = grossFee;
    this.realisedAmount = realised;
    this.isLiquidation = isLiquidation ? true : undefined;
  }

  /** Decimal. */
  get id(): string {
    return FILL_IDS.of(this.sequence);
  }

  get orderId(): string {
    return this.#order.id;
  }

  get pair(): string {
    return this.#order.pair;
  }

  get side(): Side {
    return this.#order.side;
  }

  /** Type of its order, also after the venue has forgotten the order. */
  get orderType(): OrderType {
    return this.#order.terms.type;
  }

  get fee(): Money {
    return moneyOfAmount(this.feeAmount);
  }

  /** Fee before the discount; equal to `fee` without one. Negative for a rebate. */
  get grossFee(): Money {
    return moneyOfAmount(this.grossAmount);
  }

  /** P&L of the closing part before the fee; 0 when the fill only opened. */
  get realised(): Money {
    return moneyOfAmount(this.realisedAmount);
  }
}
