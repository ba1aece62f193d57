import type { SchedulerLike } from 'rxjs';
import type { Market } from '../model/market.js';
import type { IntentId, OrderState, OrderType, TimeInForce } from '../model/order.js';
import type { Random } from '../model/random.js';
import type { Side } from '../model/side.js';
import type { OrderRequest } from './want.js';

/** An order of the strategy that is not done. Prices in quote units, quantities in base units. */
export interface WorkingOrder {
  readonly intentId: IntentId;
  /** The venue's id, once it answered. */
  readonly orderId: string | undefined;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: number | undefined;
  readonly quantity: number;
  readonly leavesQuantity: number;
  readonly timeInForce: TimeInForce;
  readonly state: OrderState;
}

/** What a strategy can see and do besides returning wants. The world as of the event being handled. */
export interface StrategyContext {
  readonly market: Market;
  /**
   * Time of the event being handled, venue ms; 0 before the first. The only clock a strategy has. It is the event's own, and
   * may step back from one event to the next: a fill is told as soon as it is known, before a bar that ended earlier is
   * closed or a timer that was due earlier rings, and the recent trades of the warm-up may come after news of the account.
   */
  readonly now: number;
  /** True while recent data is replayed before the session goes live: wants count, commands are muted. */
  readonly warmingUp: boolean;
  /** Signed, base units: the sum of own fills. */
  readonly position: number;
  /** Quote units; undefined when flat. */
  readonly averageEntry: number | undefined;
  readonly workingOrders: readonly WorkingOrder[];
  /** Seeded by the session: same seed, same numbers. */
  readonly random: Random;
  /** Asks for one order, exactly. Its outcome shows in `workingOrders`, `onFill` and the session's refusals. */
  submit(order: OrderRequest): IntentId;
  cancel(intentId: IntentId): void;
  /**
   * Calls `onTimer` once when event time reaches `time`, venue ms; the same name replaces the earlier one. A time that is
   * over is now, and what is set in `create` or `streams` for a time before the market's first event is due at that event.
   *
   * @throws StrategyError for what is no time, and for one that is not after `now` once 1000 timers rang at that moment,
   * which would never be over.
   */
  setTimer(name: string, time: number): void;
  clearTimer(name: string): void;
  /** RxJS scheduler on event time, for operators that take one. What waits before the market's first event waits from it on. */
  readonly scheduler: SchedulerLike;
}

/** A fill as a strategy sees it. */
export interface FillView {
  readonly id: string;
  /** `undefined`: of an order that an earlier session placed. */
  readonly intentId: IntentId | undefined;
  readonly time: number;
  readonly side: Side;
  /** Quote units. */
  readonly price: number;
  /** Base units. */
  readonly quantity: number;
  readonly liquidity: 'maker' | 'taker';
  /** Quote units paid; negative for a rebate. */
  readonly fee: number;
  /** Position after it, base units, signed. */
  readonly position: number;
}

/** Live the venue's view of the position, as polled; else that of own fills. Base and quote units. */
export interface PositionView {
  readonly time: number;
  /** Signed. */
  readonly quantity: number;
  /** 0 when flat. */
  readonly averageEntry: number;
  /** `undefined` where the venue shows none, and in backtests and on paper. */
  readonly liquidationPrice: number | undefined;
}

export interface TimerView {
  readonly name: string;
  readonly time: number;
}
