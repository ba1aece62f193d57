/** Whether the two volumes of a bar agree on what they count. */
import { lineError, shown } from './line-error.js';
import { numberIn } from './number-in.js';

/** How far the turnover may be from volume × price, as a share of it: low and high are those of another sample at times. */
const ROUNDED = 0.01;

const CONTRACTS =
  'a volume that counts contracts is none in base units: name its column contracts, and base_volume the one that is';

/** What a bar says of its volume; both as printed, the turnover in a column `quote_volume` or one like it. */
interface Turnover {
  readonly volume: unknown;
  readonly turnover: unknown;
  readonly low: number;
  readonly high: number;
}

/**
 * Refuses a bar whose turnover is not its volume at a price of it, where `volume` is in base units: dumps of markets that
 * are margined in coins count contracts there. In quote units it must be the turnover itself.
 */
export function demandTurnover(where: string, unit: 'base' | 'quote', bar: Turnover): void {
  const [printedVolume, printedTurnover] = [printed(bar.volume), printed(bar.turnover)];
  const [volume, turnover] = [numberIn(printedVolume), numberIn(printedTurnover)];
  // What is no number says nothing, and a bar without volume has nothing to compare.
  if (!(volume > 0) || !(turnover >= 0)) return;
  const [low, high] = unit === 'base' ? [bar.low, bar.high] : [1, 1];
  const least = (volume - halfDigit(printedVolume)) * low * (1 - ROUNDED) - halfDigit(printedTurnover);
  const most = (volume + halfDigit(printedVolume)) * high * (1 + ROUNDED) + halfDigit(printedTurnover);
  if (turnover >= least && turnover <= most) return;
  const expected = unit === 'base' ? 'of its volume × a price between low and high' : 'that is its volume';
  const received = `${printedTurnover} beside a volume of ${printedVolume} between ${bar.low} and ${bar.high}`;
  throw lineError(where, `a quote_volume ${expected}`, `${received} (${CONTRACTS})`);
}

function printed(value: unknown): string {
  return typeof value === 'string' ? value : shown(value);
}

/** The most that a printed number was rounded by. */
function halfDigit(number: string): number {
  const [, decimals = ''] = number.split('.');
  return 0.5 * 10 ** -decimals.length;
}
