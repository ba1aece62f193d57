import type { Approved, CancelCommand, PlaceCommand } from '../../model/command.js';
import type { DecimalSource } from '../../model/decimal.js';
import { InvariantError, UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { Money } from '../../model/money.js';
import type { IntentId } from '../../model/order.js';
import type { Position } from '../../model/position.js';
import type { ExecutionReport } from '../../model/report.js';
import type { Account, CoreFill, CoreOrder, DoneReason } from '../core/account.js';
import type { Matcher, TakerWindows } from '../core/matcher.js';
import { VenueCore } from '../core/venue-core.js';
import type { TapePrints, TapeSink, Touch } from '../liquidity.js';
import { LatencyQueue } from './latency-queue.js';
import { QueueModel } from './queue-model.js';

/** From sending to being effective at the venue, ms, by kind of command; the way out is in it. */
export interface Latency {
  readonly placeMs: number;
  readonly cancelMs: number;
}

export interface TapeVenueOptions {
  readonly market: Market;
  /** Cash of the quote asset at the start. */
  readonly deposit: DecimalSource;
  /** Default 50 ms each; 0 is allowed. */
  readonly latency?: Partial<Latency> | undefined;
  /** How much worse than the print takers trade, in ticks of the price filter. Default 0. */
  readonly slippageTicks?: number | undefined;
  /** Default 10 s for MARKET, 1 s for everything else that takes. */
  readonly takerWindows?: Partial<TakerWindows> | undefined;
  /** The trading band as a fraction of the mark; default 0.1. */
  readonly band?: DecimalSource | undefined;
  /**
   * How many done orders and fills the account keeps; default 100. They are all reported in any case; a cancel of one
   * that is no longer kept is refused as that of an order that was never there.
   */
  readonly historyLimit?: number | undefined;
}

const DEFAULT_LATENCY_MS = 50;
const DEFAULT_HISTORY = 100;

/**
 * The venue of backtest and paper: one account on one market that is made of recorded prints, in the caller's process
 * and on the time of its events.
 *
 * A command is effective at e = sent + latency. It reaches the core when the first print with a time above e comes,
 * before that print, with `now` = e; those of equal e in the order in which they were sent. What follows is reported
 * with the print that caused it: answers with their e, fills with the print's time, ends of windows with the deadline.
 */
export class TapeVenue {
  readonly market: Market;
  readonly account: Account;
  readonly core: VenueCore;
  /**
   * What happened and was not taken yet, in order. Whoever takes it empties it: one array for the life of the venue.
   */
  readonly reports: ExecutionReport[] = [];
  readonly #matcher: Matcher;
  readonly #model: QueueModel;
  readonly #latency: Latency;
  readonly #commands = new LatencyQueue<Approved>();
  #rows: TapePrints | undefined;
  /** The intent whose order is entering the core just now, until its order is known. */
  #entering: IntentId | undefined;

  constructor(options: TapeVenueOptions) {
    const { market, deposit, latency, slippageTicks = 0, takerWindows, band, historyLimit } = options;
    this.market = market;
    this.#latency = {
      placeMs: wholeMs('latency.placeMs', latency?.placeMs ?? DEFAULT_LATENCY_MS),
      cancelMs: wholeMs('latency.cancelMs', latency?.cancelMs ?? DEFAULT_LATENCY_MS),
    };
    // Made by the core while it is itself made.
    let model!: QueueModel;
    const tape = (_: Market, sink: TapeSink) => {
      model = new QueueModel({ market, sink, slippageTicks });
      return model;
    };
    this.core = new VenueCore({
      markets: [{ market, tape, band, keepTrades: 0 }],
      historyLimit: historyLimit ?? DEFAULT_HISTORY,
      takerWindows,
    });
    this.account = this.core.openAccount('client', { [market.quote]: deposit });
    this.#matcher = this.core.matcher(market.pair);
    this.#model = model;
    this.core.onFill((order, fill) => this.#onFill(order, fill));
    this.core.onDone((order, reason) => this.#onDone(order, reason));
  }

  /** Sent at `sentAt`, ms, which is not before any print that was given. @throws InvariantError for another pair */
  submit(command: Approved, sentAt: number): void {
    if (command.pair !== this.market.pair) {
      throw new InvariantError(`a command must be for ${this.market.pair}, received ${command.pair}`, {
        facts: { intentId: command.intentId },
      });
    }
    const { placeMs, cancelMs } = this.#latency;
    this.#commands.push(command, sentAt + (command.kind === 'place' ? placeMs : cancelMs));
  }

  /**
   * One recorded print, in (time, id) order: price in quote units, quantity in base units, as printed. True when there
   * are reports; they belong before the print. Allocates nothing when nothing happens.
   */
  print(time: number, price: number, quantity: number, isBuyerMaker: boolean): boolean {
    while (this.#commands.nextTime < time) this.#arrive();
    this.#matcher.printScalars(time, price, quantity, isBuyerMaker);
    return this.reports.length > 0;
  }

  /** Prints to be given row by row; `closeRows` before the columns change. */
  openRows(prints: TapePrints): void {
    this.#rows = prints;
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
    if (this.#commands.nextTime >= now && at > this.quietAbove && at < this.quietBelow) return false;
    this.#matcher.passRows(row);
    while (this.#commands.nextTime < now) this.#arrive();
    this.#matcher.printRow(row);
    return this.reports.length > 0;
  }

  /**
   * Until this time, a print strictly between the two prices does nothing at the venue: `printRow` need not be called
   * for it. They move when a command is submitted and when a print is given.
   */
  get quietUntil(): number {
    return this.#commands.nextTime;
  }

  get quietAbove(): number {
    return this.#model.quietAbove;
  }

  get quietBelow(): number {
    return this.#model.quietBelow;
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
    this.#matcher.advance(now);
    return this.reports.length > 0;
  }

  /** Commands on their way to the venue. */
  get inFlight(): number {
    return this.#commands.size;
  }

  /** Cash that may be used for new orders, in units of the quote asset. */
  available(): Money {
    return this.core.available(this.account, this.market.quote);
  }

  /** The venue's own book of the account's position; fees and realised P&L count from when it was last flat. */
  get position(): Position {
    return this.core.position(this.account, this.market.pair);
  }

  touch(): Touch {
    return this.#matcher.touch();
  }

  /** The first command on its way reaches the core. */
  #arrive(): void {
    const time = this.#commands.nextTime;
    const command = this.#commands.shift();
    if (command === undefined) return;
    // Windows that end by then are over, and reported, before whatever becomes of the command.
    this.#matcher.advance(time);
    if (command.kind === 'place') this.#place(command, time);
    else this.#cancel(command, time);
  }

  #place({ intentId, pair, terms }: PlaceCommand, time: number): void {
    this.#entering = intentId;
    const placement = this.core.place(this.account, { pair, terms, intent: intentId }, time);
    if (placement.kind === 'refused') {
      this.#entering = undefined;
      this.reports.push({ kind: 'rejected', intentId, reason: placement.reason, time });
    } else if (this.#entering !== undefined) {
      this.#intentOf(placement.order);
    }
  }

  #cancel({ intentId, orderId }: CancelCommand, time: number): void {
    const cancellation = this.core.cancel(this.account, orderId, time);
    if (cancellation.kind === 'refused') {
      this.reports.push({ kind: 'cancel-rejected', intentId, reason: cancellation.reason, time });
    }
  }

  #onFill(order: CoreOrder, { id, orderId, time, side, lots, ticks, liquidity, fee }: CoreFill): void {
    const intentId = this.#intentOf(order);
    const fill = { id, orderId, time, side, lots, ticks, liquidity, fee };
    this.reports.push({ kind: 'filled', intentId, fill, time });
  }

  #onDone(order: CoreOrder, reason: DoneReason): void {
    const intentId = this.#intentOf(order);
    if (reason === 'filled') return;
    this.reports.push({ kind: 'canceled', intentId, orderId: order.id, reason, time: order.updatedAt });
  }

  /** The acceptance of the order that is entering comes before its other news. */
  #intentOf(order: CoreOrder): IntentId {
    const intentId = order.intent;
    if (intentId === undefined) {
      throw new InvariantError(`an order of the client must come from a command, received order ${order.id}`);
    }
    if (intentId === this.#entering) {
      this.#entering = undefined;
      this.reports.push({ kind: 'accepted', intentId, orderId: order.id, time: order.acceptedAt });
    }
    return intentId;
  }
}

function wholeMs(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new UsageError(
    'TICKWRIGHT_E_LATENCY',
    `${name} must be whole milliseconds of 0 or above, received ${value}`,
  );
}
