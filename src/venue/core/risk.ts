import type { Ticks } from '../../model/grid.js';
import type { CoreOrder, Holding } from './account.js';
import { impactOf } from './impact.js';
import type { Ledger } from './ledger.js';
import { Liquidations } from './liquidation.js';
import type { Matcher } from './matcher.js';
import type { OrderDesk } from './order-desk.js';
import { MarketPrices } from './prices.js';
import { Schedule } from './schedule.js';

/**
 * What a venue with index prices does over time: it updates index, fair and mark price, exchanges funding, liquidates,
 * and ends the windows of takers on tapes, in the order of `money.md` §11. The result depends on the events and their
 * times, not on how often this is called.
 */
export class Risk {
  readonly #desk: OrderDesk;
  readonly #markets: ReadonlyMap<string, Matcher>;
  readonly #tapes: readonly Matcher[];
  readonly #liquidations: Liquidations;
  readonly #schedule: Schedule;

  /** `markets`: those with index prices, by pair. `matcherOf`: any market of the venue. */
  constructor(options: {
    readonly ledger: Ledger;
    readonly desk: OrderDesk;
    readonly markets: ReadonlyMap<string, Matcher>;
    readonly matcherOf: (pair: string) => Matcher;
  }) {
    const { ledger, desk, markets, matcherOf } = options;
    this.#desk = desk;
    this.#markets = markets;
    const matchers = [...markets.values()];
    this.#tapes = matchers.filter(({ isTape }) => isTape);
    for (const { state, book, isTape } of matchers) {
      const { market } = state;
      state.prices = new MarketPrices(market, {
        // A tape's book is an estimate of the street, so it gives no fair price.
        impact: () => (isTape ? undefined : impactOf(book, market.pricing.fairQuantity)),
        last: () => state.lastTicks,
      });
    }
    this.#liquidations = new Liquidations(ledger, desk, matcherOf);
    this.#schedule = new Schedule(
      matchers.map(({ state }) => state),
      {
        ledger,
        liquidations: this.#liquidations,
        repriced: ({ market }) => markets.get(market.pair)?.updateTriggers(),
      },
    );
    desk.afterStep = (now) => {
      this.#schedule.begin(now);
      this.#liquidations.check(now);
    };
  }

  /** Venue ms of the next due event; Infinity when there is none. */
  get nextTime(): number {
    return Math.min(this.#schedule.nextTime, this.#nextDeadline());
  }

  /**
   * Handles everything that comes before the prints of `now`: what was due earlier, and prices, funding, liquidations and
   * triggers of `now` itself.
   */
  beforePrints(now: number): void {
    this.#run(now, now - 1);
  }

  /**
   * Handles everything that comes before the requests of `now`. All prints of `now` were given, so windows that end now
   * are over.
   */
  beforeRequests(now: number): void {
    this.#run(now, now);
  }

  /**
   * Sets the index from the next update on, or at once where there is no price yet; `undefined`: back to the market's own.
   */
  giveIndex(pair: string, index: Ticks | undefined): void {
    this.#markets.get(pair)?.state.prices?.give(index);
  }

  tellIndex(pair: string, index: Ticks): void {
    this.#markets.get(pair)?.state.prices?.tell(index);
  }

  /** Whether a slice of a liquidation waits for prints. */
  get isLiquidating(): boolean {
    return this.#liquidations.isWaiting;
  }

  /** Must be called when the mark of a market was set by hand. */
  remark(pair: string): void {
    this.#liquidations.remark(pair);
  }

  /** Must be called when a customer's cash or margin changed other than by a fill. */
  touch(holding: Holding): void {
    this.#liquidations.touch(holding);
  }

  orderDone(order: CoreOrder): void {
    this.#liquidations.orderDone(order);
  }

  #run(now: number, windowsUntil: number): void {
    for (;;) {
      const due = this.#schedule.nextTime;
      const deadline = this.#nextDeadline();
      if (due <= now && due <= deadline) {
        this.#schedule.run();
        this.#desk.settle(due);
      } else if (deadline <= windowsUntil) {
        for (const tape of this.#tapes) tape.advance(deadline);
        this.#desk.settle(deadline);
      } else return;
    }
  }

  #nextDeadline(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { nextDeadline } of this.#tapes) if (nextDeadline < next) next = nextDeadline;
    return next;
  }
}
