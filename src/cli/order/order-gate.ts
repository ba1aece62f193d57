/** The gate of every order, for orders that a person sends: it first reads what the account holds and has open. */
import type { Exposure } from '../../gate/exposure.js';
import { check, isRefusal } from '../../gate/gate.js';
import type { GateState } from '../../gate/gate-state.js';
import { type Limits, NO_LIMITS } from '../../gate/limits.js';
import { Pace } from '../../gate/pace.js';
import { RateNumbers } from '../../gate/rate-numbers.js';
import { Rejections } from '../../gate/rejections.js';
import type { AccountShare } from '../../model/event.js';
import type { Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { Ticker } from '../../model/ticker.js';
import type { BalanceRecord, OrderRecord } from '../../model/venue-records.js';
import type { PrivateVenueApi } from '../../ports/venue-api.js';
import type { OrderRequest, Unsendable } from './order-request.js';
import { otherPairs, type OtherPairsReads } from './other-pairs.js';
import { placeCommand, venueExposure } from './venue-exposure.js';

type Reads = OtherPairsReads & Pick<PrivateVenueApi, 'position' | 'orders' | 'balances'>;

/** A gate with the account's current state. Orders that pass count for those after them. */
export class OrderGate {
  readonly #market: Market;
  readonly #limits: Limits;
  readonly #exposure: Exposure;
  readonly #rates = new RateNumbers();
  readonly #facts: Facts;
  #orders: number;

  private constructor(market: Market, limits: Limits, facts: Facts) {
    this.#market = market;
    this.#limits = limits;
    this.#exposure = venueExposure(market, facts.size, facts.working);
    this.#orders = facts.working.length;
    this.#facts = facts;
  }

  /** `listLimit`: the most orders that the venue lists at once. */
  static async read(api: Reads, market: Market, limits: Limits, listLimit: number): Promise<OrderGate> {
    if (market.contract !== 'linear') return OrderGate.#readSpot(api, market, limits, listLimit);
    const { pair, quote } = market;
    const [{ size, unrealized, liquidationPrice }, listed, balances, ticker] = await Promise.all([
      api.position(pair),
      api.orders('active', { limit: listLimit }),
      api.balances(),
      api.ticker(pair),
    ]);
    const working = listed.filter(isWorking);
    const others = await otherPairs(api, market, working);
    const balance = balances.find(({ asset }) => asset === quote);
    return new OrderGate(market, limits, {
      size,
      working: working.filter((order) => order.pair === pair),
      others,
      fullList: listed.length >= listLimit ? listLimit : undefined,
      equity: balance && equityOf(balance, unrealized, others),
      liquidationPrice,
      ...pricesOf(market, ticker),
    });
  }

  /** Spot has neither position nor margin, so only the filters, the limits of a single order and their number apply. */
  static async #readSpot(api: Reads, market: Market, limits: Limits, listLimit: number): Promise<OrderGate> {
    const [listed, ticker] = await Promise.all([
      api.orders('active', { limit: listLimit }),
      api.ticker(market.pair),
    ]);
    const openOrders = listed.filter(isWorking).length;
    return new OrderGate(
      market,
      { ...limits, maxLeverage: undefined },
      {
        size: 0,
        working: [],
        others: { notional: 0, openOrders, pnl: 0 },
        fullList: undefined,
        equity: undefined,
        liquidationPrice: undefined,
        ...pricesOf(market, ticker),
      },
    );
  }

  /** Why this order may not be sent; `undefined` if it may, after which it counts. */
  refusalOf({ terms, options }: OrderRequest): Unsendable | undefined {
    // As a strategy's stop, it stays open until its trigger is reached.
    const { trigger } = options;
    const whole = trigger === undefined ? terms : { ...terms, trigger };
    const command = placeCommand(this.#market.pair, whole, ++this.#orders);
    const { fullList } = this.#facts;
    if (fullList !== undefined && !terms.reduceOnly) return unsendable(fullListText(fullList));
    // A waiting trigger locks nothing at the venue, so the balance is not checked; all other rules apply.
    const locksNothing = trigger !== undefined;
    const facts = { ...OF_NO_SESSION, ...this.#facts, rates: this.#rates };
    const state: GateState = { ...facts, exposure: this.#exposure, locksNothing };
    // The price of a trigger order is meant for the time when it fires, so the collar around the present price does not
    // apply.
    const limits = trigger === undefined ? this.#limits : { ...this.#limits, priceCollar: undefined };
    const verdict = check(this.#market, limits, state, command);
    if (isRefusal(verdict)) return unsendable(verdict.reason);
    this.#exposure.approved(verdict);
    return undefined;
  }
}

interface Facts {
  readonly size: number;
  /** Of the pair. */
  readonly working: readonly OrderRecord[];
  readonly others: AccountShare;
  /** The most orders that the venue lists at once, if it listed as many, so that some may be missing. */
  readonly fullList: number | undefined;
  readonly equity: number | undefined;
  readonly lastTicks: Ticks | undefined;
  /** The mark price, or the last price without one; quote units. */
  readonly markPrice: number | undefined;
  readonly liquidationPrice: number | undefined;
  /** Venue time, ms. */
  readonly time: number;
}

function pricesOf(
  { priceGrid }: Market,
  { time, lastPrice, markPrice }: Ticker,
): Pick<Facts, 'time' | 'lastTicks' | 'markPrice'> {
  return {
    time,
    lastTicks: lastPrice === undefined ? undefined : (Math.round(lastPrice * priceGrid.scale) as Ticks),
    markPrice: markPrice ?? lastPrice,
  };
}

function isWorking({ status }: OrderRecord): boolean {
  return status === 'ACTIVE';
}

/**
 * Like the equity of a session's gate: open losses count, open profits do not. What working orders have locked is included,
 * because the gate subtracts it itself.
 */
function equityOf(
  { free, locked, margin }: BalanceRecord,
  unrealized: number,
  { pnl = 0 }: AccountShare,
): number {
  return free + locked + margin + Math.min(0, unrealized) + Math.min(0, pnl);
}

function unsendable(reason: string): Unsendable {
  return { kind: 'unsendable', reason };
}

function fullListText(most: number): string {
  return `the account must have fewer open orders than the ${most} of one list, received a full list`;
}

/** Facts that only a session has. `limitsByHand` removes the limits that need them. */
const OF_NO_SESSION = {
  permit: undefined,
  pace: new Pace(NO_LIMITS),
  rejections: new Rejections(undefined),
  day: undefined,
} as const;
