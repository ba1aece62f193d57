/**
 * Money inside ledgers: a whole number of units of an asset as `bigint`, one unit being 10^-precision (USD: 10^-8).
 *
 * As exact as Decimal and some two hundred times cheaper (17 ns against 4.7 µs a fill), which lets a strategy that trades
 * on every 25th print be backtested at tens of millions of prints a second. It becomes Decimal or plain text as soon as
 * it reaches a person or the wire.
 */
import { type DecimalSource, Decimal, parseDecimal } from './decimal.js';
import { UsageError } from './errors.js';
import { scaledText } from './grid.js';

/** A signed number of whole units of an asset, each 10^-precision. */
export type Money = bigint;

/**
 * Money that is summed at every fill: a double while it is a safe integer, else a bigint. Doubles spare an object and a
 * call for each sum.
 */
export type Amount = number | Money;

export function moneyOfAmount(amount: Amount): Money {
  return typeof amount === 'number' ? BigInt(amount) : amount;
}

/** The same amount, as a double if it is a safe integer. */
export function amountOfMoney(money: Money): Amount {
  const units = Number(money);
  return Number.isSafeInteger(units) ? units : money;
}

export function sumOf(a: Amount, b: Amount): Amount {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return amountOfMoney(moneyOfAmount(a) + moneyOfAmount(b));
}

export function differenceOf(a: Amount, b: Amount): Amount {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return amountOfMoney(moneyOfAmount(a) - moneyOfAmount(b));
}

/** A rate as an exact fraction, e.g. 0.0006 = 6/10000. The denominator is positive. */
export interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function rateOf(source: DecimalSource): Rate {
  const value = parseDecimal(source);
  if (value === undefined) {
    throw new UsageError('TICKWRIGHT_E_RATE', `a rate must be a plain decimal, received ${String(source)}`);
  }
  const decimals = value.decimalPlaces();
  return {
    numerator: BigInt(value.times(new Decimal(10).pow(decimals)).toFixed()),
    denominator: 10n ** BigInt(decimals),
  };
}

export function rateNumber(rate: Rate): number {
  return Number(rate.numerator) / Number(rate.denominator);
}

/** Quotient toward −∞. The divisor is positive. */
export function divFloor(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value < 0n && quotient * divisor !== value ? quotient - 1n : quotient;
}

/** Quotient toward +∞. The divisor is positive. */
export function divCeil(value: bigint, divisor: bigint): bigint {
  return -divFloor(-value, divisor);
}

/** Quotient to the nearest, ties to even. The divisor is positive. */
export function divHalfEven(value: bigint, divisor: bigint): bigint {
  const quotient = divFloor(value, divisor);
  const twice = 2n * (value - quotient * divisor);
  if (twice < divisor) return quotient;
  if (twice > divisor) return quotient + 1n;
  return quotient % 2n === 0n ? quotient : quotient + 1n;
}

/**
 * A fee: rate × amount. Fees that we pay are rounded up; rebates (negative rates) are rounded down in size. `money.md`
 * §5.
 */
export function feeOf(rate: Rate, amount: Money): Money {
  const exact = rate.numerator * amount;
  return exact >= 0n ? divCeil(exact, rate.denominator) : -divFloor(-exact, rate.denominator);
}

/**
 * Units of an exact amount.
 *
 * @throws UsageError when the amount is finer than a unit.
 */
export function moneyOf(source: DecimalSource, precision: number): Money {
  const value = parseDecimal(source);
  const units = value?.times(new Decimal(10).pow(precision));
  if (units === undefined || !units.isInteger()) {
    throw new UsageError(
      'TICKWRIGHT_E_MONEY',
      `an amount must be a decimal with at most ${precision} digits after the point, received ${String(source)}`,
    );
  }
  return BigInt(units.toFixed());
}

export function moneyText(amount: Money, precision: number): string {
  return scaledText(amount, precision);
}

/** Like `moneyNumber`, for an amount that may be a double already. */
export function amountNumber(amount: Amount, precision: number): number {
  return typeof amount === 'number' && precision <= MOST_EXACT_DIGITS
    ? amount / 10 ** precision
    : moneyNumber(moneyOfAmount(amount), precision);
}

/** 10^22 is the largest power of ten that a double holds exactly. */
const MOST_EXACT_DIGITS = 22;

/** The nearest double, for statistics and for display. It must never go back into a ledger, because it may be rounded. */
export function moneyNumber(amount: Money, precision: number): number {
  const units = Number(amount);
  // One division of two exact doubles is correctly rounded, so it gives the same double as parsing the text.
  if (Number.isSafeInteger(units) && precision <= MOST_EXACT_DIGITS) return units / 10 ** precision;
  return Number(scaledText(amount, precision));
}
