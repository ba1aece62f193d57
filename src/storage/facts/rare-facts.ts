import { defineMarketOn, type GridDigits, type Market, type MarketSpec } from '../../model/market.js';
import { gridOfStep } from '../../model/grid.js';
import { type Rate, rateOf } from '../../model/money.js';
import type { Files } from '../../ports/files.js';
import { Fields } from '../json-fields.js';
import { fundingPath, marketHistoryPath } from '../rows/layout.js';
import { readLinesOfJson } from '../rows/line-file.js';
import { parseMarketSpec } from '../market-spec.js';

/** A market as of a venue ms: one line of `markets.ndjson`. */
export interface DatedSpec {
  readonly time: number;
  readonly spec: MarketSpec;
}

/** A funding rate, as plain decimal text, that was paid at a venue ms: one line of `funding.ndjson`. */
export interface DatedRate {
  readonly time: number;
  readonly rate: string;
}

/** The recorded markets, ascending by time; empty if none were recorded. */
export async function readMarketHistory(
  files: Files,
  folders: readonly string[],
): Promise<readonly DatedSpec[]> {
  const lists = await Promise.all(
    folders.map((folder) =>
      readLinesOfJson(files, marketHistoryPath(folder), (value): DatedSpec => {
        const fields = new Fields(value, 'the line');
        return { time: fields.integer('time'), spec: parseMarketSpec(fields.value('spec'), 'spec') };
      }),
    ),
  );
  return lists.flat().sort((a, b) => a.time - b.time);
}

/** The recorded funding rates, ascending by time, one per time. */
export async function readFundingHistory(
  files: Files,
  folders: readonly string[],
): Promise<readonly DatedRate[]> {
  const lists = await Promise.all(
    folders.map((folder) =>
      readLinesOfJson(files, fundingPath(folder), (value): DatedRate => {
        const fields = new Fields(value, 'the line');
        return { time: fields.integer('time'), rate: String(fields.decimal('rate')) };
      }),
    ),
  );
  const rates = lists.flat().sort((a, b) => a.time - b.time);
  return rates.filter(({ time }, index) => rates[index - 1]?.time !== time);
}

export function rateAt({ rate }: DatedRate): Rate {
  return rateOf(rate);
}

/**
 * The decimals of a grid that holds the steps of all these markets. Filters may change during a session, its grid may
 * not.
 */
function commonDigits(specs: readonly MarketSpec[]): GridDigits {
  const most = (steps: readonly MarketSpec['price']['step'][]) =>
    Math.max(0, ...steps.map((step) => gridOfStep(step).decimals));
  return {
    price: most(specs.map(({ price }) => price.step)),
    quantity: most(specs.map(({ quantity }) => quantity.step)),
  };
}

export interface DatedMarket {
  readonly time: number;
  readonly market: Market;
}

/** The time at which margin rates first differ from those of the beginning, ms; `undefined` if they never do. */
export function marginChangeIn(history: readonly DatedMarket[]): number | undefined {
  const [first] = history;
  if (first === undefined) return undefined;
  const { margin } = first.market;
  return history.find(
    ({ market: { margin: later } }) =>
      !isSameRate(later.initial, margin.initial) ||
      !isSameRate(later.maintenance, margin.maintenance) ||
      !isSameRate(later.initialRiskLimit, margin.initialRiskLimit) ||
      !isSameRate(later.maintenanceRiskLimit, margin.maintenanceRiskLimit),
  )?.time;
}

/** Compares the values of two rates, however many digits each was written with. */
function isSameRate(a: Rate, b: Rate): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}

/** The markets in force within [from, to): the newest one before `from`, and all later ones; all on one grid. */
export function marketsWithin(
  history: readonly DatedSpec[],
  from: number,
  to: number,
): readonly DatedMarket[] {
  const before = history.findLastIndex(({ time }) => time < from);
  const chosen = history.slice(Math.max(0, before)).filter(({ time }) => time < to);
  const digits = commonDigits(chosen.map(({ spec }) => spec));
  return chosen.map(({ time, spec }) => ({ time, market: defineMarketOn(digits, spec) }));
}
