import type { PlaceCommand, Refusal, RefusalRule } from '../model/command.js';
import { Decimal, plain } from '../model/decimal.js';
import { type Grid, textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';

/** Why a rule refuses an order: *what must be what, received what*, and both values by themselves. */
export interface Objection {
  readonly rule: RefusalRule;
  /** Without the rule's name. */
  readonly text: string;
  readonly asked: string;
  readonly bound: string;
  /** See `Refusal.until`. */
  readonly until?: number | undefined;
}

export function refuse({ intentId, pair, want }: PlaceCommand, objection: Objection): Refusal {
  const { rule, text, asked, bound, until } = objection;
  const refusal = {
    kind: 'refusal',
    intentId,
    pair,
    rule,
    asked,
    bound,
    reason: `${rule}: ${text}`,
    want,
  } as const;
  return until === undefined ? refusal : { ...refusal, until };
}

export function multipleOf(
  rule: RefusalRule,
  what: string,
  grid: Grid,
  value: number,
  step: number,
): Objection {
  const asked = textOf(grid, value);
  const bound = textOf(grid, step);
  return { rule, text: `${what} must be a multiple of ${bound}, received ${asked}`, asked, bound };
}

export function atLeast(
  rule: RefusalRule,
  what: string,
  asked: string,
  bound: string,
  until?: number,
): Objection {
  return { rule, text: `${what} must be at least ${bound}, received ${asked}`, asked, bound, until };
}

export function atMost(
  rule: RefusalRule,
  what: string,
  asked: string,
  bound: string,
  until?: number,
): Objection {
  return { rule, text: `${what} must be at most ${bound}, received ${asked}`, asked, bound, until };
}

/** An amount of the quote asset as plain decimal text. */
export function amountText({ quotePrecision }: Market, amount: number): string {
  return plain(new Decimal(amount).toDecimalPlaces(quotePrecision));
}

/** A fraction as plain decimal text, to a hundredth of a per cent. */
export function fractionText(fraction: number): string {
  return plain(new Decimal(fraction).toDecimalPlaces(4));
}

/** A price that need not lie on its grid, as plain decimal text. */
export function priceText({ priceGrid }: Market, price: number): string {
  return plain(new Decimal(price).toDecimalPlaces(priceGrid.decimals + 2));
}
