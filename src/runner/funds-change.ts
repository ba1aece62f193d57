import { precisionOf } from '../ledger/book-entry.js';
import type { Cut } from '../ledger/cut.js';
import type { TransferEntry } from '../ledger/entry.js';
import type { LedgerFacts } from '../ledger/ledger.js';
import { changeOf, changeSince } from '../ledger/transfer-mark.js';
import { LEDGER_DIGITS, ledgerUnitsOf } from '../ledger/units.js';
import type { TransferMark } from '../model/journal-record.js';
import { type Money, moneyText } from '../model/money.js';

/** The cash of a session as its start read it. */
export interface FundsRead {
  /** The transfers that it includes; `undefined`: they are not known, and changes count from the opening cut on. */
  readonly transfers: TransferMark | undefined;
  /** What pending withdrawals held of it, quote units. */
  readonly withdrawn: number;
}

/**
 * What deposits and withdrawals have changed the cash that orders may use by since it was read. A withdrawal counts from
 * when it is asked for, and no more when it is dropped.
 */
export class FundsChange {
  readonly #asset: string;
  readonly #withdrawingBefore: Money;
  #transferred = 0n;

  /** `completed`: the transfers that the opening cut includes. */
  constructor(
    facts: LedgerFacts,
    asset: string,
    { transfers, withdrawn }: FundsRead,
    opening: { readonly cut: Cut; readonly completed: readonly TransferEntry[] },
  ) {
    this.#asset = asset;
    if (transfers === undefined) {
      this.#withdrawingBefore = withdrawingOf(opening.cut, asset);
      return;
    }
    this.#withdrawingBefore = ledgerUnitsOf(withdrawn, precisionOf(facts, asset));
    // A list may show a row twice.
    const listed = new Map(
      opening.completed
        .filter((entry) => entry.asset === asset)
        .map((entry) => {
          const name = `${entry.kind} ${entry.id}`;
          return [name, { name, time: entry.time, change: changeOf(entry) }];
        }),
    );
    this.#transferred = changeSince(transfers, [...listed.values()]);
  }

  /** Takes a transfer that the cash did not include. Must be called once for each. */
  book(entry: TransferEntry): void {
    if (entry.asset === this.#asset) this.#transferred += changeOf(entry);
  }

  /** As of that cut, quote units. */
  at(cut: Cut): number {
    const withdrawing = withdrawingOf(cut, this.#asset) - this.#withdrawingBefore;
    return Number(moneyText(this.#transferred - withdrawing, LEDGER_DIGITS));
  }
}

function withdrawingOf({ balances }: Cut, asset: string): Money {
  return balances.find((balance) => balance.asset === asset)?.withdrawing ?? 0n;
}
