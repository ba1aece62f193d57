import type { Lots, Ticks } from './grid.js';
import type { Amount, Money } from './money.js';
import type { Side } from './side.js';

/** One execution of an order of ours (specification: Fill). */
export interface Fill {
  /** Fill ids are trade ids; they are unique and are what fills are deduplicated by. */
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
  /** Quote money paid, negative for a rebate. */
  readonly fee: Money;
  /** The same as its venue keeps it, where that is at hand. */
  readonly feeAmount?: Amount;
}
