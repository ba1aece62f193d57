import type { Engine } from '../engine/engine.js';
import type { Limits } from '../gate/limits.js';
import type { Fill } from '../model/fill.js';
import type { Position } from '../model/position.js';
import type { TradeGap } from '../model/trade.js';
import { SessionCore, type SessionObserver } from '../session/session-core.js';
import { type BarColumns, barRow } from '../storage/rows/bar-columns.js';
import type { BarsVenue } from '../venue/tape/bars-venue.js';
import { AccountWatch } from './account-watch.js';
import type { BacktestSession } from './model-run.js';
import { stopPriceOf } from './stop-price.js';

export interface BarSessionOptions {
  readonly engine: Engine;
  readonly venue: BarsVenue;
  readonly limits: Limits;
  /** Quote units. */
  readonly capital: number;
  /** Stretches of the recording without bars, ascending: from the end of one bar to the opening of the next. */
  readonly gaps: readonly TradeGap[];
  readonly allRoundTrips?: boolean | undefined;
  readonly onFill?: (fill: Fill) => void;
  readonly observer?: SessionObserver;
}

/**
 * Number of prices at which the account is marked during a bar: open, two extremes, close, and the extremes once more.
 * Both the position before resting orders trade in the bar and the one after that may have to be marked.
 */
const MARKS = 6;

/**
 * A session over recorded bars. The order at each bar: everything due before it (timers, empty bars, ends of gaps); its
 * open at the venue, with the reports; timers due within it; what trades inside it, with the reports; and at its end the
 * strategy gets the bar. A command is sent at the time of the event that caused it.
 *
 * If something trades inside a bar, `through` also marks the earlier position at the bar's worst price, and `touch` does
 * not. Both mark the later position at both extremes.
 */
export class BarSession implements BacktestSession {
  readonly core: SessionCore;
  readonly watch: AccountWatch;
  readonly #venue: BarsVenue;
  readonly #onFill: ((fill: Fill) => void) | undefined;
  readonly #gaps: readonly TradeGap[];
  #nextGap = 0;
  #from = Number.NaN;
  #to = Number.NaN;
  /** Time of the event that is handled, at which commands count as sent. It never goes back. */
  #now = Number.NEGATIVE_INFINITY;

  constructor(options: BarSessionOptions) {
    const { engine, venue, limits, capital, gaps, allRoundTrips, onFill, observer } = options;
    this.#venue = venue;
    this.#onFill = onFill;
    this.#gaps = gaps;
    const stopPrice = () => stopPriceOf(engine.workingOrders);
    this.watch = new AccountWatch({ market: engine.market, capital, gaps, allRoundTrips, stopPrice });
    this.core = new SessionCore({
      engine,
      limits,
      warmUp: false,
      funds: capital,
      liquidationPrice: () => venue.liquidationPrice,
      sink: { send: (command) => venue.submit(command, this.#now) },
      ...(observer === undefined ? {} : { observer }),
    });
  }

  /** When the first bar opened, and when the last one ended. */
  get from(): number {
    return this.#from;
  }

  get to(): number {
    return this.watch.ruinedAt ?? this.#to;
  }

  get position(): Position {
    return this.core.engine.position;
  }

  readonly mark = 'last';
  readonly queueAhead = 'estimated';

  /** The account is ruined; the session handles nothing more. */
  get isOver(): boolean {
    return this.watch.ruinedAt !== undefined;
  }

  /** Handles the next bars. */
  run(bars: BarColumns): void {
    if (bars.count === 0 || this.isOver) return;
    const marks = marksOf(bars);
    this.watch.openRows(marks);
    for (let row = 0; row < bars.count && !this.isOver; row++) this.#bar(bars, marks, row);
    this.watch.closeRows(bars.count * MARKS);
  }

  end(): void {
    this.watch.end();
  }

  #bar(
    bars: BarColumns,
    marks: { readonly time: Float64Array; readonly price: Float64Array },
    row: number,
  ): void {
    const { time, ...prices } = barRow(bars, row);
    const end = bars.end[row] as number;
    const venue = this.#venue;
    const first = row * MARKS;
    if (Number.isNaN(this.#from)) this.#from = time;
    this.watch.reach(first, time);
    this.#tellGaps(time);
    this.#cover(time);
    venue.open({ time, open: prices.open, volume: prices.volume });
    this.#reports(first, time);
    if (!this.watch.settle(first, time, prices.open)) return;
    this.#cover(end - 1);
    this.watch.reach(first + 1, end - 1);
    let mark = first + 1;
    if (venue.isWorstFirst) {
      venue.bear({ time, end, ...prices });
      this.#reports(mark, end - 1);
      const { lots } = this.position;
      venue.pass({ time, end, ...prices });
      if (lots !== 0 && venue.reports.some(({ kind }) => kind === 'filled' || kind === 'late-fill')) {
        marks.price.copyWithin(mark + 2, mark, mark + 2);
        marks.price.fill(lots > 0 ? prices.low : prices.high, mark, mark + 2);
        mark += 2;
      }
    } else venue.pass({ time, end, ...prices });
    this.#reports(mark, end - 1);
    for (; mark < first + MARKS; mark++) {
      if (!this.watch.settle(mark, end - 1, marks.price[mark] as number)) return;
    }
    this.#to = end - 1;
    this.#now = end;
    this.core.bar({ openTime: time, endTime: end, ...prices });
  }

  /** Reports the gaps that are over, each after the events that were due inside it. */
  #tellGaps(time: number): void {
    for (let gap = this.#gaps[this.#nextGap]; gap !== undefined && gap.to <= time; ) {
      // The core's gaps lie between two existing trades, with inclusive bounds. The bar that opens at the end of our gap
      // is complete, so the reported gap ends 1 ms earlier.
      const told: TradeGap = { ...gap, to: gap.to - 1 };
      this.core.engine.expectGap(told);
      this.#cover(told.to);
      // The end of a gap becomes known by the bar that opens there.
      this.#now = gap.to;
      this.core.input({ kind: 'gap', gap: told });
      gap = this.#gaps[++this.#nextGap];
    }
  }

  /**
   * Handles everything due up to and including `until`, step by step, so that commands of each event are sent at its own
   * time.
   */
  #cover(until: number): void {
    const { engine } = this.core;
    for (let due = engine.dueAt, before = Number.NEGATIVE_INFINITY; due <= until && due > before; ) {
      // A timer may have been set for a time in the past.
      this.#now = Math.max(this.#now, due);
      this.core.input({ kind: 'mark', time: this.#now });
      before = due;
      due = engine.dueAt;
    }
  }

  #reports(row: number, now: number): void {
    const { reports } = this.#venue;
    this.#now = now;
    for (const report of reports.splice(0)) {
      this.core.report(report);
      if (report.kind !== 'filled' && report.kind !== 'late-fill') continue;
      if (report.kind === 'late-fill') this.watch.liquidated(report.fill, this.#venue.market);
      this.watch.fill(report.fill, this.position, row);
      this.#onFill?.(report.fill);
    }
  }
}

/** The order in which a bar reached its extremes is unknown; the one nearer to the open is assumed to come first. */
function marksOf({ count, time, end, open, high, low, close }: BarColumns) {
  const times = new Float64Array(count * MARKS);
  const prices = new Float64Array(count * MARKS);
  for (let row = 0; row < count; row++) {
    const first = row * MARKS;
    const [o, h, l, c] = [open[row], high[row], low[row], close[row]] as [number, number, number, number];
    times.fill((end[row] as number) - 1, first, first + MARKS);
    times[first] = time[row] as number;
    prices.set(h - o < o - l ? [o, h, l, l, l, c] : [o, l, h, h, h, c], first);
  }
  return { time: times, price: prices };
}
