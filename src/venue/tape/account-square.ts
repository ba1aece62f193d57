import type { Money } from '../../model/money.js';
import type { CashBalance } from '../core/account.js';

/**
 * Checks that the cash of an account agrees with what its owner was told, over all of its markets. The loss of a
 * take-over (`money.md` §8.3) is neither a fee nor part of a fill: whoever reports on the account has to report it in
 * addition, once.
 */
export class AccountSquare {
  readonly #cash: CashBalance;
  /** How often the venue took orders or a position away, on any market. */
  seizures = 0;
  /** Funding received on all markets so far, units; negative when paid. */
  funding: Money = 0n;
  /** Cash that is not realised P&L, fees or funding, units: the deposit, less losses that were reported already. */
  #beside: Money;

  constructor(cash: CashBalance) {
    this.#cash = cash;
    this.#beside = cash.cash;
  }

  /**
   * The loss that nobody has reported yet, units; below 0 where the insurance fund paid a debt. It counts as reported
   * from then on.
   */
  take(): Money {
    const { cash, pnl, feesPaid } = this.#cash;
    const lost = this.#beside + pnl - feesPaid + this.funding - cash;
    this.#beside -= lost;
    return lost;
  }
}
