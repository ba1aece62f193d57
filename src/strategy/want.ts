/**
 * What a strategy wants. A want stands until the next one; the engine sends the least commands that get there, so a
 * lost answer, a restart and a partial fill are all the same problem, and a strategy cannot submit twice.
 */
import type { DecimalSource } from '../model/decimal.js';
import type { TimeInForce } from '../model/order.js';
import type { Side } from '../model/side.js';
import { checkOrders, checkQuote } from './check-want.js';

/** Hold this signed quantity of base units (negative: short). The engine reaches it by market orders. */
export interface PositionWant {
  readonly kind: 'position';
  readonly quantity: DecimalSource;
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

/** Keep one resting post-only order on each side. An absent side means no order on that side. */
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

export function holdPosition(quantity: DecimalSource): PositionWant {
  return { kind: 'position', quantity };
}

const FLAT_WANT: FlatWant = { kind: 'flat' };

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
