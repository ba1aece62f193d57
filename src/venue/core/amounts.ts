import type { Lots, Ticks } from '../../model/grid.js';
import { type Market, notional } from '../../model/market.js';
import { feeOf, type Money, type Rate } from '../../model/money.js';

/**
 * Exact amounts of fills. Nearly every one is small enough for integer arithmetic in doubles, which costs a tenth of
 * bigint arithmetic; where a product would not be a safe integer, the bigint one takes over.
 */

/** A fee rate in both forms. */
export interface FeeRule {
  readonly rate: Rate;
  readonly numerator: number;
  readonly denominator: number;
}

export function feeRule(rate: Rate): FeeRule {
  return { rate, numerator: Number(rate.numerator), denominator: Number(rate.denominator) };
}

/** quantity × price in units of the quote asset. */
export function amountOf(market: Market, unitsPerTickLot: number, lots: Lots, ticks: Ticks): Money {
  const units = lots * ticks * unitsPerTickLot;
  return units <= Number.MAX_SAFE_INTEGER ? BigInt(units) : notional(market, lots, ticks);
}

/** `feeOf`, exactly. */
export function feeUnits(rule: FeeRule, amount: Money): Money {
  const { numerator, denominator } = rule;
  // An amount too large for a double makes the product too large as well.
  const scaled = numerator * Number(amount);
  if (numerator < 0 || scaled > Number.MAX_SAFE_INTEGER) return feeOf(rule.rate, amount);
  const rest = scaled % denominator;
  return BigInt(rest === 0 ? scaled / denominator : (scaled - rest) / denominator + 1);
}
