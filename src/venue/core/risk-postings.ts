import { divFloor, feeOf, type Money, type Rate } from '../../model/money.js';
import type { CashBalance, Holding } from './account.js';
import type { Ledger } from './ledger.js';
import { groupOf, type MarginGroup } from './margin-group.js';
import { count, type Execution, move } from './position-book.js';
import type { ForcedFill } from './special.js';

export type { ForcedFill } from './special.js';

/**
 * Postings that no order of the account asked for: funding, liquidations, take-overs, auto-deleveraging. Each moves
 * money between accounts and makes none.
 */

/** What the forced reduction of a position brought, units. The fee includes the insurance fund's share. */
export interface ForcedSettlement {
  readonly realised: Money;
  readonly fee: Money;
}

/**
 * Books the liquidated account's side of a slice, a deleverage or a take-over, which only reduces its position. Realised
 * P&L minus the fee goes to W, or in isolated to M, of which nothing is released while a position is left. The other side
 * is an ordinary fill (`Ledger.settle`), without a fee for a deleverage and a take-over.
 */
export function settleForced(
  ledger: Ledger,
  holding: Holding,
  execution: Execution,
  {
    kind,
    time,
    atRisk = 0n,
  }: {
    readonly kind: ForcedFill;
    readonly time: number;
    /** What the rest of a slice may still lose against the mark, units. The fee must leave this amount to the group. */
    readonly atRisk?: Money;
  },
): ForcedSettlement {
  const { cash } = holding;
  const before = holding.lots;
  const realised = move(holding, execution);
  addToCollateral(holding, realised);
  cash.pnl += realised;
  const fee = kind === 'slice' ? payLiquidationFee(ledger, holding, execution.amount, atRisk) : 0n;
  count(holding, before, execution, realised, fee, time);
  if (kind !== 'take-over' && holding.lots === 0) {
    if (holding.leverage !== undefined) releaseMargin(ledger, holding);
    ledger.makeWhole(cash, holding.account);
  }
  return { realised, fee };
}

/**
 * To be called after every position of a group was taken over at its mark: the group's cash now equals its equity. It
 * goes to the provider together with the insurance fund's payment, and the group ends at 0 (`money.md` §8.3).
 */
export function surrender(ledger: Ledger, { cash, isolated }: MarginGroup, fromInsurance: Money): void {
  const provider = ledger.cash(ledger.provider, cash.asset);
  if (isolated === undefined) {
    provider.cash += cash.cash;
    cash.cash = 0n;
  } else {
    provider.cash += isolated.margin;
    isolated.margin = 0n;
  }
  ledger.cash(ledger.insurance, cash.asset).cash -= fromInsurance;
  provider.cash += fromInsurance;
}

/**
 * Books the funding of one market at one time. Amounts are P&L, payments negative, rounded so that their sum is at most
 * 0. The residue goes to the insurance fund (`money.md` §7).
 */
export function settleFunding(
  ledger: Ledger,
  asset: string,
  payments: Iterable<{ readonly holding: Holding; readonly amount: Money }>,
): void {
  const insurance: CashBalance = ledger.cash(ledger.insurance, asset);
  for (const { holding, amount } of payments) {
    addToCollateral(holding, amount);
    holding.funding += amount;
    insurance.cash -= amount;
  }
}

/** The collateral is M for an isolated position, W for any other. */
function addToCollateral(holding: Holding, amount: Money): void {
  if (holding.leverage === undefined) holding.cash.cash += amount;
  else holding.margin += amount;
}

/** The fee is never more than the group still has. */
function payLiquidationFee(ledger: Ledger, holding: Holding, amount: Money, atRisk: Money): Money {
  const { state, account, cash } = holding;
  if (!account.isCustomer) return 0n;
  const { equity, scale } = groupOf(holding);
  const asked = feeOf(state.market.fees.liquidation, amount);
  const left = equity / scale - atRisk;
  const fee = left < asked ? (left > 0n ? left : 0n) : asked;
  const insured = share(state.market.liquidation.insurancePercentage, fee);
  addToCollateral(holding, -fee);
  cash.feesPaid += fee;
  ledger.cash(ledger.insurance, cash.asset).cash += insured;
  ledger.cash(ledger.fees, cash.asset).cash += fee - insured;
  return fee;
}

function share({ numerator, denominator }: Rate, amount: Money): Money {
  return divFloor(amount * numerator, denominator);
}

/**
 * Releases the margin of a position that is gone. A liquidation may not take more than the margin, so the insurance fund
 * pays a shortfall.
 */
function releaseMargin(ledger: Ledger, holding: Holding): void {
  const { cash } = holding;
  if (holding.margin < 0n) {
    const insurance = ledger.cash(ledger.insurance, cash.asset);
    const lack = -holding.margin;
    const paid = insurance.cash < lack ? insurance.cash : lack;
    insurance.cash -= paid;
    holding.margin += paid;
  }
  cash.cash += holding.margin;
  holding.margin = 0n;
}
