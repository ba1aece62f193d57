import type { AccountShare, EngineEvent } from '../model/event.js';
import type { Ticks } from '../model/grid.js';
import type { DailyLoss } from './daily-loss.js';
import type { Drawdown } from './drawdown.js';
import type { Exposure } from './exposure.js';
import type { LosingStreak } from './losing-streak.js';
import type { Pace } from './pace.js';
import type { RateNumbers } from './rate-numbers.js';
import type { Rejections } from './rejections.js';

/** The newest permit: what may leave, and why not everything. */
export type Permit = Omit<Extract<EngineEvent, { kind: 'permit' }>, 'kind'>;

/** What the gate knows besides the order itself, as of the event that led to the order. */
export interface GateState {
  /** Of the event, venue ms. */
  readonly time: number;
  /** `undefined`: there was no permit, so everything may leave. */
  readonly permit: Permit | undefined;
  readonly exposure: Pick<
    Exposure,
    | 'position'
    | 'workingBuys'
    | 'workingSells'
    | 'reducingBuys'
    | 'reducingSells'
    | 'openOrders'
    | 'reservedUntil'
  >;
  /**
   * Price of the last trade, ticks: the margin of a market order
   * is judged by it. `undefined`: no trade yet, or none on a tick.
   */
  readonly lastTicks: Ticks | undefined;
  /** Newest mark of a ticker while it is fresh, else the last trade's price; quote units. */
  readonly markPrice: number | undefined;
  /** The liquidation price of the position at the venue, quote units; `undefined`: it shows none. */
  readonly liquidationPrice: number | undefined;
  /** Cash, realised P&L and losses of the open position, quote units; undefined when the funds are not known. */
  readonly equity: number | undefined;
  /** What the account's other sessions have, where several share its limits. */
  readonly others?: AccountShare | undefined;
  /** The order waits at the venue for its trigger, and locks nothing until then: the balance need not suffice. */
  readonly locksNothing?: boolean | undefined;
  readonly rates: RateNumbers;
  readonly pace: Pick<Pace, 'ordersFreeAt' | 'hourFreeAt' | 'cancelsFreeAt' | 'lastOrderAt'>;
  readonly rejections: Pick<Rejections, 'pausedUntil'>;
  /** Present where a limit needs it: a daily loss, a drawdown or a losing streak. */
  readonly day: Pick<DailyLoss, 'bound' | 'isKnown' | 'tripped' | 'worst' | 'endsAt'> | undefined;
  readonly drawdown?: Pick<Drawdown, 'bound' | 'isKnown' | 'tripped' | 'worst'> | undefined;
  readonly streak?: Pick<LosingStreak, 'pausedUntil'> | undefined;
}
