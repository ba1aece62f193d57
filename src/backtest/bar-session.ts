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

export interface BarSessionOptions {
  readonly engine: Engine;
  readonly venue: BarsVenue;
  readonly limits: Limits;
  /** Quote units. */
  readonly capital: number;
  /** Stretches of the recording without bars, ascending: from the end of one to the opening of the next. */
  readonly gaps: readonly TradeGap[];
  readonly allRoundTrips?: boolean | undefined;
  readonly onFill?: (fill: Fill) => void;
  readonly observer?: SessionObserver;
}

/**
 * The prices of a bar as the account is marked at them: open, two extremes, close. There are two more for the extremes:
 * what was held before resting orders traded in the bar may have to be marked, and then what is held after that.
 */
const MARKS = 6;

/**
 * A session over recorded bars. Order of things at a bar: whatever was due before, timers, empty bars and the ends of gaps;
 * it opens at the venue, and what trades there is reported; timers that are due in it; what traded inside of it; and then,
 * at its end, the strategy has the bar. What is decided is sent at the time at which that was due.
 *
 * Where something trades inside of a bar, `through` marks what was held before at the bar's worst price, `touch` does not;
 * both mark what is held after at both extremes.
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
  /** Of what is handled, as that of sending. Never goes back. */
  #now = Number.NEGATIVE_INFINITY;

  constructor(options: BarSessionOptions) {
    const { engine, venue, limits, capital, gaps, allRoundTrips, onFill, observer } = options;
    this.#venue = venue;
    this.#onFill = onFill;
    this.#gaps = gaps;
    this.watch = new AccountWatch({ market: engine.market, capital, gaps, allRoundTrips });
    this.core = new SessionCore({
      engine,
      limits,
      warmUp: false,
      funds: capital,
      sink: { send: (command) => venue.submit(command, this.#now) },
      ...(observer === undefined ? {} : { observer }),
    });
  }

  /** When the first bar opened, and when the last one was over. */
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

  /** The account is ruined: nothing more happens in this session. */
  get isOver(): boolean {
    return this.watch.ruinedAt !== undefined;
  }

  /** The next bars. */
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

  /** Those that are over, each after what was due inside of it. */
  #tellGaps(time: number): void {
    for (let gap = this.#gaps[this.#nextGap]; gap !== undefined && gap.to <= time; ) {
      // The core's gaps lie between two trades that are there: the bar that opens at the end of ours is complete.
      const told: TradeGap = { ...gap, to: gap.to - 1 };
      this.core.engine.expectGap(told);
      this.#cover(told.to);
      // That it is over is seen by the bar that opens then.
      this.#now = gap.to;
      this.core.input({ kind: 'gap', gap: told });
      gap = this.#gaps[++this.#nextGap];
    }
  }

  /** Whatever is due up to and including `until`, one after the other, so that each is sent at its own time. */
  #cover(until: number): void {
    const { engine } = this.core;
    for (let due = engine.dueAt, before = Number.NEGATIVE_INFINITY; due <= until && due > before; ) {
      // A timer may be set for a time that is over.
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
      this.watch.fill(report.fill, this.position, row);
      this.#onFill?.(report.fill);
    }
  }
}

/** In which order a bar reached its extremes is not known: the nearer one to the open first. */
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
