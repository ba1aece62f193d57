import type { Lots, Ticks } from './grid.js';
import type { Amount, Money } from './money.js';
import type { Side } from './side.js';

/** One execution of an order of ours (specification: Fill). */
export interface Fill {
  /** The venue's trade id. It is unique, so fills are deduplicated by it. */
  readonly id: string;
  readonly orderId: string;
  /** Venue time, ms. */
  readonly time: number;
  readonly side: Side;
  /** FIX LastQty (32), above 0. */
  readonly lots: Lots;
  /** FIX LastPx (31). */
  readonly ticks: Ticks;
  /** FIX LastLiquidityInd (851). */
  readonly liquidity: 'maker' | 'taker';
  /** Quote money paid; negative for a rebate. */
  readonly fee: Money;
  /** The same fee as an `Amount`, when the simulated venue already has it in that form; spares a conversion per fill. */
  readonly feeAmount?: Amount;
}
