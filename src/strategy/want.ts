/**
 * What a strategy wants. A want stands until the next one; the engine sends the least commands that get there, so a
 * lost answer, a restart and a partial fill are all the same problem, and a strategy cannot submit twice.
 */
import type { DecimalSource } from '../model/decimal.js';
import type { TimeInForce } from '../model/order.js';
import type { Side } from '../model/side.js';
import { checkOrders, checkPosition, checkQuote } from './check-want.js';

/** What protects a position. */
export interface Protection {
  /**
   * Quote units: below the market for a long position, above it for a short one; rounded to the tick towards the market.
   *
   * A reduce-only order waits at the venue from the first fill on, whether the bot runs or not, and closes the position at
   * market when a trade is at the stop or beyond. Then the want counts as `flat()` until another quantity is wanted.
   */
  readonly stop: DecimalSource;
}

/** Hold this signed quantity of base units (negative: short). The engine reaches it by market orders. */
export interface PositionWant {
  readonly kind: 'position';
  readonly quantity: DecimalSource;
  /** As in `Protection`. */
  readonly stop?: DecimalSource | undefined;
}

/** Hold nothing and have no order working. */
export interface FlatWant {
  readonly kind: 'flat';
}

export interface QuoteSide {
  /** Quote units; a bid is rounded down to the tick, an ask up. */
  readonly price: DecimalSource;
  /** Base units; rounded down to the lot. */
  readonly quantity: DecimalSource;
}

/**
 * Keep one resting post-only order on each side. An absent side means no order on that side. A bid that is not below the
 * ask is refused, and the quote is then of no side.
 */
export interface QuoteWant {
  readonly kind: 'quote';
  readonly bid: QuoteSide | undefined;
  readonly ask: QuoteSide | undefined;
}

/** One order, exactly as given. Off the grid it is refused and never rounded. */
export interface OrderRequest {
  readonly side: Side;
  /** Base units. */
  readonly quantity: DecimalSource;
  /** Quote units; an order without a price is a market order. */
  readonly price?: DecimalSource;
  /** Default GTC for limits, IOC for market orders. */
  readonly timeInForce?: TimeInForce;
  readonly postOnly?: boolean;
  readonly reduceOnly?: boolean;
}

/** Have exactly these orders working. A filled order is not placed again until the want changes. */
export interface OrdersWant {
  readonly kind: 'orders';
  readonly orders: readonly OrderRequest[];
}

export type Want = PositionWant | FlatWant | QuoteWant | OrdersWant;

/**
 * @throws StrategyError for a protection that is none, here and not later, so that the stack shows the strategy's line.
 */
export function holdPosition(quantity: DecimalSource, protection?: Protection): PositionWant {
  if (protection === undefined) return { kind: 'position', quantity, stop: undefined };
  checkPosition(protection);
  return { kind: 'position', quantity, stop: protection.stop };
}

/** One for all, so nobody may write to it: that would be another strategy's want. */
const FLAT_WANT: FlatWant = Object.freeze({ kind: 'flat' });

export function flat(): FlatWant {
  return FLAT_WANT;
}

/** @throws StrategyError for an invalid quote, here and not later, so that the stack shows the strategy's line. */
export function quote(sides: {
  readonly bid?: QuoteSide | undefined;
  readonly ask?: QuoteSide | undefined;
}): QuoteWant {
  checkQuote(sides);
  return { kind: 'quote', bid: sides.bid, ask: sides.ask };
}

/**
 * @throws StrategyError for an invalid list of orders, here and not later, so that the stack shows the strategy's line.
 */
export function orders(list: readonly OrderRequest[]): OrdersWant {
  checkOrders(list);
  return { kind: 'orders', orders: list };
}
