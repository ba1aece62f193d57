import type { Engine } from '../engine/engine.js';
import type { Limits } from '../gate/limits.js';
import type { Approved } from '../model/command.js';
import type { Fill } from '../model/fill.js';
import type { TradeGap } from '../model/trade.js';
import { SessionCore, type SessionObserver } from '../session/session-core.js';
import type { TradeChunk } from '../storage/trade-columns.js';
import type { TapeVenue } from '../venue/tape/tape-venue.js';
import { Drawdown } from './drawdown.js';
import { RoundTrips } from './round-trips.js';
import { TradeCursor } from './trade-cursor.js';

/** Rows handled in one call of the inner loop: short enough for V8 to enter optimised code afresh each time. */
const SLICE = 16_384;

export interface TapeSessionOptions {
  readonly engine: Engine;
  readonly venue: TapeVenue;
  readonly limits: Limits;
  /** Quote units. */
  readonly capital: number;
  /** Gaps of the recording, ascending. */
  readonly gaps: readonly TradeGap[];
  readonly onFill?: (fill: Fill) => void;
  readonly observer?: SessionObserver;
}

/**
 * A session over a recording: the same core as every other session, driven by a loop instead of streams. Order of
 * things at a print: what it does at the venue, the reports of that, then the print itself.
 */
export class TapeSession {
  readonly core: SessionCore;
  readonly roundTrips = new RoundTrips();
  readonly drawdown: Drawdown;
  readonly #venue: TapeVenue;
  readonly #onFill: ((fill: Fill) => void) | undefined;
  readonly #gaps: readonly TradeGap[];
  #nextGap = 0;
  #nextGapTime: number;
  #cursor: TradeCursor | undefined;
  #firstTime = Number.NaN;
  /** Until this time only a print at or beyond these two prices needs more than its handler; see `#slice`. */
  #quietUntil = Number.NEGATIVE_INFINITY;
  #quietAbove = Number.NaN;
  #quietBelow = Number.NaN;

  constructor({ engine, venue, limits, capital, gaps, onFill, observer }: TapeSessionOptions) {
    this.#venue = venue;
    this.#gaps = gaps;
    this.#nextGapTime = gaps[0]?.to ?? Number.POSITIVE_INFINITY;
    this.#onFill = onFill;
    this.drawdown = new Drawdown(engine.market, capital);
    this.core = new SessionCore({
      engine,
      limits,
      warmUp: false,
      funds: capital,
      sink: { send: (command) => this.#send(command) },
      ...(observer === undefined ? {} : { observer }),
    });
  }

  /** Times of the first and the last print; NaN before the first. */
  get from(): number {
    return this.#firstTime;
  }

  get to(): number {
    return this.#cursor?.time ?? 0;
  }

  run(chunk: TradeChunk): void {
    if (chunk.count === 0) return;
    if (Number.isNaN(this.#firstTime)) this.#firstTime = chunk.time[0] as number;
    this.#cursor ??= new TradeCursor(chunk);
    this.#cursor.turn(chunk);
    this.#venue.openRows(chunk);
    for (let from = 0; from < chunk.count; from += SLICE) {
      this.#slice(chunk, this.#cursor, from, Math.min(from + SLICE, chunk.count));
    }
    this.#venue.closeRows(chunk.count);
  }

  /**
   * The inner loop. Whether a print does something at the venue or to the drawdown is known from its time and price
   * alone, so that a print that does neither costs three comparisons.
   */
  #slice(chunk: TradeChunk, cursor: TradeCursor, from: number, to: number): void {
    const { time: times, price: prices } = chunk;
    const { core } = this;
    for (let row = from; row < to; row++) {
      const price = prices[row] as number;
      cursor.row = row;
      if (
        (times[row] as number) >= this.#quietUntil ||
        !(price > this.#quietAbove && price < this.#quietBelow)
      ) {
        this.#print(row, times[row] as number, price);
      }
      core.trade(cursor);
    }
  }

  /** A print that is not quiet, before its handler. */
  #print(row: number, time: number, price: number): void {
    const { drawdown } = this;
    const venue = this.#venue;
    if (time >= this.#nextGapTime) this.#gap(time);
    if (venue.printRow(row)) this.#reports();
    drawdown.mark(price);
    const { quietUntil, quietAbove, quietBelow } = venue;
    this.#quietUntil = quietUntil < this.#nextGapTime ? quietUntil : this.#nextGapTime;
    // The other way round NaN, which says that the drawdown has to see the next print, would be lost.
    this.#quietAbove = quietAbove > drawdown.quietAbove ? quietAbove : drawdown.quietAbove;
    this.#quietBelow = quietBelow < drawdown.quietBelow ? quietBelow : drawdown.quietBelow;
  }

  /** Sent at the time of the print that is being handled. */
  #send(command: Approved): void {
    const venue = this.#venue;
    venue.submit(command, this.to);
    if (venue.quietUntil < this.#quietUntil) this.#quietUntil = venue.quietUntil;
  }

  #reports(): void {
    const { reports } = this.#venue;
    for (let i = 0; i < reports.length; i++) {
      const report = reports[i];
      if (report === undefined) continue;
      this.core.report(report);
      if (report.kind !== 'filled') continue;
      const { position } = this.core.engine;
      this.roundTrips.add(report.fill, position);
      this.drawdown.hold(position);
      this.#onFill?.(report.fill);
    }
    // Setting the length would be a call into the runtime.
    while (reports.length > 0) reports.pop();
  }

  #gap(time: number): void {
    for (
      let gap = this.#gaps[this.#nextGap];
      gap !== undefined && gap.to <= time;
      gap = this.#gaps[this.#nextGap]
    ) {
      this.core.input({ kind: 'gap', gap });
      this.#nextGap++;
    }
    this.#nextGapTime = this.#gaps[this.#nextGap]?.to ?? Number.POSITIVE_INFINITY;
  }
}
