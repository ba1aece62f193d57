import type { SchedulerLike } from 'rxjs';
import type { Market } from '../model/market.js';
import type { IntentId, OrderState, OrderType, TimeInForce } from '../model/order.js';
import type { Random } from '../model/random.js';
import type { Side } from '../model/side.js';
import type { OrderRequest } from './want.js';

/** An order of the strategy that is not in a terminal state. Prices in quote units, quantities in base units. */
export interface WorkingOrder {
  readonly intentId: IntentId;
  /** The venue's id; `undefined` until the venue has answered. */
  readonly orderId: string | undefined;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: number | undefined;
  /** A stop waits at the venue for a trade at this price; `undefined` for any other order. */
  readonly triggerPrice: number | undefined;
  readonly quantity: number;
  readonly leavesQuantity: number;
  readonly timeInForce: TimeInForce;
  readonly state: OrderState;
}

/** What a strategy can see and do besides returning wants. It shows the state as of the event being handled. */
export interface StrategyContext {
  readonly market: Market;
  /**
   * Time of the event being handled, venue ms; 0 before the first event. It is the only clock of a strategy. It may step
   * back from one event to the next: a fill is reported as soon as it is known, which can be before a bar that ended
   * earlier is closed or a timer that was due earlier fires. The trades of the warm-up may also come after news of the
   * account.
   */
  readonly now: number;
  /** True while recent data is replayed before the session goes live: wants are kept, commands are not sent. */
  readonly warmingUp: boolean;
  /** Signed, base units; the sum of the session's own fills. */
  readonly position: number;
  /** Quote units; `undefined` when flat. */
  readonly averageEntry: number | undefined;
  readonly workingOrders: readonly WorkingOrder[];
  /**
   * The stop of the standing want was hit, or the position had no stop at the venue for as long as `limits.maxBareTime`
   * allows: the want counts as `flat()` until the strategy wants something else, of a position another quantity.
   */
  readonly stoppedOut: boolean;
  /** Random numbers seeded by the session: the same seed gives the same numbers. */
  readonly random: Random;
  /**
   * Asks for one order exactly as given. Its outcome shows in `workingOrders`, in `onFill` and in the session's refusals.
   * It is refused while the want is `flat()`, or counts as it.
   */
  submit(order: OrderRequest): IntentId;
  cancel(intentId: IntentId): void;
  /**
   * Calls `onTimer` once when event time reaches `time`, venue ms. A timer of the same name is replaced. A time that has
   * passed is due at once, and a timer set in `create` or `streams` for a time before the market's first event is due at
   * that event.
   *
   * @throws StrategyError when `time` is not a number, and when `time` is not after `now` after 1000 timers have fired at
   * this moment: such a chain of timers would never end.
   */
  setTimer(name: string, time: number): void;
  clearTimer(name: string): void;
  /**
   * RxJS scheduler on event time, for operators that take one. Delays set before the market's first event count from that
   * event.
   */
  readonly scheduler: SchedulerLike;
}

/** A fill as a strategy sees it. */
export interface FillView {
  readonly id: string;
  /** `undefined`: the order was placed by an earlier session. */
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
  /** Position after this fill, base units; negative is short. */
  readonly position: number;
}

/** The position: live as the venue reports it when polled, otherwise the sum of own fills. Base and quote units. */
export interface PositionView {
  readonly time: number;
  /** Signed. */
  readonly quantity: number;
  /** 0 when flat. */
  readonly averageEntry: number;
  /** `undefined` where the venue sends none, in backtests and on paper. */
  readonly liquidationPrice: number | undefined;
}

export interface TimerView {
  readonly name: string;
  readonly time: number;
}
