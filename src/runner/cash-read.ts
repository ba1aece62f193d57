import { type ListedTransfer, listedTransfers } from '../ledger/transfer-mark.js';
import type { Market } from '../model/market.js';
import type { BalanceRecord } from '../model/venue-records.js';
import type { Log } from '../ports/log.js';
import type { KeyCalls } from '../ports/venue-api.js';
import { ListedFacts } from './listed-facts.js';

export interface CashReadOptions {
  readonly api: Pick<KeyCalls, 'deposits' | 'withdrawals'>;
  readonly market: Market;
  /** The most rows that one answer of the venue holds: of each list the newest are looked at. */
  readonly limit: number;
  /** A noted equity waits to be compared: without the lists, what came in since could hide a loss. */
  readonly mustList: boolean;
  readonly log: Log;
}

export interface CashRead {
  readonly balances: readonly BalanceRecord[];
  /** Transfers of the quote asset; the balances include exactly the completed ones. `undefined`: they are not known. */
  readonly transfers: readonly ListedTransfer[] | undefined;
}

/**
 * Reads balances and transfers until none is completed meanwhile. `balances` is called for each try.
 *
 * @throws VenueError
 */
export async function readCash(
  options: CashReadOptions,
  balances: () => Promise<readonly BalanceRecord[]>,
): Promise<CashRead> {
  const { mustList, log, market } = options;
  let before = await listed();
  for (;;) {
    const read = await balances();
    const after = before && (await listed());
    if (before === undefined || after === undefined) return { balances: read, transfers: undefined };
    if (completedIn(before) === completedIn(after)) return { balances: read, transfers: after };
    before = after;
  }

  async function listed(): Promise<readonly ListedTransfer[] | undefined> {
    try {
      return await readTransfers(options);
    } catch (error) {
      if (mustList) throw error;
      const { pair } = market;
      log.warn('deposits and withdrawals cannot be read: they will count as profit and loss', {
        pair,
        error: String(error),
      });
      return undefined;
    }
  }
}

async function readTransfers({ api, market, limit }: CashReadOptions): Promise<readonly ListedTransfer[]> {
  const deposits = await api.deposits({ limit });
  const withdrawals = await api.withdrawals({ limit });
  return listedTransfers(new ListedFacts(market), market.quote, deposits, withdrawals);
}

function completedIn(transfers: readonly ListedTransfer[]): string {
  const names = transfers.flatMap(({ name, change }) => (change === undefined ? [] : [name]));
  return names.sort().join();
}
