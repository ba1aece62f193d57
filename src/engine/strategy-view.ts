import type { Fill } from '../model/fill.js';
import { numberOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { amountNumber } from '../model/money.js';
import { averageEntry, type Position } from '../model/position.js';
import type { Random } from '../model/random.js';
import type { FillView, PositionView, StrategyContext, WorkingOrder } from '../strategy/context.js';
import type { OrderDesk } from './order-desk.js';
import type { OwnOrder } from './own-order.js';

/** The parts of a context that only the engine knows. */
export interface ContextSource {
  readonly now: () => number;
  readonly setTimer: (name: string, time: number) => void;
  readonly clearTimer: (name: string) => void;
  readonly scheduler: StrategyContext['scheduler'];
  readonly random: Random;
}

/** What a strategy sees: the world as of the event being handled, in units of the assets. */
export function strategyContext(
  market: () => Market,
  desk: OrderDesk,
  source: ContextSource,
): StrategyContext {
  return {
    get market() {
      return market();
    },
    random: source.random,
    scheduler: source.scheduler,
    get now() {
      return source.now();
    },
    get warmingUp() {
      return desk.muted;
    },
    get position() {
      return numberOf(market().quantityGrid, desk.position.lots);
    },
    get averageEntry() {
      return averageEntry(market(), desk.position)?.toNumber();
    },
    get workingOrders() {
      return desk.orders.map((order) => orderView(market(), order));
    },
    get stoppedOut() {
      return desk.stops.isOut;
    },
    submit: (request) => desk.submit(request),
    cancel: (intentId) => desk.cancel(intentId),
    setTimer: source.setTimer,
    clearTimer: source.clearTimer,
  };
}

export function orderView(market: Market, order: OwnOrder): WorkingOrder {
  const { terms } = order;
  return {
    intentId: order.intentId,
    orderId: order.orderId,
    side: terms.side,
    type: terms.type,
    price: terms.ticks === undefined ? undefined : numberOf(market.priceGrid, terms.ticks),
    triggerPrice: terms.trigger === undefined ? undefined : numberOf(market.priceGrid, terms.trigger.ticks),
    quantity: numberOf(market.quantityGrid, terms.lots),
    leavesQuantity: numberOf(market.quantityGrid, order.leaves),
    timeInForce: terms.timeInForce,
    state: order.state,
  };
}

export function fillView(
  market: Market,
  fill: Fill,
  intentId: number | undefined,
  position: number,
): FillView {
  return {
    id: fill.id,
    intentId,
    time: fill.time,
    side: fill.side,
    price: numberOf(market.priceGrid, fill.ticks),
    quantity: numberOf(market.quantityGrid, fill.lots),
    liquidity: fill.liquidity,
    fee: amountNumber(fill.feeAmount ?? fill.fee, market.quotePrecision),
    position: numberOf(market.quantityGrid, position),
  };
}

/** The position that own fills add up to. The average entry, a division, is worked out only when it is read. */
export function positionView(market: Market, position: Position, time: number): PositionView {
  return {
    time,
    quantity: numberOf(market.quantityGrid, position.lots),
    get averageEntry() {
      return averageEntry(market, position)?.toNumber() ?? 0;
    },
    liquidationPrice: undefined,
  };
}
