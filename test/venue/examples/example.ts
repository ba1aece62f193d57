/** A known answer: prose and arithmetic for people, and what the venue comes to, for the test and the page of the docs. */
import { Decimal, plain } from '../../../src/model/decimal.js';
import { textOf } from '../../../src/model/grid.js';
import { type Money, moneyText } from '../../../src/model/money.js';
import type { MarginGroup } from '../../../src/venue/core/margin-group.js';
import type { Account } from '../../../src/venue/core/account.js';
import type { WireBalance } from '../../../src/venue/core/venue-core.js';
import { exampleBtc, exampleEth, type RiskDesk } from '../core/risk-desk.js';

export interface Example {
  readonly id: string;
  readonly title: string;
  /** Markdown, a line each: what is given, then every step by hand. */
  readonly arithmetic: readonly string[];
  /** Plays it on a venue of its own. */
  readonly run: () => readonly Answer[];
}

/** `expected` was worked out by hand; both are texts, compared to the last digit. */
export interface Answer {
  readonly label: string;
  readonly expected: string;
  readonly actual: string;
}

/** An amount of an asset of 8 digits. */
export function money(label: string, expected: string, actual: Money | undefined): Answer {
  return { label, expected, actual: actual === undefined ? 'nothing' : moneyText(actual, 8) };
}

export function price(label: string, expected: string, ticks: number | undefined): Answer {
  return steps(label, expected, ticks, exampleBtc().priceGrid);
}

export function size(label: string, expected: string, lots: number | undefined): Answer {
  return steps(label, expected, lots, exampleBtc().quantityGrid);
}

export function ethSize(label: string, expected: string, lots: number | undefined): Answer {
  return steps(label, expected, lots, exampleEth().quantityGrid);
}

/** Words: states, messages, lists. */
export function fact(label: string, expected: string, actual: unknown): Answer {
  return { label, expected, actual: String(actual) };
}

/** E of a group, exactly. */
export function equity(label: string, expected: string, group: MarginGroup): Answer {
  return { label, expected, actual: exact(group.equity, group.scale) };
}

/** MM of a group, exactly: finer than a unit of the asset. */
export function maintenance(label: string, expected: string, group: MarginGroup): Answer {
  return { label, expected, actual: exact(group.maintenance, group.scale) };
}

function steps(
  label: string,
  expected: string,
  actual: number | undefined,
  grid: Parameters<typeof textOf>[0],
): Answer {
  return { label, expected, actual: actual === undefined ? 'nothing' : textOf(grid, actual) };
}

/** Fine units in units of the asset. */
function exact(fine: bigint, scale: bigint): string {
  return plain(new Decimal(fine.toString()).div((scale * 10n ** 8n).toString()));
}

/** What the wire shows of an account's asset. */
export function balance(desk: RiskDesk, account: Account, asset: string): WireBalance | undefined {
  return desk.core.balances(account).find((each) => each.asset === asset);
}
