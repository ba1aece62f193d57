import type { Fill } from '../model/fill.js';
import type { Market } from '../model/market.js';
import { differenceOf, type Money } from '../model/money.js';
import { FLAT, type Position, totalPnlAt } from '../model/position.js';
import type { TradeGap } from '../model/trade.js';
import { Drawdown } from './drawdown.js';
import { EquityCloses } from './equity-closes.js';
import { ExposureWatch } from './exposure-watch.js';
import { GapAccount } from './gap-account.js';
import { MOST_KEPT, RoundTrips } from './round-trips.js';
import type { StretchWatch, WatchedRows } from './stretch-watch.js';
import { Traded } from './traded.js';

const HOUR_MS = 3_600_000;
const FIRST_CURVE_MS = 1_000;
const MOST_CURVE_POINTS = 2_048;

export interface AccountWatchOptions {
  readonly market: Market;
  /** Quote units. */
  readonly capital: number;
  /** Gaps of the recording, ascending. */
  readonly gaps: readonly TradeGap[];
  /** Keeps every round trip, not only the first 65 536. No figure depends on it. */
  readonly allRoundTrips?: boolean | undefined;
  /** The watch of the whole account, if it has other markets too. */
  readonly whole?: StretchWatch | undefined;
  /** Trigger price of the stop at the venue at this moment, NaN: none. Default: never one. */
  readonly stopPrice?: (() => number) | undefined;
}

/**
 * Follows an account through a backtest: equity, drawdown, round trips with their excursions, exposure, and the P&L
 * inside gaps.
 *
 * A print that changes nothing costs nothing. Between two changes of the position, equity is linear in the price, so its
 * range follows from the range of prices, which one tight loop over the column finds afterwards.
 */
export class AccountWatch {
  readonly drawdown: Drawdown;
  readonly roundTrips: RoundTrips;
  /** Equity at the end of every hour and, beside it, the value of one base unit held from the start. */
  readonly closes = new EquityCloses(HOUR_MS);
  /** At most 2 048 points, as close together as that allows. */
  readonly curve = new EquityCloses(FIRST_CURVE_MS, MOST_CURVE_POINTS);
  readonly exposure: ExposureWatch;
  readonly maker = new Traded();
  readonly taker = new Traded();
  readonly #gaps: GapAccount;
  readonly #market: Market;
  readonly #capital: number;
  readonly #whole: StretchWatch | undefined;
  readonly #stopPrice: (() => number) | undefined;
  /** Units of money in one unit of the quote asset. */
  readonly unitsPerQuote: number;
  #position: Position = FLAT;
  /** Equity = base + quantity × price. */
  #base: number;
  #quantity = 0;
  /** Equity when the open round trip began. */
  #entryEquity: number;
  #rows: WatchedRows | undefined;
  /** The first row at which the present position was not marked yet. */
  #from = 0;
  /** Price of the newest print before the open rows. */
  #priceBefore = Number.NaN;
  #firstPrice = Number.NaN;
  #lastTime = Number.NaN;
  #fundingOfOne = 0;
  #quietUntil = Number.NEGATIVE_INFINITY;
  /** Value of the account's other markets, quote units. */
  #elsewhere = 0;
  /** What a tick is worth on the lots of the fill that comes next, if the venue liquidates by it; quote units. */
  #forcedTick = 0;
  #residue = 0;
  /** Once there was no equity by this market alone, although the account lived on. */
  #isUnder = false;
  #ruinBelow = Number.NEGATIVE_INFINITY;
  #ruinAbove = Number.POSITIVE_INFINITY;
  #ruinedAt: number | undefined;
  #liquidatedAt: number | undefined;

  constructor({ market, capital, gaps, allRoundTrips = false, whole, stopPrice }: AccountWatchOptions) {
    this.#whole = whole;
    this.#stopPrice = stopPrice;
    this.#market = market;
    this.#capital = capital;
    this.#base = capital;
    this.#entryEquity = capital;
    this.unitsPerQuote = 10 ** market.quotePrecision;
    this.drawdown = new Drawdown(capital);
    this.roundTrips = new RoundTrips(
      this.unitsPerQuote,
      allRoundTrips ? Number.POSITIVE_INFINITY : MOST_KEPT,
    );
    this.exposure = new ExposureWatch(capital);
    this.#gaps = new GapAccount(gaps);
  }

  /**
   * Until this time, a print strictly between `quietAbove` and `quietBelow` need not be passed to `reach` and `settle`.
   */
  get quietUntil(): number {
    return this.#quietUntil;
  }

  /** At or beyond these prices no equity is left. */
  get quietAbove(): number {
    return this.#ruinBelow;
  }

  get quietBelow(): number {
    return this.#ruinAbove;
  }

  /** When the equity reached 0 or less, or `residue` or less; the run ends there. */
  get ruinedAt(): number | undefined {
    return this.#ruinedAt;
  }

  /** When the venue first liquidated the position or a part of it. */
  get liquidatedAt(): number | undefined {
    return this.#liquidatedAt;
  }

  /** P&L inside the gaps of the recording. */
  get gapPnl(): Money {
    return this.#gaps.pnl;
  }

  /** Prices of the first and the newest print, quote units; NaN before the first. */
  get firstPrice(): number {
    return this.#firstPrice;
  }

  get lastPrice(): number {
    return this.#priceBefore;
  }

  /** Value at the newest print of one base unit held from the start: its price and its funding, quote units. */
  get worthOfOne(): number {
    return this.#priceBefore + this.#fundingOfOne;
  }

  /** Equity at the newest print, quote units. */
  get equity(): number {
    return Number.isNaN(this.#priceBefore) ? this.#capital : this.#equityAt(this.#priceBefore);
  }

  /** By this market alone there was once no equity left: the account lived on by its other markets, or was ruined. */
  get isUnder(): boolean {
    return this.#isUnder;
  }

  /** Time of the newest print, ms; `undefined` before the first. */
  get lastTime(): number | undefined {
    return Number.isNaN(this.#lastTime) ? undefined : this.#lastTime;
  }

  /** P&L so far with the open position at the newest print, quote units. */
  get pnl(): number {
    return this.equity - this.#capital;
  }

  /**
   * Quote units; above 0 only while the position is flat because the venue closed it. A bankrupt position is closed at a
   * price that is rounded to the tick, so up to a tick of it stays with an account that has lost everything.
   */
  get residue(): number {
    return this.#residue;
  }

  /** Value of the position at the newest print, quote units; negative for a short. */
  get notional(): number {
    return this.#quantity === 0 ? 0 : this.#quantity * this.#priceBefore;
  }

  /**
   * Sets the value of the account's other markets, quote units, until they move again: only all markets together can ruin
   * it.
   */
  standBeside(elsewhere: number): void {
    if (elsewhere === this.#elsewhere) return;
    this.#elsewhere = elsewhere;
    this.#setRuin();
  }

  /** The rows of these columns come next. */
  openRows(rows: WatchedRows): void {
    this.#rows = rows;
    this.#from = 0;
    if (!Number.isNaN(this.#lastTime)) return;
    const first = rows.time[0] as number;
    this.#lastTime = first;
    this.#firstPrice = rows.price[0] as number;
    this.closes.open(first);
    this.curve.open(first);
    this.exposure.hold(first, 0, this.#capital);
    this.#setQuietUntil();
  }

  /** The print of this row comes; none of its effects has taken place yet. */
  reach(row: number, time: number): void {
    if (time >= this.#quietUntil) this.#turn(row, time);
  }

  /** An hour or a step of the curve has ended, or a gap begins. */
  #turn(row: number, time: number): void {
    const before = this.#priceAbove(row);
    if (time >= this.closes.next || time >= this.curve.next) {
      const held = this.#quantity === 0 ? 0 : this.#quantity * before;
      const equity = this.#base + held;
      if (time >= this.closes.next) this.exposure.hold(this.closes.next, held, equity);
      const printed = row === 0 ? this.#lastTime : ((this.#rows as WatchedRows).time[row - 1] as number);
      this.closes.closeUntil(time, { equity, price: before + this.#fundingOfOne, printed });
      if (time >= this.curve.next) {
        const stop = this.#stopPrice?.() ?? Number.NaN;
        this.curve.closeUntil(time, { equity, price: before, printed, stop });
      }
    }
    if (!this.#gaps.isOpen && time >= this.#gaps.nextTime) {
      this.#gaps.enter(this.#pnlAt(before));
      if (this.roundTrips.isOpen) this.roundTrips.markGap();
    }
    this.#setQuietUntil();
  }

  /** A fill at the print of this row; `after` is the position after it. */
  fill(fill: Fill, after: Position, row: number): void {
    this.#markUntil(row);
    this.#residue = after.lots === 0 ? this.#forcedTick : 0;
    this.#forcedTick = 0;
    const wasOpen = this.roundTrips.isOpen;
    const isNew = !wasOpen || this.#position.lots > 0 !== after.lots > 0;
    this.roundTrips.add(fill, after);
    const ticksPrice = fill.ticks / this.#market.priceGrid.scale;
    const volume = (fill.lots / this.#market.quantityGrid.scale) * ticksPrice;
    (fill.liquidity === 'maker' ? this.maker : this.taker).add(volume, fill.feeAmount ?? fill.fee);
    if (isNew) this.#entryEquity = wasOpen ? this.#settledPart(after, fill) : this.#base;
    this.#hold(after);
    if (this.#gaps.isOpen && this.roundTrips.isOpen) this.roundTrips.markGap();
    const held = this.#quantity * ticksPrice;
    this.exposure.hold(fill.time, held, this.#base + held);
  }

  /**
   * Funding was paid or received at the print of this row; `after` is the position after it. `ofOne`: all funding that
   * one base unit held from the start would have received so far, quote units.
   */
  funding(after: Position, row: number, ofOne: number): void {
    this.#markUntil(row);
    this.#hold(after);
    this.#fundingOfOne = ofOne;
  }

  /** The fill that follows is one by which the venue liquidates; `market`: with the filters of its time. */
  liquidated({ time, lots }: Fill, { filters, unitsPerTickLot }: Market): void {
    this.#liquidatedAt ??= time;
    this.#forcedTick = (lots * filters.price.tickSize * Number(unitsPerTickLot)) / this.unitsPerQuote;
  }

  /** All effects of the print of this row have taken place. False when the account is ruined. */
  settle(row: number, time: number, price: number): boolean {
    if (this.#gaps.isOpen) {
      this.#gaps.leave(time, this.#pnlAt(price));
      this.#setQuietUntil();
    }
    if (this.#ruinedAt !== undefined) return false;
    if (this.#equityAt(price) + this.#elsewhere > (this.#whole?.nothing ?? this.#residue)) return true;
    this.#markUntil(row + 1);
    this.#ruinedAt = time;
    this.#finish(row, time);
    return false;
  }

  /** The position changed without a print of this market, because of losses on another market of the account. */
  mark(time: number): void {
    const { equity } = this;
    if (equity <= 0) this.#isUnder = true;
    this.drawdown.mark(equity, time);
  }

  /** Rows before `row` were handled, and the value after them is needed before the next row. */
  pause(row: number): void {
    const rows = this.#rows;
    if (rows === undefined || row === 0) return;
    this.#markUntil(row);
    this.#priceBefore = rows.price[row - 1] as number;
    this.#lastTime = rows.time[row - 1] as number;
  }

  /** Ends the open columns after this many rows. */
  closeRows(count: number): void {
    const rows = this.#rows;
    if (rows === undefined || count === 0) return;
    this.#markUntil(count);
    this.#finish(count - 1, rows.time[count - 1] as number);
  }

  /** The recording is over. */
  end(): void {
    const held = this.#quantity === 0 ? 0 : this.#quantity * this.#priceBefore;
    if (!Number.isNaN(this.#lastTime)) this.exposure.hold(this.#lastTime, held, this.#base + held);
  }

  #finish(row: number, time: number): void {
    this.#priceBefore = (this.#rows as WatchedRows).price[row] as number;
    this.#lastTime = time;
    this.#rows = undefined;
  }

  /** Value of the account between the closing and the opening part of a fill that turned the position. */
  #settledPart(after: Position, fill: Fill): number {
    const openingFee = (Number(fill.feeAmount ?? fill.fee) * Math.abs(after.lots)) / fill.lots;
    return this.#capital + (Number(after.settledAmount) + openingFee) / this.unitsPerQuote;
  }

  #hold(position: Position): void {
    this.#position = position;
    const { lots } = position;
    const cash = position.settledAmount;
    const base =
      this.#capital +
      Number(lots === 0 ? cash : differenceOf(cash, position.costAmount)) / this.unitsPerQuote;
    const quantity = lots / this.#market.quantityGrid.scale;
    this.#base = base;
    this.#quantity = quantity;
    this.#setRuin();
  }

  #setRuin(): void {
    const quantity = this.#quantity;
    const base = this.#base + this.#elsewhere - (this.#whole?.nothing ?? 0);
    this.#ruinBelow = quantity > 0 ? -base / quantity : Number.NEGATIVE_INFINITY;
    this.#ruinAbove = quantity < 0 ? -base / quantity : Number.POSITIVE_INFINITY;
  }

  /** Marks the present position at all rows before this one. */
  #markUntil(row: number): void {
    const from = this.#from;
    this.#from = row;
    if (row <= from) return;
    if (this.#quantity === 0) {
      if (this.#base <= 0) this.#isUnder = true;
      this.#whole?.stretch(this.#rows as WatchedRows, from, row, {
        base: this.#base,
        quantity: 0,
        low: 0,
        high: 0,
      });
      if (!this.drawdown.isQuiet(this.#base, this.#base)) {
        this.drawdown.mark(this.#base, (this.#rows as WatchedRows).time[from] as number);
      }
      return;
    }
    const { price: prices, time } = this.#rows as WatchedRows;
    let low = prices[from] as number;
    let high = low;
    let lowAt = from;
    let highAt = from;
    /** The lowest price before `lowAt` and the highest before `highAt`. */
    let lowBefore = Number.POSITIVE_INFINITY;
    let highBefore = Number.NEGATIVE_INFINITY;
    for (let at = from + 1; at < row; at++) {
      const price = prices[at] as number;
      if (price < low) {
        lowBefore = low;
        low = price;
        lowAt = at;
      } else if (price > high) {
        highBefore = high;
        high = price;
        highAt = at;
      }
    }
    const quantity = this.#quantity;
    const base = this.#base;
    this.#whole?.stretch(this.#rows as WatchedRows, from, row, { base, quantity, low, high });
    const lowest = base + quantity * (quantity > 0 ? low : high);
    const highest = base + quantity * (quantity > 0 ? high : low);
    this.roundTrips.moved(lowest - this.#entryEquity, highest - this.#entryEquity);
    const { drawdown, exposure } = this;
    if (lowest <= 0) this.#isUnder = true;
    // Leverage is a quotient of two linear functions of the price, so it is highest at an end of the range, as long as
    // equity is positive there.
    if (lowest > 0) {
      exposure.peak(quantity * high, base + quantity * high);
      exposure.peak(quantity * low, base + quantity * low);
      if (drawdown.isQuiet(lowest, highest)) return;
      // Without a new peak, the deepest drawdown is at the lowest point, or at an earlier one that equals it up to
      // rounding. Only these are computed.
      if (drawdown.isBelowPeak(highest)) {
        const lowestAt = quantity > 0 ? lowAt : highAt;
        const asLow = drawdown.asLowAs(lowest);
        const isOnlyOne = base + quantity * (quantity > 0 ? lowBefore : highBefore) > asLow;
        for (let at = isOnlyOne ? lowestAt : from; at <= lowestAt; at++) {
          const equity = base + quantity * (prices[at] as number);
          if (equity <= asLow) drawdown.mark(equity, time[at] as number);
        }
        return;
      }
    }
    for (let at = from; at < row; at++) {
      const held = quantity * (prices[at] as number);
      if (lowest <= 0) exposure.peak(held, base + held);
      drawdown.mark(base + held, time[at] as number);
    }
  }

  #equityAt(price: number): number {
    return this.#quantity === 0 ? this.#base : this.#base + this.#quantity * price;
  }

  #pnlAt(price: number): Money {
    return totalPnlAt(this.#market, this.#position, Number.isNaN(price) ? 0 : price);
  }

  /** Price of the print before this row. */
  #priceAbove(row: number): number {
    return row === 0 ? this.#priceBefore : ((this.#rows as WatchedRows).price[row - 1] as number);
  }

  #setQuietUntil(): void {
    const gap = this.#gaps.isOpen ? Number.NEGATIVE_INFINITY : this.#gaps.nextTime;
    this.#quietUntil = Math.min(gap, this.closes.next, this.curve.next);
  }
}
