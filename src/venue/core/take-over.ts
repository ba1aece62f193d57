import type { Lots } from '../../model/grid.js';
import { divCeil, type Money, type Rate } from '../../model/money.js';
import type { Ledger } from './ledger.js';
import type { MarginGroup } from './margin-group.js';
import type { OrderDesk } from './order-desk.js';
import { surrender } from './risk-postings.js';

/** max(0, deleverage_threshold · MM − E): what the insurance fund adds when the provider takes over; units, rounded up. */
export function insuranceNeeded({ equity, maintenance, scale }: MarginGroup, threshold: Rate): Money {
  const missing = maintenance * threshold.numerator - equity * threshold.denominator;
  return missing <= 0n ? 0n : divCeil(missing, threshold.denominator * scale);
}

/**
 * Every position of the group goes to the provider at its mark, without a fee; what the group then holds in cash is
 * exactly its equity, which the provider is given together with `fromInsurance`, and the group ends at 0. A transfer at
 * the mark plus E is a transfer at the bankruptcy price, without its rounding (`money.md` §8.3).
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
