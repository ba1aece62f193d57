import type { Approved } from '../../model/command.js';
import { wholeSteps } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { ExecutionReport } from '../../model/report.js';
import type { Account, Holding } from '../core/account.js';
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
 * The order of events inside a bar is unknown. `through` assumes that the bar was at its worst for the position before
 * resting orders traded, and once more after that; `touch` assumes that resting orders traded first.
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
      const command = this.#commands.shift();
      // Its result is known only now and not at its arrival, because the bars before have been reported already.
      if (command !== undefined) this.#desk.execute(command, time);
    }
    this.#liquidity.open(this.#lotsOf(volume), time);
    this.#desk.square();
  }

  /**
   * To be called before `pass` if `isWorstFirst`: checks the margin at the bar's worst price for the position held at the
   * open.
   */
  bear(bar: VenueBar): void {
    this.#lookAtMargin(bar);
    this.#stand(bar.open);
    this.#desk.square();
  }

  /** The rest of the bar: resting orders trade, then the margin is checked at the bar's worst price for the position. */
  pass(bar: VenueBar): void {
    const { end, low, high, close, volume } = bar;
    this.#liquidity.pass({ low, high, lots: this.#lotsOf(volume) }, end - 1);
    this.#lookAtMargin(bar);
    this.#stand(close);
    this.#desk.square();
  }

  #lookAtMargin({ end, low, high }: VenueBar): void {
    const worst = this.#holding.lots > 0 ? low : high;
    const isSafe = worst > this.#margin.above && worst < this.#margin.below;
    if (this.#holding.lots === 0 || isSafe) return;
    const time = end - 1;
    this.#stand(worst);
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
