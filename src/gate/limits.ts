import type { Lots } from '../model/grid.js';

/** Risk limits of one pair, in lots of its market. An absent limit is not checked; live mode demands all. */
export interface Limits {
  /** Largest |position| that working orders may lead to. */
  readonly maxPosition: Lots | undefined;
  /** Largest quantity of one order. */
  readonly maxOrderQuantity: Lots | undefined;
  /** Most orders that are not done, waiting for an answer included. */
  readonly maxOpenOrders: number | undefined;
}

export const NO_LIMITS: Limits = {
  maxPosition: undefined,
  maxOrderQuantity: undefined,
  maxOpenOrders: undefined,
};
