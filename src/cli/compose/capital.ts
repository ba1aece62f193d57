import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { BalanceRecord } from '../../model/venue-records.js';
import type { AssetAmount } from '../option-values.js';

const DEFAULT_CAPITAL = '100000';

/**
 * Cash of the market's quote asset at the start, decimal text.
 *
 * @throws UsageError when what is given is another asset's.
 */
export function capitalOf({ pair, quote }: Market, given: readonly AssetAmount[] | undefined): string {
  if (given === undefined) return DEFAULT_CAPITAL;
  const amount = given.find(({ asset }) => asset === quote)?.amount;
  if (amount === undefined) {
    const assets = given.map(({ asset }) => asset).join(', ');
    throw new UsageError(
      'TICKWRIGHT_E_CAPITAL',
      `--capital must be in the quote asset of ${pair}, ${quote}, received ${assets}`,
    );
  }
  return amount;
}

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
