/** The gate of every order, for orders that a person sends: it first reads what the account holds and has open. */
import { Exposure } from '../../gate/exposure.js';
import { check, isRefusal } from '../../gate/gate.js';
import type { GateState } from '../../gate/gate-state.js';
import { type Limits, NO_LIMITS } from '../../gate/limits.js';
import { Pace } from '../../gate/pace.js';
import { RateNumbers } from '../../gate/rate-numbers.js';
import { Rejections } from '../../gate/rejections.js';
import type { PlaceCommand } from '../../model/command.js';
import { type Lots, type Ticks, wholeSteps } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { OrderTerms } from '../../model/order.js';
import type { OrderRecord } from '../../model/venue-records.js';
import type { PrivateVenueApi, PublicVenueApi } from '../../ports/venue-api.js';
import type { OrderRequest, Unsendable } from './order-request.js';

type Reads = Pick<PublicVenueApi, 'ticker'> & Pick<PrivateVenueApi, 'position' | 'orders' | 'balances'>;

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
    this.#exposure = exposureOf(market, facts);
    this.#orders = facts.working.length;
    this.#facts = facts;
  }

  /** `listLimit`: the most orders that the venue lists at once. */
  static async read(api: Reads, market: Market, limits: Limits, listLimit: number): Promise<OrderGate> {
    // Spot has neither position nor margin, so only the filters and the limits of a single order apply.
    if (market.contract !== 'linear') return new OrderGate(market, limits, NOTHING);
    const { pair, quote, priceGrid } = market;
    const [{ size, liquidationPrice }, working, balances, { time, lastPrice, markPrice }] = await Promise.all(
      [
        api.position(pair),
        api.orders('active', { pair, limit: listLimit }),
        api.balances(),
        api.ticker(pair),
      ],
    );
    const balance = balances.find(({ asset }) => asset === quote);
    return new OrderGate(market, limits, {
      size,
      working: working.filter((order) => order.status === 'ACTIVE'),
      // Includes what working orders have locked, because the gate subtracts these itself.
      equity: balance === undefined ? undefined : balance.free + balance.locked + balance.margin,
      lastTicks: lastPrice === undefined ? undefined : (Math.round(lastPrice * priceGrid.scale) as Ticks),
      markPrice: markPrice ?? lastPrice,
      liquidationPrice,
      time,
    });
  }

  /** Why this order may not be sent; `undefined` if it may, after which it counts. */
  refusalOf({ terms, options }: OrderRequest): Unsendable | undefined {
    const command = placeCommand(this.#market.pair, terms, ++this.#orders);
    // A waiting trigger locks nothing at the venue, so the equity is not checked; all other rules apply.
    const equity = options.trigger === undefined ? this.#facts.equity : undefined;
    const facts = { ...OF_NO_SESSION, ...this.#facts, rates: this.#rates };
    const state: GateState = { ...facts, exposure: this.#exposure, equity };
    // The price of a trigger order is meant for the time when it fires, so the collar around the present price does not
    // apply.
    const limits = options.trigger === undefined ? this.#limits : { ...this.#limits, priceCollar: undefined };
    const verdict = check(this.#market, limits, state, command);
    if (isRefusal(verdict)) return { kind: 'unsendable', reason: verdict.reason };
    this.#exposure.approved(verdict);
    return undefined;
  }
}

interface Facts {
  readonly size: number;
  readonly working: readonly OrderRecord[];
  readonly equity: number | undefined;
  readonly lastTicks: Ticks | undefined;
  /** The mark price, or the last price without one; quote units. */
  readonly markPrice: number | undefined;
  readonly liquidationPrice: number | undefined;
  /** Venue time, ms. */
  readonly time: number;
}

const NOTHING: Facts = {
  size: 0,
  working: [],
  equity: undefined,
  lastTicks: undefined,
  markPrice: undefined,
  liquidationPrice: undefined,
  time: 0,
};

/** Facts that only a session has. `limitsByHand` removes the limits that need them. */
const OF_NO_SESSION = {
  permit: undefined,
  pace: new Pace(NO_LIMITS),
  rejections: new Rejections(undefined),
  day: undefined,
} as const;

function exposureOf({ pair, quantityGrid }: Market, { size, working }: Facts): Exposure {
  const exposure = new Exposure();
  exposure.adopt((Math.sign(size) * wholeSteps(quantityGrid, Math.abs(size))) as Lots);
  for (const [index, order] of working.entries()) {
    const lots = wholeSteps(quantityGrid, order.leavesQuantity) as Lots;
    const { side, reduceOnly, postOnly } = order;
    const terms: OrderTerms = {
      side,
      type: 'limit',
      ticks: undefined,
      lots,
      timeInForce: 'GTC',
      postOnly,
      reduceOnly,
    };
    exposure.approved(placeCommand(pair, terms, index + 1));
  }
  return exposure;
}

function placeCommand(pair: string, terms: OrderTerms, intentId: number): PlaceCommand {
  return { kind: 'place', intentId, pair, terms, want: undefined };
}
