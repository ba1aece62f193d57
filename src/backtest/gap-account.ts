import type { Money } from '../model/money.js';
import type { TradeGap } from '../model/trade.js';

/**
 * P&L while the market was not seen: from the last print before a gap to the first print after it, including that print's
 * fills.
 */
export class GapAccount {
  readonly #gaps: readonly TradeGap[];
  #next = 0;
  /** P&L at the beginning of the gap that is open; `undefined` when none is. */
  #before: Money | undefined;
  #pnl: Money = 0n;

  constructor(gaps: readonly TradeGap[]) {
    this.#gaps = mergedGaps(gaps);
  }

  /** Sum over the gaps so far. */
  get pnl(): Money {
    return this.#pnl;
  }

  get isOpen(): boolean {
    return this.#before !== undefined;
  }

  /** The earliest time of a print at which the next gap can begin. */
  get nextTime(): number {
    const gap = this.#gaps[this.#next];
    if (gap === undefined) return Number.POSITIVE_INFINITY;
    // A gap's bounds are times of existing prints, before and after the missing ones; one of no length is a misprint.
    return gap.to > gap.from ? gap.from + 1 : gap.from;
  }

  /** Enters the gap; `pnl` is that after the last print before it. */
  enter(pnl: Money): void {
    this.#before = pnl;
  }

  /** `pnl` is that after a print. The gap ends if the print is at its end or later. */
  leave(time: number, pnl: Money): void {
    const gap = this.#gaps[this.#next];
    if (this.#before === undefined || gap === undefined || time < gap.to) return;
    this.#pnl += pnl - this.#before;
    this.#before = undefined;
    while (this.#isOver(time)) this.#next++;
  }

  /** Whether the next gap lies between the print at this time and the one before it. */
  #isOver(time: number): boolean {
    const gap = this.#gaps[this.#next];
    return gap !== undefined && gap.to <= time;
  }
}

/** Merges overlapping gaps. */
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
