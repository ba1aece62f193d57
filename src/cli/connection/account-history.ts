/** Reads the whole account: every page of every list, and balances that match exactly these lists. */
import { glance } from '../../ledger/glance.js';
import { lastFillOf } from '../../ledger/read-records.js';
import type { AccountRecords } from '../../ledger/statement.js';
import { TickwrightError } from '../../model/errors.js';
import type {
  DepositRecord,
  FillRecord,
  PositionRecord,
  WithdrawalRecord,
} from '../../model/venue-records.js';
import type { KeyCalls, ListQuery } from '../../ports/venue-api.js';

export type HistoryApi = Pick<
  KeyCalls,
  'fills' | 'deposits' | 'withdrawals' | 'completedPositions' | 'activePositions' | 'balances'
>;

/** How far the last reads reach back behind the known records, venue ms. */
const OVERLAP_MS = 10_000;
/** How often the account may change during the reading before it is given up. */
const ATTEMPTS = 20;

interface List<T> {
  /** Set if records of any age may still change, so that the whole list must be read again. */
  readonly isUnsettled?: true;
  readonly read: (query: ListQuery) => Promise<readonly T[]>;
  readonly id: (record: T) => string;
  readonly time: (record: T) => number;
}

/** @throws TickwrightError when the account changes faster than it can be read */
export async function readAccountHistory(
  api: HistoryApi,
  { pageLimit, now }: { readonly pageLimit: number; readonly now: () => number },
): Promise<AccountRecords> {
  const fills = new Pages<FillRecord>(pageLimit, {
    read: (query) => api.fills(query),
    id: ({ pair, id }) => `${pair} ${id}`,
    time: ({ time }) => time,
  });
  const deposits = new Pages<DepositRecord>(
    pageLimit,
    transfers((query) => api.deposits(query)),
  );
  const withdrawals = new Pages<WithdrawalRecord>(
    pageLimit,
    transfers((query) => api.withdrawals(query)),
  );
  const completed = new Pages<PositionRecord>(pageLimit, {
    read: (query) => api.completedPositions(query),
    // Where the venue lists no fills with them, what they state is all that tells them apart.
    id: (record) => `${record.pair} ${lastFillOf(record)?.id ?? JSON.stringify(record.wire)}`,
    time: (record) => lastFillOf(record)?.time ?? 0,
  });
  const lists = [fills, deposits, withdrawals, completed] as const;
  for (const list of lists) await list.readAll();
  let before = await glance(api);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const time = now();
    for (const list of lists) await list.readNew();
    const after = await glance(api);
    if (before.digest === after.digest) {
      return {
        time,
        balances: after.balances,
        positions: after.positions,
        completed: completed.records,
        fills: fills.records,
        deposits: deposits.records,
        withdrawals: withdrawals.records,
      };
    }
    before = after;
  }
  throw new TickwrightError(
    'TICKWRIGHT_E_ACCOUNT_MOVES',
    `the account must hold still while its lists are read, received a change in each of ${ATTEMPTS} attempts; ` +
      'stop its bots, or try again when it trades less',
  );
}

function transfers<T extends DepositRecord | WithdrawalRecord>(read: List<T>['read']): List<T> {
  return { isUnsettled: true, read, id: ({ id }) => id, time: ({ time }) => time };
}

/**
 * A list that is read page by page from the newest backwards. Pages overlap by a millisecond; records are kept once per
 * id.
 */
class Pages<T> {
  readonly #limit: number;
  readonly #list: List<T>;
  readonly #known = new Map<string, T>();
  #newest = 0;

  constructor(limit: number, list: List<T>) {
    this.#limit = limit;
    this.#list = list;
  }

  get records(): readonly T[] {
    return [...this.#known.values()];
  }

  async readAll(): Promise<void> {
    await this.#read(0);
  }

  /** Reads new records; a changed record replaces its old version. */
  async readNew(): Promise<void> {
    await this.#read(this.#list.isUnsettled === true ? 0 : Math.max(0, this.#newest - OVERLAP_MS));
  }

  async #read(from: number): Promise<void> {
    const { read, id, time } = this.#list;
    const seen = new Set<string>();
    let most = 0;
    for (let to: number | undefined; to === undefined || to >= from; ) {
      const page = await read({ from, limit: this.#limit, ...(to === undefined ? {} : { to }) });
      const before = seen.size;
      for (const record of page) {
        seen.add(id(record));
        this.#known.set(id(record), record);
        this.#newest = Math.max(this.#newest, time(record));
      }
      if (page.length === 0) return;
      const oldest = Math.min(...page.map(time));
      if (seen.size > before) {
        most = Math.max(most, page.length);
        to = oldest;
      } else if (page.length >= most && to !== undefined && page.every((record) => time(record) === to)) {
        // A full page of one millisecond: continues with the millisecond before.
        to -= 1;
      } else {
        return;
      }
    }
  }
}
