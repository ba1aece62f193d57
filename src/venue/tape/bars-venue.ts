import type { Approved } from '../../model/command.js';
import { wholeSteps } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { ExecutionReport } from '../../model/report.js';
import type { Account, Holding } from '../core/account.js';
import { liquidationPriceOf } from '../core/liquidation-price.js';
import type { Matcher } from '../core/matcher.js';
import type { VenueCore } from '../core/venue-core.js';
import { BarLiquidity } from './bar-liquidity.js';
import type { CommandDesk } from './command-desk.js';
import type { AccountMargins, MarginBounds } from './margin-bounds.js';
import { recordedMarket, type RecordedVenueOptions } from './recorded-market.js';
import type { SentCommands } from './sent-commands.js';

/** A recorded bar: times in ms, the end exclusive; prices in quote units, the volume in base units. */
export interface VenueBar {
  readonly time: number;
  readonly end: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const KEPT_ORDERS = 100;

/**
 * The venue of a backtest on bars without trades (`architecture.md`, "Bars only"): one account on one market, one bar
 * after the other.
 *
 * A command is effective at e = sent + latency, and live from the first bar that opens at e or later. Without latency, a
 * decision at the end of a bar meets the open of the next one. A taker trades at that open, up to the bar's volume. A
 * resting order may trade inside the bar, at its last millisecond. Nothing that is sent because of a bar is live in that
 * bar.
 *
 * A stop fires at the open if the bar opens at or beyond it, else inside the bar if its range reaches it, and then trades
 * at the worse of the two prices. Its direction follows from the last price that is known of the time of its arrival.
 *
 * The order of events inside a bar is unknown. `through` assumes that the bar was at its worst for the position before
 * resting orders traded, and once more after that; `touch` assumes that resting orders traded first. So of a stop and a
 * target in one bar, `through` takes the stop and `touch` the target.
 */
export class BarsVenue {
  readonly account: Account;
  readonly core: VenueCore;
  /** Reports that nobody has taken yet, in order. The reader empties the list. */
  readonly reports: ExecutionReport[];
  /** Whether the margin is checked at the bar's worst price before resting orders trade; not so in `touch`. */
  readonly isWorstFirst: boolean;
  readonly #pair: string;
  readonly #holding: Holding;
  readonly #matcher: Matcher;
  readonly #liquidity: BarLiquidity;
  readonly #desk: CommandDesk;
  readonly #commands: SentCommands;
  readonly #margin: MarginBounds;
  readonly #margins: AccountMargins;
  /** The newest bar: its open is what is known of the time inside of it, its close of the time after it. */
  #newest: Pick<VenueBar, 'open' | 'end' | 'close'> | undefined;

  /** `model`: `touch`; any other model acts as `through`, because bars tell nothing about queues. */
  constructor(options: RecordedVenueOptions) {
    const { market, slippageTicks = 0, model } = options;
    const { core, account, holding, matcher, liquidity, margin, margins, desk, commands } = recordedMarket(
      options,
      {
        liquidity: (sink) => new BarLiquidity({ market, sink, slippageTicks, model }),
        historyLimit: KEPT_ORDERS,
      },
    );
    this.isWorstFirst = model?.atLimit !== 'fills';
    this.#pair = market.pair;
    this.core = core;
    this.account = account;
    this.#holding = holding;
    this.#matcher = matcher;
    this.#liquidity = liquidity;
    this.#margin = margin;
    this.#margins = margins;
    this.#desk = desk;
    this.reports = desk.reports;
    this.#commands = commands;
  }

  get market(): Market {
    return this.core.market(this.#pair).market;
  }

  /** Where the account's position would be liquidated, quote units; `undefined`: nowhere. */
  get liquidationPrice(): number | undefined {
    return liquidationPriceOf(this.#holding);
  }

  /** Commands on their way to the venue. */
  get inFlight(): number {
    return this.#commands.size;
  }

  /**
   * `sentAt`, ms, must not be before the open of a bar that was opened already. @throws InvariantError for another pair
   */
  submit(command: Approved, sentAt: number): void {
    this.#commands.send(command, sentAt);
  }

  /** Opens a bar: commands that are effective by then become live, and takers trade. */
  open({ time, open, volume }: Pick<VenueBar, 'time' | 'open' | 'volume'>): void {
    this.#stand(open);
    while (this.#commands.nextTime <= time) {
      const arrival = this.#commands.nextTime;
      const command = this.#commands.shift();
      // Its result is known only now and not at its arrival, because the bars before have been reported already.
      if (command === undefined) continue;
      const isStop = command.kind === 'place' && command.terms.trigger !== undefined;
      if (isStop) this.#stand(this.#priceAt(arrival));
      this.#desk.execute(command, time);
      if (isStop) this.#stand(open);
    }
    if (this.#matcher.hasTriggers) this.core.fireTriggers(this.#pair, time);
    this.#liquidity.open(this.#lotsOf(volume), time);
    this.#desk.square();
  }

  /**
   * To be called before `pass` if `isWorstFirst`: lets the bar go to its worst price for the position held at the open, where
   * the margin is checked, and then to its other end. Stops fire on the way.
   */
  bear(bar: VenueBar): void {
    const isLong = this.#holding.lots >= 0;
    this.#reach(bar, isLong);
    this.#lookAtMargin(bar);
    this.#reach(bar, !isLong);
    this.#stand(bar.open);
    this.#desk.square();
  }

  /**
   * The rest of the bar: resting orders trade, stops fire where they have not yet, then the margin is checked at the bar's
   * worst price for the position.
   */
  pass(bar: VenueBar): void {
    const { open, end, low, high, close, volume } = bar;
    this.#liquidity.pass({ low, high, lots: this.#lotsOf(volume) }, end - 1);
    if (!this.isWorstFirst) {
      const isLong = this.#holding.lots >= 0;
      // In the order of the other model, so that without resting orders both see the same.
      this.#reach(bar, isLong);
      this.#reach(bar, !isLong);
    }
    this.#lookAtMargin(bar);
    this.#stand(close);
    this.#newest = { open, end, close };
    this.#desk.square();
  }

  /**
   * The price goes from the open to one end of the bar: each stop on the way fires at its own price, the nearest one first.
   * A position that cannot bear that price is liquidated before.
   */
  #reach({ end, low, high }: VenueBar, isDown: boolean): void {
    const time = end - 1;
    while (this.#matcher.hasTriggers) {
      const price = isDown ? this.#matcher.triggerAbove : this.#matcher.triggerBelow;
      if (isDown ? price < low : price > high) return;
      this.#checkMarginAt(price, time);
      this.#stand(price);
      this.core.fireTriggers(this.#pair, time);
      this.#liquidity.reach(time);
    }
  }

  /** The last known price of that time; NaN before the first bar. */
  #priceAt(time: number): number {
    if (this.#newest === undefined) return Number.NaN;
    const { open, end, close } = this.#newest;
    return time < end ? open : close;
  }

  #lookAtMargin({ end, low, high }: VenueBar): void {
    this.#checkMarginAt(this.#holding.lots > 0 ? low : high, end - 1);
  }

  #checkMarginAt(price: number, time: number): void {
    const isSafe = price > this.#margin.above && price < this.#margin.below;
    if (this.#holding.lots === 0 || isSafe) return;
    this.#stand(price);
    do {
      this.#liquidity.force(time);
      this.core.checkMargin(this.account, this.#pair, time);
    } while (this.#liquidity.hasTakers);
    this.#margins.renew();
  }

  #lotsOf(volume: number): number {
    return wholeSteps(this.market.quantityGrid, volume);
  }

  #stand(price: number): void {
    this.#matcher.state.lastPrice = price;
    this.#liquidity.stand(price);
  }
}
