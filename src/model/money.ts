/**
 * Money inside ledgers: whole units of an asset as `bigint`, one unit being 10^-precision (USD: 10^-8).
 *
 * Exact like Decimal and some two hundred times cheaper (17 ns against 4.7 µs a fill), which is what lets a strategy
 * that trades on every 25th print be backtested at tens of millions of prints a second. It is Decimal or plain text
 * as soon as it reaches a person or the wire.
 */
import { type DecimalSource, Decimal, parseDecimal } from './decimal.js';
import { UsageError } from './errors.js';
import { scaledText } from './grid.js';

/** Whole units of an asset, 10^-precision each; signed. */
export type Money = bigint;

/**
 * Money where it is added up at every fill: a double as long as that is exact, which spares an object and a call for each
 * sum, else a bigint.
 */
export type Amount = number | Money;

export function moneyOfAmount(amount: Amount): Money {
  return typeof amount === 'number' ? BigInt(amount) : amount;
}

/** The same amount, as a double if that is exact. */
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

/** A fee: rate × amount, paid amounts rounded up, rebates (negative rates) rounded down in size. `money.md` §5. */
export function feeOf(rate: Rate, amount: Money): Money {
  const exact = rate.numerator * amount;
  return exact >= 0n ? divCeil(exact, rate.denominator) : -divFloor(-exact, rate.denominator);
}

/** Units of an exact amount; throws when it is finer than a unit. */
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

/** `moneyNumber` of what may be a double already. */
export function amountNumber(amount: Amount, precision: number): number {
  return typeof amount === 'number' && precision <= MOST_EXACT_DIGITS
    ? amount / 10 ** precision
    : moneyNumber(moneyOfAmount(amount), precision);
}

/** 10^22 is the largest power of ten that is a double. */
const MOST_EXACT_DIGITS = 22;

/** Nearest double, for statistics and for display; never goes back into a ledger. */
export function moneyNumber(amount: Money, precision: number): number {
  const units = Number(amount);
  // The quotient of two exact doubles is the nearest to the true one, which is what the text would be read as.
  if (Number.isSafeInteger(units) && precision <= MOST_EXACT_DIGITS) return units / 10 ** precision;
  return Number(scaledText(amount, precision));
}
