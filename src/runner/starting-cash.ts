import type { BalanceRecord } from '../model/venue-records.js';

/** Cash of the quote asset that a live session starts with, quote units. */
export interface StartingCash {
  /**
   * What the gate may use: what is free, and the margin of what is held already, since the gate counts a position's
   * margin and its loss itself.
   */
  readonly funds: number;
  /** What losses are counted from: with what is locked by orders that may still be working, too. */
  readonly wealth: number;
}

/** `undefined` when the account has no such asset. */
export function cashIn(balances: readonly BalanceRecord[], quote: string): StartingCash | undefined {
  const balance = balances.find(({ asset }) => asset === quote);
  if (balance === undefined) return undefined;
  const { free, locked, margin } = balance;
  return { funds: free + margin, wealth: free + margin + locked };
}
