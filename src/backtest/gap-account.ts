import type { Money } from '../model/money.js';
import type { TradeGap } from '../model/trade.js';

/**
 * What was earned while nobody saw the market: the P&L from the last print before a gap to the first one after it, the
 * fills of that print included.
 */
export class GapAccount {
  readonly #gaps: readonly TradeGap[];
  #next = 0;
  /** What the P&L was when the gap began that is open now. */
  #before: Money | undefined;
  #pnl: Money = 0n;

  constructor(gaps: readonly TradeGap[]) {
    this.#gaps = mergedGaps(gaps);
  }

  /** The sum over the gaps so far. */
  get pnl(): Money {
    return this.#pnl;
  }

  get isOpen(): boolean {
    return this.#before !== undefined;
  }

  /** The first time that a print may have at which a gap begins. */
  get nextTime(): number {
    const gap = this.#gaps[this.#next];
    // The bounds are times of prints that are there, before and after what is missing.
    return gap === undefined ? Number.POSITIVE_INFINITY : gap.from + 1;
  }

  /** The P&L after the newest print before this gap. */
  enter(pnl: Money): void {
    this.#before = pnl;
  }

  /** The P&L after a print; the gap is over when the print is at its end or later. */
  leave(time: number, pnl: Money): void {
    const gap = this.#gaps[this.#next];
    if (this.#before === undefined || gap === undefined || time < gap.to) return;
    this.#pnl += pnl - this.#before;
    this.#before = undefined;
    while (this.#isOver(time)) this.#next++;
  }

  /** The next gap lies between the print at this time and the one before it. */
  #isOver(time: number): boolean {
    const gap = this.#gaps[this.#next];
    return gap !== undefined && gap.from < time && gap.to <= time;
  }
}

/** Those that overlap are one. */
function mergedGaps(gaps: readonly TradeGap[]): readonly TradeGap[] {
  const result: TradeGap[] = [];
  for (const gap of gaps) {
    const last = result.at(-1);
    if (last !== undefined && gap.from < last.to) {
      result[result.length - 1] = { ...last, to: Math.max(last.to, gap.to) };
    } else {
      result.push(gap);
    }
  }
  return result;
}
