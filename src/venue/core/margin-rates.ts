import { InvariantError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import { divCeil, type Money, type Rate, rateNumber } from '../../model/money.js';

/**
 * Unit in which margin amounts are compared exactly: 10^-k of a unit of money, with k such that every rate of every
 * market of the asset is a whole number of fine units.
 */
export type Fine = bigint;

/** The rates of one market as whole numbers of fine units. */
export interface MarginRules {
  /** Fine units in one unit of the quote asset; the same for all markets of the asset. */
  readonly scale: bigint;
  /** im(x) = x · (base + slope · x), x in units. */
  readonly base: bigint;
  readonly slope: bigint;
  /** mm(x) = x · (maintenanceBase + maintenanceSlope · x), x in units. */
  readonly maintenanceBase: bigint;
  readonly maintenanceSlope: bigint;
  /** Taker fee that working orders reserve: x · fee. */
  readonly fee: bigint;
  /** The same rates as doubles, for x in units; used by the estimate that decides clear cases. */
  readonly baseNumber: number;
  readonly slopeNumber: number;
  readonly maintenanceBaseNumber: number;
  readonly maintenanceSlopeNumber: number;
  readonly feeNumber: number;
}

/** The common number of fine units per unit of the markets that share a quote asset. */
export function marginScale(markets: readonly Market[]): bigint {
  let scale = 1n;
  for (const { margin, fees, quotePrecision } of markets) {
    for (const denominator of [
      margin.initial.denominator,
      margin.initialRiskLimit.denominator * 10n ** BigInt(quotePrecision),
      margin.maintenance.denominator,
      margin.maintenanceRiskLimit.denominator * 10n ** BigInt(quotePrecision),
      fees.taker.denominator,
    ]) {
      // All denominators are powers of ten, so the largest is a multiple of each.
      if (denominator > scale) scale = denominator;
    }
  }
  return scale;
}

/** Scales by quote asset. */
export function marginScales(markets: readonly Market[]): Map<string, bigint> {
  return new Map(
    markets.map(({ quote }) => [quote, marginScale(markets.filter((each) => each.quote === quote))]),
  );
}

export function marginRules(market: Market, scale: bigint): MarginRules {
  const unit = 10n ** BigInt(market.quotePrecision);
  const { initial, initialRiskLimit, maintenance, maintenanceRiskLimit } = market.margin;
  const perUnit = (rate: Rate) => ({ ...rate, denominator: rate.denominator * unit });
  return {
    scale,
    base: whole(initial, scale),
    slope: whole(perUnit(initialRiskLimit), scale),
    maintenanceBase: whole(maintenance, scale),
    maintenanceSlope: whole(perUnit(maintenanceRiskLimit), scale),
    fee: whole(market.fees.taker, scale),
    baseNumber: rateNumber(initial),
    slopeNumber: rateNumber(initialRiskLimit) / Number(unit),
    maintenanceBaseNumber: rateNumber(maintenance),
    maintenanceSlopeNumber: rateNumber(maintenanceRiskLimit) / Number(unit),
    feeNumber: Math.max(0, rateNumber(market.fees.taker)),
  };
}

/** im(x) of `money.md` §3.2 for a notional x in units. */
export function initialMargin(rules: MarginRules, x: Money): Fine {
  return x * (rules.base + rules.slope * x);
}

/** im(x) at a leverage: at least x / L, rounded up to a fine unit. `leverage` undefined: cross (`money.md` §3.2). */
export function initialMarginAt(rules: MarginRules, leverage: Rate | undefined, x: Money): Fine {
  const margin = initialMargin(rules, x);
  if (leverage === undefined) return margin;
  const share = divCeil(x * rules.scale * leverage.denominator, leverage.numerator);
  return share > margin ? share : margin;
}

/** mm(x) of `money.md` §3.2 for a notional x in units. */
export function maintenanceMargin(rules: MarginRules, x: Money): Fine {
  return x * (rules.maintenanceBase + rules.maintenanceSlope * x);
}

function whole(rate: Rate, scale: bigint): bigint {
  if (scale % rate.denominator !== 0n) {
    throw new InvariantError(
      `a rate's denominator must divide the margin scale, received ${rate.denominator} and ${scale}`,
    );
  }
  return rate.numerator * (scale / rate.denominator);
}
