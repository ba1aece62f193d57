import type { BalanceRecord } from '../model/venue-records.js';

/** Cash of the quote asset that a live session starts with, quote units. */
export interface StartingCash {
  /**
   * Cash that the gate may use: the free balance plus the margin of the present position, since the gate counts that
   * margin and the position's loss itself.
   */
  readonly funds: number;
  /**
   * `funds` plus the cash that working orders have locked and pending withdrawals hold: losses are counted from it. A
   * withdrawal may still be dropped; it leaves the cash when it is completed.
   */
  readonly wealth: number;
}

/** `undefined`: the account does not hold the asset. */
export function cashIn(balances: readonly BalanceRecord[], quote: string): StartingCash | undefined {
  const balance = balances.find(({ asset }) => asset === quote);
  if (balance === undefined) return undefined;
  const { free, locked, margin, withdrawn } = balance;
  return { funds: free + margin, wealth: free + margin + locked + withdrawn };
}
