import type { Lots } from '../model/grid.js';

/**
 * Risk limits of one pair. Quantities in lots of its market, money in quote units, times in ms of event time. An absent
 * limit is not checked; live mode beyond this machine demands those that `limitsOf` of the configuration names.
 */
export interface Limits {
  /** Largest |position| that working orders, orders in doubt and reserves may lead to. */
  readonly maxPosition: Lots | undefined;
  /** Largest quantity of one order. */
  readonly maxOrderQuantity: Lots | undefined;
  /** Most orders that are not done, those without an answer included. */
  readonly maxOpenOrders: number | undefined;
  /** Largest quantity × price of one order; a market order is judged at the mark. */
  readonly maxOrderNotional: number | undefined;
  /**
   * How far a limit price may lie from the mark and from the last trade, as a fraction of each: both bounds hold. An order
   * that takes the market's price is refused unless mark and last trade lie that close to each other.
   */
  readonly priceCollar: number | undefined;
  /**
   * Most orders of each pair in any 60 s, over all sessions. Reduce-only orders count and are held back too: an exit then
   * waits for 60 s at most.
   */
  readonly maxOrdersPerMinute: number | undefined;
  /**
   * Orders of each pair in any 60 min, over all sessions, from which on none may add risk. Reduce-only orders count, and are
   * never held back.
   */
  readonly maxOrdersPerHour: number | undefined;
  /** Cancels of each pair in any 60 s from which on no order may add risk. Cancels themselves always leave. */
  readonly maxCancelsPerMinute: number | undefined;
  /** Shortest time between two orders of one side that may add risk, over all sessions. */
  readonly minRepeatMs: number | undefined;
  /** After how many rejections no order may add risk for a while. */
  readonly rejectPause: RejectPause | undefined;
  /** Largest notional, quote units: the |position| that may come about × mark. */
  readonly maxGrossNotional: number | undefined;
  /** Loss since 00:00 UTC, quote units, at which no order may add risk until the next day. Fees and funding included. */
  readonly maxDailyLoss: number | undefined;
  /** Fall of the equity from its peak over all sessions, quote units, at which no order may add risk until a resume. */
  readonly maxDrawdown: number | undefined;
  /** After how many losing round trips in a row no order may add risk for a while. */
  readonly lossPause: LossPause | undefined;
  /** Largest |position| that may come about × mark ÷ equity. */
  readonly maxLeverage: number | undefined;
  /** Least distance of mark and liquidation price, as a fraction of the mark, at which an order may add risk. */
  readonly minLiquidationDistance: number | undefined;
  /**
   * For how long a position may have no stop at the venue that covers it whole. The engine acts on this one, not the gate: it
   * closes the position.
   */
  readonly maxBareMs: number | undefined;
}

/** `rejected` of the last `of` orders: no more risk for `forMs`. */
export interface RejectPause {
  readonly rejected: number;
  readonly of: number;
  readonly forMs: number;
}

/** `losses` in a row: no more risk for `forMs`. */
export interface LossPause {
  readonly losses: number;
  readonly forMs: number;
}

export const NO_LIMITS: Limits = {
  maxPosition: undefined,
  maxOrderQuantity: undefined,
  maxOpenOrders: undefined,
  maxOrderNotional: undefined,
  priceCollar: undefined,
  maxOrdersPerMinute: undefined,
  maxOrdersPerHour: undefined,
  maxCancelsPerMinute: undefined,
  minRepeatMs: undefined,
  rejectPause: undefined,
  maxGrossNotional: undefined,
  maxDailyLoss: undefined,
  maxDrawdown: undefined,
  lossPause: undefined,
  maxLeverage: undefined,
  minLiquidationDistance: undefined,
  maxBareMs: undefined,
};

/**
 * The day's equity is noted and compared with, over all sessions: a limit counts from it, or keeps its own memory in the
 * same record. The P&L of today counts from it in any case.
 */
export function notesDay({ maxDailyLoss, maxDrawdown, lossPause }: Limits): boolean {
  return [maxDailyLoss, maxDrawdown, lossPause].some((limit) => limit !== undefined);
}
