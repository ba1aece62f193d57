/** Checks that the two volumes of a bar agree about the unit that each of them counts. */
import { lineError, shown } from './line-error.js';
import { numberIn } from './number-in.js';

/**
 * Tolerance of the turnover, as a share of volume × price: some venues take low and high from another sample of trades.
 */
const ROUNDED = 0.01;

const CONTRACTS =
  'a volume that counts contracts is none in base units: name its column contracts, and base_volume the one that is';

/** The two volumes of a bar as the file prints them, with the price range that must connect them. */
interface Turnover {
  readonly volume: unknown;
  readonly turnover: unknown;
  readonly low: number;
  readonly high: number;
}

/**
 * Refuses a bar whose two volumes contradict each other. In base units, turnover ÷ volume must lie between low and
 * high; in quote units, the turnover must equal the volume. Dumps of coin-margined markets count contracts in `volume`:
 * without this check their volumes would be imported as base units.
 */
export function demandTurnover(where: string, unit: 'base' | 'quote', bar: Turnover): void {
  const [printedVolume, printedTurnover] = [printed(bar.volume), printed(bar.turnover)];
  const [volume, turnover] = [numberIn(printedVolume), numberIn(printedTurnover)];
  // Skips a value that is not a number, which other checks refuse, and a bar without volume, which has nothing to
  // compare.
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

/** The largest rounding error of a printed number: half a unit of its last decimal. */
function halfDigit(number: string): number {
  const [, decimals = ''] = number.split('.');
  return 0.5 * 10 ** -decimals.length;
}
