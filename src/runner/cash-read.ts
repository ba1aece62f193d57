import { type ListedTransfer, listedTransfers } from '../ledger/transfer-mark.js';
import type { TransferMark } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { BalanceRecord, TransferRecord } from '../model/venue-records.js';
import type { Log } from '../ports/log.js';
import type { KeyCalls } from '../ports/venue-api.js';
import { ListedFacts } from './listed-facts.js';

export interface CashReadOptions {
  readonly api: Pick<KeyCalls, 'deposits' | 'withdrawals'>;
  readonly market: Market;
  /** The most rows that one answer of the venue holds: of each list the newest are looked at. */
  readonly limit: number;
  /**
   * The transfers that a noted equity includes, with which the cash is compared: without the lists, what came in since could
   * hide a loss. `undefined`: none is noted.
   */
  readonly since: TransferMark | undefined;
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
  const { since, log, market } = options;
  let before = await listed();
  for (;;) {
    const read = await balances();
    const after = before && (await listed());
    if (before === undefined || after === undefined) return { balances: read, transfers: undefined };
    if (completedIn(before.transfers) === completedIn(after.transfers)) {
      for (const name of after.cut) sayCut(name);
      return { balances: read, transfers: after.transfers };
    }
    before = after;
  }

  async function listed(): Promise<Listed | undefined> {
    try {
      return await readTransfers(options);
    } catch (error) {
      if (since !== undefined) throw error;
      const { pair } = market;
      log.warn('deposits and withdrawals cannot be read: they will count as profit and loss', {
        pair,
        error: String(error),
      });
      return undefined;
    }
  }

  function sayCut(name: string): void {
    log.warn(
      'a list of transfers does not reach back to the last session: older ones count as profit and loss',
      {
        pair: market.pair,
        list: name,
        rows: options.limit,
      },
    );
  }
}

interface Listed {
  readonly transfers: readonly ListedTransfer[];
  /** Names of lists that are too short to reach back to the noted equity. */
  readonly cut: readonly string[];
}

async function readTransfers({ api, market, limit, since }: CashReadOptions): Promise<Listed> {
  const deposits = await api.deposits({ limit });
  const withdrawals = await api.withdrawals({ limit });
  const isCut = (rows: readonly TransferRecord[]) =>
    since !== undefined && rows.length >= limit && rows.every(({ time }) => time > since.until);
  return {
    transfers: listedTransfers(new ListedFacts(market), market.quote, deposits, withdrawals),
    cut: Object.entries({ deposits, withdrawals }).flatMap(([name, rows]) => (isCut(rows) ? [name] : [])),
  };
}

function completedIn(transfers: readonly ListedTransfer[]): string {
  const names = transfers.flatMap(({ name, change }) => (change === undefined ? [] : [name]));
  return names.sort().join();
}
