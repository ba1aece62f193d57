/** Shows two results side by side. */
import { type Difference, differences } from '../../backtest/difference.js';
import { type Decimal, parseDecimal, plain } from '../../model/decimal.js';
import { printable } from './printable.js';
import { table } from './table.js';

/** Keys of amounts of money and of quantities, in units of an asset that two results need not share. */
const IN_UNITS_OF = {
  quote:
    /(^|(?<!params)\.)(capital|pnl|fees|makerFees|takerFees|funding|closingCost|expectancy|averageWin|averageLoss|largestWin|largestLoss|volume)(\.|$)/,
  base: /(^|\.)finalPosition$/,
} as const;

/** `left`, `right`: the names of the results. */
export function compareText(left: string, right: string, found: readonly Difference[]): string {
  const differs = (name: string) => found.some(({ key }) => key === name);
  const incomparable = Object.entries(IN_UNITS_OF).flatMap(([asset, keys]) => (differs(asset) ? [keys] : []));
  return table(
    ['', left, right, 'change'],
    found
      // Details of each fill model are left to `--json`; the list already has their P&L.
      .filter(({ key }) => !/(^|\.)models\./.test(key))
      .flatMap(eachLimit)
      .map((each) => [
        printable(each.key),
        shown(each.left),
        shown(each.right),
        incomparable.some((keys) => keys.test(each.key)) ? '' : change(each),
      ]),
    ['left', 'right', 'right', 'right'],
  );
}

/** All limits are one text, in which the eye does not find those that differ. */
function eachLimit(found: Difference): readonly Difference[] {
  const { key, left, right } = found;
  if (!/(^|\.)options\.limits$/.test(key)) return [found];
  const [before, after] = [limitsIn(left), limitsIn(right)];
  return before === undefined || after === undefined ? [found] : differences(before, after, key);
}

/** `undefined`: somebody has changed the text. */
function limitsIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return undefined;
  }
}

const WIDEST = 28;

function shown(value: unknown): string {
  if (value === undefined) return '';
  if (value === null) return 'n/a';
  // Anybody may have changed the file of a result.
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;
}

/** The change of a number, with all digits, because these matter for money of an expensive asset. */
function change({ key, left, right }: Difference): string {
  if (/hash|id$/i.test(key)) return '';
  const [before, after] = [numberIn(left), numberIn(right)];
  if (before === undefined || after === undefined) return '';
  const added = after.minus(before);
  return `${added.isNegative() ? '' : '+'}${plain(added)}`;
}

function numberIn(value: unknown): Decimal | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseDecimal(value) : undefined;
}
