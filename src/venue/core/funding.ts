import type { FundingRules } from '../../model/market.js';
import { divCeil, divHalfEven, type Money, type Rate } from '../../model/money.js';
import type { Holding } from './account.js';
import { larger, smaller } from './fraction.js';
import { meanPremium, type Premiums } from './prices.js';

const EIGHT_DECIMALS = 10n ** 8n;
export const NO_FUNDING: Rate = { numerator: 0n, denominator: EIGHT_DECIMALS };

/** The funding rate of a period with these premiums (`money.md` §7), with 8 decimals; positive when longs pay. */
export function fundingRate(rules: FundingRules, premiums: Premiums): Rate {
  const premium = meanPremium(premiums);
  if (premium === undefined) return NO_FUNDING;
  const share = {
    numerator: premium.numerator * BigInt(rules.intervalMs),
    denominator: premium.denominator * BigInt(rules.timeWindowMs),
  };
  const { numerator, denominator } = smaller(larger(share, rules.min), rules.max);
  const size = numerator < 0n ? -numerator : numerator;
  if (size * rules.threshold.denominator < rules.threshold.numerator * denominator) return NO_FUNDING;
  return { numerator: divHalfEven(numerator * EIGHT_DECIMALS, denominator), denominator: EIGHT_DECIMALS };
}

/**
 * Funding at this rate for a position at its mark, as P&L. Payments are negative and rounded up in size; receipts are
 * rounded down.
 */
export function fundingOf(holding: Holding, rate: Rate): Money {
  const { lots, state } = holding;
  const { mark, market } = state;
  if (lots === 0 || mark === undefined) return 0n;
  const value = BigInt(lots) * BigInt(mark) * market.unitsPerTickLot;
  return -divCeil(value * rate.numerator, rate.denominator);
}
