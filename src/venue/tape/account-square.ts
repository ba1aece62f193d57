import type { Money } from '../../model/money.js';
import type { CashBalance } from '../core/account.js';

/**
 * Whether an account's cash is what it was told of, over all of its markets. What a take-over leaves it without
 * (`money.md` §8.3) is no fee at the venue and in no fill: whoever tells of the account tells that too, once.
 */
export class AccountSquare {
  readonly #cash: CashBalance;
  /** How often the venue took orders or a position away, on any market. */
  seizures = 0;
  /** Funding received on all markets so far, units; negative when paid. */
  funding: Money = 0n;
  /** Cash beside realised P&L, fees and funding, units: the deposit, less what was told. */
  #beside: Money;

  constructor(cash: CashBalance) {
    this.#cash = cash;
    this.#beside = cash.cash;
  }

  /** What the account is without that nobody told of yet, units; below 0 where the insurance fund paid a debt. */
  take(): Money {
    const { cash, pnl, feesPaid } = this.#cash;
    const lost = this.#beside + pnl - feesPaid + this.funding - cash;
    this.#beside -= lost;
    return lost;
  }
}
