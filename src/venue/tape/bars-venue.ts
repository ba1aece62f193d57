import type { Approved } from '../../model/command.js';
import type { DecimalSource } from '../../model/decimal.js';
import { InvariantError, UsageError } from '../../model/errors.js';
import { wholeSteps } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { ExecutionReport } from '../../model/report.js';
import type { Account, Holding } from '../core/account.js';
import type { Matcher } from '../core/matcher.js';
import { VenueCore } from '../core/venue-core.js';
import type { TapeSink } from '../liquidity.js';
import { BarLiquidity } from './bar-liquidity.js';
import { CommandDesk } from './command-desk.js';
import { type CommandDelay, commandDelay, type Latency } from './command-delay.js';
import type { FillModel } from './fill-model.js';
import { LatencyQueue } from './latency-queue.js';
import { MarginBounds } from './margin-bounds.js';

export interface BarsVenueOptions {
  readonly market: Market;
  /** Cash of the quote asset at the start. */
  readonly deposit: DecimalSource;
  /** Default 50 ms each and no jitter; 0 is allowed. */
  readonly latency?: Partial<Latency> | CommandDelay | undefined;
  /** Of the jitter. Default 1. */
  readonly seed?: string | undefined;
  /** `touch`, or anything else for `through`: bars tell nothing of a queue. */
  readonly model?: FillModel | undefined;
  /** How much worse than the open takers trade, in ticks of the price filter. Default 0. */
  readonly slippageTicks?: number | undefined;
}

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
 * The venue of a backtest that has bars and no trades (`architecture.md`, "Bars only"): one account on one market, one
 * bar after the other.
 *
 * A command is effective at e = sent + latency and live from the first bar that opens after e. What takes trades at that
 * open; what rests may trade inside the bar, at its last millisecond. Nothing that is sent because of a bar is live in
 * it.
 */
export class BarsVenue {
  readonly account: Account;
  readonly core: VenueCore;
  /** What happened and was not taken yet, in order. Whoever takes it empties it. */
  readonly reports: ExecutionReport[];
  readonly #pair: string;
  readonly #holding: Holding;
  readonly #matcher: Matcher;
  readonly #liquidity: BarLiquidity;
  readonly #desk: CommandDesk;
  readonly #delay: CommandDelay;
  readonly #commands = new LatencyQueue<Approved>();
  readonly #margin: MarginBounds;

  constructor(options: BarsVenueOptions) {
    const { market, deposit, latency, seed = '1', model, slippageTicks = 0 } = options;
    if (!Number.isSafeInteger(slippageTicks) || slippageTicks < 0) {
      throw new UsageError(
        'TICKWRIGHT_E_SLIPPAGE',
        `slippage must be whole ticks of 0 or above, received ${slippageTicks}`,
      );
    }
    this.#delay = commandDelay(latency, seed);
    // Made by the core while it is itself made.
    let liquidity!: BarLiquidity;
    const tape = (_: Market, sink: TapeSink) => {
      liquidity = new BarLiquidity({ market, sink, slippageTicks, model });
      return liquidity;
    };
    this.core = new VenueCore({ markets: [{ market, tape, keepTrades: 0 }], historyLimit: KEPT_ORDERS });
    this.account = this.core.openAccount('client', { [market.quote]: deposit });
    this.#pair = market.pair;
    this.#margin = new MarginBounds(market);
    this.#matcher = this.core.matcher(market.pair);
    this.#holding = this.core.holding(this.account, market.pair);
    this.#liquidity = liquidity;
    this.core.onFill((order) => {
      if (order.account === this.account) this.#margin.set(this.#holding);
    });
    this.#desk = new CommandDesk(this.core, this.account);
    this.reports = this.#desk.reports;
  }

  get market(): Market {
    return this.core.market(this.#pair).market;
  }

  /** Commands on their way to the venue. */
  get inFlight(): number {
    return this.#commands.size;
  }

  /** Sent at `sentAt`, ms, which is not before any bar that was opened. @throws InvariantError for another pair */
  submit(command: Approved, sentAt: number): void {
    if (command.pair !== this.#pair) {
      throw new InvariantError(`a command must be for ${this.#pair}, received ${command.pair}`, {
        facts: { intentId: command.intentId },
      });
    }
    this.#commands.push(command, sentAt + this.#delay(command));
  }

  /** The bar opens: commands that were effective before it are live, and what takes trades. */
  open({ time, open }: Pick<VenueBar, 'time' | 'open'>): void {
    this.#stand(open);
    for (let at = this.#commands.nextTime; at < time; at = this.#commands.nextTime) {
      const command = this.#commands.shift();
      if (command !== undefined) this.#desk.execute(command, at);
    }
    this.#liquidity.serve(time);
  }

  /** The rest of the bar: what rests trades, and then the margin is looked at where it was worst for the position. */
  pass({ end, low, high, close, volume }: VenueBar): void {
    const time = end - 1;
    const lots = wholeSteps(this.market.quantityGrid, volume);
    this.#liquidity.pass({ low, high, lots }, time);
    const worst = this.#holding.lots > 0 ? low : high;
    if (this.#holding.lots !== 0 && (worst <= this.#margin.above || worst >= this.#margin.below)) {
      this.#stand(worst);
      do {
        this.#liquidity.serve(time);
        this.core.checkMargin(this.account, this.#pair, time);
      } while (this.#liquidity.hasTakers);
      this.#margin.set(this.#holding);
    }
    this.#stand(close);
  }

  #stand(price: number): void {
    this.#matcher.state.lastPrice = price;
    this.#liquidity.stand(price);
  }
}
