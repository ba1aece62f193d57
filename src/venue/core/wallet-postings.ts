import type { Money } from '../../model/money.js';
import type { CashBalance } from './account.js';
import type { Ledger } from './ledger.js';

/** Postings of deposits and withdrawals (`money.md` §10); amounts in units of the asset, above 0. */

/** outside → W: `quantity` − `fee`; the fee → fees. */
export function creditDeposit(ledger: Ledger, cash: CashBalance, quantity: Money, fee: Money): void {
  cash.isOpened = true;
  cash.cash += quantity - fee;
  cash.feesPaid += fee;
  ledger.cash(ledger.fees, cash.asset).cash += fee;
  ledger.cash(ledger.outside, cash.asset).cash -= quantity;
}

/** W → D. */
export function reserveWithdrawal(cash: CashBalance, quantity: Money): void {
  cash.cash -= quantity;
  cash.withdrawing += quantity;
}

/** D → W. */
export function dropWithdrawal(cash: CashBalance, quantity: Money): void {
  cash.withdrawing -= quantity;
  cash.cash += quantity;
}

/** D → outside: `quantity` − `fee`; the fee → fees. */
export function payWithdrawal(ledger: Ledger, cash: CashBalance, quantity: Money, fee: Money): void {
  cash.withdrawing -= quantity;
  cash.feesPaid += fee;
  ledger.cash(ledger.fees, cash.asset).cash += fee;
  ledger.cash(ledger.outside, cash.asset).cash += quantity - fee;
}
