import { UsageError } from '../model/errors.js';
import { compareTrades, type Trade } from '../model/trade.js';
import type { MarketDriver } from './market-driver.js';

/** The receiver of prints: the venue core. */
export interface PrintSink {
  print(pair: string, print: Trade): void;
}

/**
 * Feeds the recorded trades of one pair into a venue as venue time passes. Trades must be in (time, id) order; all
 * trades of one millisecond are applied together.
 */
export class TapePlayer implements MarketDriver {
  readonly pair: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly #sink: PrintSink;
  readonly #trades: readonly Trade[];
  #next = 0;

  /** @throws UsageError without any trade, or when trades are out of order. */
  constructor(sink: PrintSink, pair: string, trades: readonly Trade[]) {
    const first = trades[0];
    const last = trades[trades.length - 1];
    if (first === undefined || last === undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_TAPE',
        `the tape of ${pair} must have at least one trade, received none`,
      );
    }
    for (let i = 1; i < trades.length; i++) {
      const [before, trade] = [trades[i - 1] as Trade, trades[i] as Trade];
      if (compareTrades(before, trade) >= 0) {
        throw new UsageError(
          'TICKWRIGHT_E_TAPE',
          `the tape of ${pair} must be in order of (time, id) without duplicates, ` +
            `received (${trade.time}, ${trade.id}) after (${before.time}, ${before.id})`,
        );
      }
    }
    this.pair = pair;
    this.startTime = first.time;
    this.endTime = last.time;
    this.#sink = sink;
    this.#trades = trades;
  }

  get nextTime(): number {
    return this.#trades[this.#next]?.time ?? Number.POSITIVE_INFINITY;
  }

  get done(): boolean {
    return this.#next === this.#trades.length;
  }

  advanceTo(now: number): void {
    for (;;) {
      const trade = this.#trades[this.#next];
      if (trade === undefined || trade.time > now) return;
      this.#next++;
      this.#sink.print(this.pair, trade);
    }
  }
}
