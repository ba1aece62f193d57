import type { Lots } from '../../model/grid.js';
import { divCeil, type Money, type Rate } from '../../model/money.js';
import type { Ledger } from './ledger.js';
import type { MarginGroup } from './margin-group.js';
import type { OrderDesk } from './order-desk.js';
import { surrender } from './risk-postings.js';

/**
 * What the insurance fund adds when the provider takes over: max(0, deleverage_threshold · MM − E); units, rounded up.
 */
export function insuranceNeeded({ equity, maintenance, scale }: MarginGroup, threshold: Rate): Money {
  const missing = maintenance * threshold.numerator - equity * threshold.denominator;
  return missing <= 0n ? 0n : divCeil(missing, threshold.denominator * scale);
}

/**
 * Transfers every position of the group to the provider at its mark, without a fee. The cash of the group then equals its
 * equity; the provider gets it together with `fromInsurance`, and the group ends at 0. A transfer at the mark plus E
 * equals a transfer at the bankruptcy price, but without rounding (`money.md` §8.3).
 */
export function takeOver(
  ledger: Ledger,
  group: MarginGroup,
  fromInsurance: Money,
  { desk, now }: { readonly desk: OrderDesk; readonly now: number },
): void {
  for (const { holding, mark } of group.positions) {
    const provider = ledger.holding(ledger.provider, holding.state);
    const lots = Math.abs(holding.lots) as Lots;
    desk.transfer(holding, provider, { lots, ticks: mark, kind: 'take-over', now });
  }
  surrender(ledger, group, fromInsurance);
}
