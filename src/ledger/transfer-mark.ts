/** Which deposits and withdrawals of an asset a cash includes: what came since then is neither profit nor loss. */
import type { TransferMark } from '../model/journal-record.js';
import type { Money } from '../model/money.js';
import type { TransferRecord } from '../model/venue-records.js';
import type { LedgerFacts } from './ledger.js';
import type { TransferEntry } from './entry.js';
import { transferEntryOf } from './read-records.js';

/** A deposit or withdrawal that the venue lists. */
export interface ListedTransfer {
  /** `deposit 7`: unique among the account's transfers. */
  readonly name: string;
  /** Venue ms of its detection or submission; it is completed later. */
  readonly time: number;
  /** What it has changed the cash by, units of the ledger; `undefined`: nothing yet. */
  readonly change: Money | undefined;
}

/** Each transfer of the asset once. */
export function listedTransfers(
  facts: LedgerFacts,
  asset: string,
  deposits: readonly TransferRecord[],
  withdrawals: readonly TransferRecord[],
): readonly ListedTransfer[] {
  const listed = (kind: 'deposit' | 'withdrawal', records: readonly TransferRecord[]) =>
    records
      .filter((record) => record.asset === asset)
      .map((record): ListedTransfer => {
        const { id, time } = record;
        const entry = transferEntryOf(facts, kind, record);
        const change = entry && changeOf(entry);
        return { name: `${kind} ${id}`, time, change };
      });
  const all = [...listed('deposit', deposits), ...listed('withdrawal', withdrawals)];
  // A list may show a row twice.
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

/** What a completed transfer has changed the cash by, units of the ledger. */
export function changeOf({ kind, quantity, fee }: TransferEntry): Money {
  return kind === 'deposit' ? quantity - fee : -quantity;
}

/** The mark of a cash that includes exactly the completed ones. */
export function markOf(transfers: readonly ListedTransfer[]): TransferMark {
  const until = transfers.reduce((newest, { time }) => Math.max(newest, time), 0);
  const namesOf = (some: readonly ListedTransfer[]) => some.map(({ name }) => name);
  return {
    until,
    last: namesOf(transfers.filter(({ time, change }) => time === until && change !== undefined)),
    open: namesOf(transfers.filter(({ time, change }) => time < until && change === undefined)),
  };
}

/** What the transfers have changed the cash by since that of the mark was read, units of the ledger. */
export function changeSince(
  { until, last, open }: TransferMark,
  transfers: readonly ListedTransfer[],
): Money {
  const isIncluded = ({ name, time }: ListedTransfer) =>
    time === until ? last.includes(name) : time < until && !open.includes(name);
  return transfers.reduce(
    (sum, transfer) => (isIncluded(transfer) ? sum : sum + (transfer.change ?? 0n)),
    0n,
  );
}
