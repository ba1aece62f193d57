import type { Approved } from '../../model/command.js';
import type { Market } from '../../model/market.js';
import type { Ticks } from '../../model/grid.js';
import { type Money, type Rate, rateNumber } from '../../model/money.js';
import type { Position } from '../../model/position.js';
import { onGridsOf } from '../../model/regrid.js';
import type { ExecutionReport } from '../../model/report.js';
import type { Ticker } from '../../model/ticker.js';
import type { WorldFact } from '../../model/world-fact.js';
import type { Account, Holding } from '../core/account.js';
import { fundingOf } from '../core/funding.js';
import { liquidationPriceOf } from '../core/liquidation-price.js';
import type { Matcher } from '../core/matcher.js';
import type { VenueCore } from '../core/venue-core.js';
import type { TapePrints, Touch } from '../liquidity.js';
import type { CommandDesk } from './command-desk.js';
import { LoneTaker } from './lone-taker.js';
import type { AccountSquare } from './account-square.js';
import type { AccountMargins, MarginBounds } from './margin-bounds.js';
import type { QueueModel } from './queue-model.js';
import { RecordedMark } from './recorded-mark.js';
import type { RecordedMarket } from './recorded-market.js';
import type { SentCommands } from './sent-commands.js';
import { TapeFunding } from './tape-funding.js';
import { type TapeVenueOptions, tapeParts } from './tape-parts.js';

/**
 * The venue of backtest and paper: one account on one market that is made of recorded prints, in the caller's process
 * and on the time of its events.
 *
 * A command is effective at e = sent + latency. It reaches the core when the first print with a time above e comes,
 * before that print, with `now` = e; those of equal e in the order in which they were sent. What follows is reported
 * with the print that caused it: answers with their e, fills with the print's time, ends of windows with the deadline.
 */
export class TapeVenue {
  /**
   * What happened and was not taken yet, in order. Whoever takes it empties it: one array for the life of the venue.
   */
  readonly reports: ExecutionReport[];
  /** How often funding was paid or received so far. */
  fundings = 0;
  /** Funding received so far, units of the quote asset; negative when paid. */
  fundingReceived: Money = 0n;
  /** What one base unit held all the time would have received, quote units; for comparison, so in floats. */
  fundingOfOne = 0;
  readonly #account: Account;
  readonly #core: VenueCore;
  readonly #pair: string;
  readonly #holding: Holding;
  readonly #matcher: Matcher;
  readonly #model: QueueModel;
  readonly #commands: SentCommands;
  readonly #funding: TapeFunding;
  readonly #recordedMark = new RecordedMark();
  /** Strictly between these marks the position needs no look at its margin. */
  readonly #margin: MarginBounds;
  readonly #margins: AccountMargins;
  readonly #square: AccountSquare;
  #rows: TapePrints | undefined;
  readonly #desk: CommandDesk;
  /** Of an account with one market. */
  readonly #lone: LoneTaker;
  readonly #isAlone: boolean;

  /** `parts`: of an account that has more than this market; see `tapeVenues`. */
  constructor(options: TapeVenueOptions, parts?: RecordedMarket<QueueModel>) {
    const { market, hasRates = false } = options;
    const { core, account, holding, matcher, liquidity, margin, margins, square, desk, commands } =
      parts ?? alone(options);
    this.#pair = market.pair;
    this.#funding = new TapeFunding(hasRates);
    this.#core = core;
    this.#account = account;
    this.#holding = holding;
    this.#matcher = matcher;
    this.#model = liquidity;
    this.#margin = margin;
    this.#margins = margins;
    this.#square = square;
    this.#desk = desk;
    this.reports = desk.reports;
    this.#commands = commands;
    this.#isAlone = parts === undefined;
    this.#lone = new LoneTaker({
      orders: core.loneOrders(account, market.pair),
      desk,
      model: liquidity,
      windowMs: matcher.marketWindow,
    });
  }

  get account(): Account {
    this.#lone.join();
    return this.#account;
  }

  get core(): VenueCore {
    this.#lone.join();
    return this.#core;
  }

  get market(): Market {
    return this.#core.market(this.#pair).market;
  }

  /** What positions are valued at; `mixed`: recorded marks, and the last print before the first and where they grew too old. */
  get mark(): 'recorded' | 'last' | 'mixed' {
    return this.#recordedMark.source;
  }

  /** Where the street's volume ahead of our resting orders came from; `undefined` where none had to wait behind it. */
  get queueAhead(): 'recorded' | 'estimated' | undefined {
    return this.#model.queueAhead;
  }

  /** Sent at `sentAt`, ms, which is not before any print that was given. @throws InvariantError for another pair */
  submit(command: Approved, sentAt: number): void {
    this.#commands.send(command, sentAt);
  }

  /**
   * One recorded print, in (time, id) order: price in quote units, quantity in base units, as printed. True when there
   * are reports; they belong before the print. Allocates nothing when nothing happens.
   */
  print(time: number, price: number, quantity: number, isBuyerMaker: boolean): boolean {
    this.#lone.setOpen(false);
    this.#before(time);
    const isLiquidating = this.#core.isLiquidating;
    this.#matcher.printScalars(time, price, quantity, isBuyerMaker);
    this.#lookAtMargin(price, time, isLiquidating);
    if (this.#matcher.hasTriggers) this.#core.fireTriggers(this.#pair, time);
    return this.#hasReports();
  }

  /** Prints to be given row by row; `closeRows` before the columns change. */
  openRows(prints: TapePrints): void {
    this.#rows = prints;
    if (this.#isAlone) this.#lone.setOpen(true);
    this.#matcher.openRows(prints);
  }

  /**
   * `print` of a row of the open columns, for the loop that runs over millions: a row at which nothing can happen
   * costs a few comparisons. Until something happens the mark and the touch may be those of an earlier row.
   */
  printRow(row: number): boolean {
    const { time, price } = this.#rows as TapePrints;
    const now = time[row] as number;
    const at = price[row] as number;
    const model = this.#model;
    const { above, below } = this.#margin;
    const isEarly =
      this.#commands.nextTime >= now && this.#funding.nextTime > now && this.#recordedMark.ends >= now;
    const isBetween = at > model.quietAbove && at < model.quietBelow && at > above && at < below;
    if (isEarly && isBetween && !this.#lone.isWaiting) return this.#hasReports();
    this.#matcher.passRows(row);
    if (this.#funding.nextTime <= now) this.#fund(now);
    this.#before(now);
    const isLiquidating = this.#core.isLiquidating;
    if (this.#lone.isWaiting && this.#lone.printRow(this.#rows as TapePrints, row)) {
      this.#matcher.passRows(row + 1);
    } else this.#matcher.printRow(row);
    this.#lookAtMargin(at, now, isLiquidating);
    if (this.#matcher.hasTriggers) this.#core.fireTriggers(this.#pair, now);
    return this.#hasReports();
  }

  /**
   * The print of a row of the open columns, before `quietUntil`, does nothing at the venue though it may not be quiet:
   * `printRow` need not be called for it.
   */
  isPassing(row: number): boolean {
    const { time, price, isBuyerMaker } = this.#rows as TapePrints;
    const at = price[row] as number;
    const { above, below } = this.#margin;
    if (!(at > above && at < below)) return false;
    const isSell = isBuyerMaker[row] === 1;
    // Where one waits alone nothing rests.
    if (this.#lone.isWaiting) return this.#lone.isPassing(time[row] as number, isSell);
    return this.#model.isPassing(time[row] as number, at, isSell);
  }

  /**
   * What is known of the world from its time on: all prints up to that time were given, and those of the open rows are
   * all above `row`. What it brings about is reported.
   */
  learn(fact: WorldFact, row: number): boolean {
    this.#matcher.passRows(row);
    this.#fund(fact.time - 1);
    this.advance(fact.time - 1);
    switch (fact.kind) {
      case 'market': {
        const market = onGridsOf(this.market, fact.market);
        this.#core.turnMarket(market, fact.time);
        this.#model.turn(market);
        this.#funding.turn(fact.time, market.funding);
        break;
      }
      case 'ticker':
        this.#seeTicker(fact.time, fact.ticker);
        break;
      case 'depth':
        this.#model.seeDepth(fact.time, fact.bids, fact.asks);
        break;
      case 'funding':
        this.#funding.recorded();
        this.#pay(fact.rate, fact.time);
    }
    return this.#hasReports();
  }

  /** `advance` between two rows: those above `row` were given. */
  advanceRows(row: number, now: number): boolean {
    this.#matcher.passRows(row);
    return this.advance(now);
  }

  /**
   * Until this time, a print strictly between the two prices does nothing at the venue: `printRow` need not be called
   * for it. They move when a command is submitted and when a print is given.
   */
  get quietUntil(): number {
    const until = Math.min(this.#commands.nextTime, this.#funding.nextTime, this.#recordedMark.ends);
    return this.#core.isLiquidating ? Math.min(until, this.#matcher.nextDeadline) : until;
  }

  get quietAbove(): number {
    if (this.#lone.isWaiting) return Number.POSITIVE_INFINITY;
    const { quietAbove } = this.#model;
    return quietAbove > this.#margin.above ? quietAbove : this.#margin.above;
  }

  get quietBelow(): number {
    const { quietBelow } = this.#model;
    return quietBelow < this.#margin.below ? quietBelow : this.#margin.below;
  }

  /** Writes down the three above: handed over one by one, each would be an object. */
  putQuiet(quiet: { until: number; above: number; below: number }): void {
    const { quietAbove, quietBelow } = this.#model;
    const { above, below } = this.#margin;
    const command = this.#commands.nextTime;
    const funding = this.#funding.nextTime;
    let until = this.#recordedMark.ends;
    if (command < until) until = command;
    if (funding < until) until = funding;
    quiet.until = this.#core.isLiquidating ? this.quietUntil : until;
    if (this.#lone.isWaiting) quiet.above = Number.POSITIVE_INFINITY;
    else quiet.above = quietAbove > above ? quietAbove : above;
    quiet.below = quietBelow < below ? quietBelow : below;
  }

  /** The open columns end after so many rows. */
  closeRows(count: number): void {
    this.#matcher.passRows(count);
    this.#matcher.closeRows();
  }

  /**
   * Says that all prints up to and including `now` were given: commands effective by then arrive and windows end,
   * though no later print came. For the quiet hours of paper trading and for the end of a tape.
   */
  advance(now: number): boolean {
    while (this.#commands.nextTime <= now) this.#arrive();
    if (now > this.#recordedMark.ends) this.#loseMark();
    this.#endWindows(now);
    return this.#hasReports();
  }

  /**
   * When the next thing happens here that is no print, ms: `occur` is to be called with it before the first print, of any
   * market of the account, that has a later time. Infinity without any.
   */
  get nextOccurrence(): number {
    const { nextDeadline } = this.#matcher;
    // Times are whole: funding comes after the commands of the millisecond before it and before the prints of its own.
    const own = Math.min(this.#commands.nextTime, this.#funding.nextTime - 0.5, this.#recordedMark.ends + 1);
    return nextDeadline < own ? nextDeadline : own;
  }

  /** When funding that is worked out from marks is paid next, ms: before the prints of its time. Infinity without any. */
  get nextFunding(): number {
    return this.#funding.nextTime;
  }

  /** Pays the funding that is due by `now`; rows above `row` were given. */
  fund(row: number, now: number): void {
    this.#matcher.passRows(row);
    this.#fund(now);
  }

  /** What is due at `time`, of rows above `row` all of which were given. True when there are reports. */
  occur(row: number, time: number): boolean {
    this.#matcher.passRows(row);
    if (this.#funding.nextTime - 0.5 <= time) this.#fund(this.#funding.nextTime);
    return this.advance(time);
  }

  /**
   * Where the recording is over and the account's other markets go on: when what the venue itself has placed here ends, which
   * nothing will fill, ms; then `expire`. Infinity without any.
   */
  get forcedDeadline(): number {
    for (let order = this.#holding.firstWorking; order !== undefined; order = order.nextWorking) {
      if (order.isLiquidation) return this.#matcher.nextDeadline;
    }
    return Number.POSITIVE_INFINITY;
  }

  expire(time: number): void {
    this.#matcher.advance(time);
    this.#checkMargin(time);
  }

  /** Rows above `row` were given: the account's other markets see what its position is worth. */
  passRows(row: number): void {
    this.#matcher.passRows(row);
  }

  /**
   * Whether the venue has taken orders or the position away since this was last asked, which another market of the account
   * may have brought about. What it did is in `reports`.
   */
  takeSeizure(): boolean {
    return this.#desk.takeSeizure();
  }

  /** How often that happened on any market of the account. */
  get seizures(): number {
    return this.#square.seizures;
  }

  /** Prices of the account's other markets have moved: `quietAbove` and `quietBelow` move with them. */
  renewMargin(): void {
    this.#margins.renewOne(this.#margin);
  }

  /** When the first command on its way is effective, ms; Infinity without any. */
  get nextArrival(): number {
    return this.#commands.nextTime;
  }

  /** Commands on their way to the venue. */
  get inFlight(): number {
    return this.#commands.size;
  }

  /** Cash that may be used for new orders, in units of the quote asset. */
  available(): Money {
    this.#lone.join();
    return this.#core.available(this.#account, this.market.quote);
  }

  /** The venue's own book of the account's position; fees and realised P&L count from when it was last flat. */
  get position(): Position {
    return this.#core.position(this.#account, this.market.pair);
  }

  /**
   * Where the account's position would be liquidated, quote units, while its other markets stay as they are; `undefined`:
   * nowhere.
   */
  get liquidationPrice(): number | undefined {
    return liquidationPriceOf(this.#holding);
  }

  touch(): Touch {
    return this.#matcher.touch();
  }

  /** `reports` are complete, as they are after any other call. */
  squareReports(): boolean {
    return this.#hasReports();
  }

  #hasReports(): boolean {
    if (this.reports.length === 0) return false;
    this.#desk.square();
    return true;
  }

  /** The first command on its way reaches the core. */
  #arrive(): void {
    const time = this.#commands.nextTime;
    const command = this.#commands.shift();
    if (command === undefined) return;
    if (time > this.#recordedMark.ends) this.#loseMark();
    // Windows that end by then are over, and reported, before whatever becomes of the command.
    this.#endWindows(time);
    if (this.#lone.take(command, time)) return;
    this.#lone.join();
    this.#desk.execute(command, time);
  }

  /** All that is due before the prints of `time`. */
  #before(time: number): void {
    while (this.#commands.nextTime < time) this.#arrive();
    if (time > this.#recordedMark.ends) this.#loseMark();
    if (this.#core.isLiquidating) this.#endWindows(time - 1);
  }

  /** Windows end up to and including `until`. What follows for a position that is being liquidated comes at once. */
  #endWindows(until: number): void {
    if (this.#lone.deadline <= until) this.#lone.join();
    while (this.#core.isLiquidating && this.#matcher.nextDeadline <= until) {
      const deadline = this.#matcher.nextDeadline;
      this.#matcher.advance(deadline);
      this.#checkMargin(deadline);
    }
    this.#matcher.advance(until);
  }

  #seeTicker(time: number, { bidPrice, askPrice, markPrice, indexPrice }: Ticker): void {
    if (bidPrice !== undefined && askPrice !== undefined) this.#model.seeTouch(time, bidPrice, askPrice);
    if (markPrice === undefined) return;
    const { market } = this;
    const ticksOf = (price: number) => Math.round(price * market.priceGrid.scale) as Ticks;
    const mark = ticksOf(markPrice);
    this.#recordedMark.see(time, markPrice, this.#desk.hasFilled);
    this.#core.setMark(this.#pair, mark, time);
    if (indexPrice !== undefined && market.contract === 'linear') {
      this.#funding.sample(time, mark, ticksOf(indexPrice), market.funding);
    }
    this.#lookAtMargin(markPrice, time);
  }

  /** All that was known while the recorded mark was fresh has happened: the last print counts from then on. */
  #loseMark(): void {
    const time = this.#recordedMark.ends;
    this.#endWindows(time);
    this.#recordedMark.lose();
    this.#core.setMark(this.#pair, undefined, time);
    this.#lookAtMargin(this.#matcher.state.lastPrice, time);
  }

  /** Whatever funding is due by now: before the prints of its time. */
  #fund(now: number): void {
    const { funding } = this.market;
    while (this.#funding.nextTime <= now) {
      const time = this.#funding.nextTime;
      while (this.#commands.nextTime < time) this.#arrive();
      if (time > this.#recordedMark.ends) this.#loseMark();
      this.#endWindows(time - 1);
      this.#pay(this.#funding.take(funding), time);
    }
  }

  #pay(rate: Rate, time: number): void {
    if (rate.numerator === 0n) return;
    this.#lone.join();
    this.fundings++;
    const { state } = this.#matcher;
    // Who bought the first print held nothing before it.
    if (!Number.isNaN(state.lastPrice)) {
      this.fundingOfOne -= (rateNumber(rate) * (state.mark ?? 0)) / state.market.priceGrid.scale;
    }
    // Before it is paid: a position that it brings down is gone afterwards.
    const received = fundingOf(this.#holding, rate);
    this.fundingReceived += received;
    this.#square.funding += received;
    this.#core.payFunding(this.#pair, rate, time);
    this.#margins.renew();
    this.#lookAtMargin(this.#matcher.state.lastPrice, time);
  }

  /**
   * The last print has this price. `isLiquidating`: something waited to be liquidated before it, whatever became of it.
   */
  #lookAtMargin(last: number, time: number, isLiquidating = false): void {
    const mark = this.#recordedMark;
    const price = mark.isKnown ? mark.price : last;
    const { above, below } = this.#margin;
    if (isLiquidating || price <= above || price >= below) this.#checkMargin(time);
  }

  /** The position is near its liquidation, or past it: the core knows. */
  #checkMargin(now: number): void {
    this.#lone.retire();
    this.#core.checkMargin(this.#account, this.#pair, now);
    this.#margins.renew();
  }
}

/** One account on several markets of one quote asset; the deposit is that of the first. */
export function tapeVenues(options: readonly TapeVenueOptions[]): TapeVenue[] {
  const parts = tapeParts(options);
  return options.map((each, at) => new TapeVenue(each, parts[at]));
}

/** An account with this market only. */
function alone(options: TapeVenueOptions): RecordedMarket<QueueModel> {
  return tapeParts([options])[0] as RecordedMarket<QueueModel>;
}
