import { InvariantError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import { rateNumber, type Money, type Rate } from '../../model/money.js';

/**
 * Margin amounts are compared exactly, so they are kept in a finer unit than money: 10^-k of a unit, k being such
 * that every rate of every market of the asset is a whole number of it.
 */
export type Fine = bigint;

/** The rates of one market as whole numbers of fine units. */
export interface MarginRules {
  /** Fine units in one unit of the quote asset; the same for all markets of the asset. */
  readonly scale: bigint;
  /** im(x) = x · (base + slope · x), x in units. */
  readonly base: bigint;
  readonly slope: bigint;
  /** Taker fee that working orders reserve: x · fee. */
  readonly fee: bigint;
  /** The same as doubles, of x in units, for the estimate that decides clear cases. */
  readonly baseNumber: number;
  readonly slopeNumber: number;
  readonly feeNumber: number;
}

/** The common scale of the markets that share a quote asset. */
export function marginScale(markets: readonly Market[]): bigint {
  let scale = 1n;
  for (const { margin, fees, quotePrecision } of markets) {
    for (const denominator of [
      margin.initial.denominator,
      margin.initialRiskLimit.denominator * 10n ** BigInt(quotePrecision),
      fees.taker.denominator,
    ]) {
      // All are powers of ten, so the largest is a multiple of each.
      if (denominator > scale) scale = denominator;
    }
  }
  return scale;
}

export function marginRules(market: Market, scale: bigint): MarginRules {
  const unit = 10n ** BigInt(market.quotePrecision);
  const { initial, initialRiskLimit } = market.margin;
  return {
    scale,
    base: whole(initial, scale),
    slope: whole({ ...initialRiskLimit, denominator: initialRiskLimit.denominator * unit }, scale),
    fee: whole(market.fees.taker, scale),
    baseNumber: rateNumber(initial),
    slopeNumber: rateNumber(initialRiskLimit) / Number(unit),
    feeNumber: Math.max(0, rateNumber(market.fees.taker)),
  };
}

/** im(x) of `money.md` §3.2 for a notional x in units. */
export function initialMargin(rules: MarginRules, x: Money): Fine {
  return x * (rules.base + rules.slope * x);
}

function whole(rate: Rate, scale: bigint): bigint {
  if (scale % rate.denominator !== 0n) {
    throw new InvariantError(
      `a rate's denominator must divide the margin scale, received ${rate.denominator} and ${scale}`,
    );
  }
  return rate.numerator * (scale / rate.denominator);
}
