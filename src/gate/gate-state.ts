import type { AccountShare, EngineEvent } from '../model/event.js';
import type { Ticks } from '../model/grid.js';
import type { DailyLoss } from './daily-loss.js';
import type { Drawdown } from './drawdown.js';
import type { Exposure } from './exposure.js';
import type { LosingStreak } from './losing-streak.js';
import type { Pace } from './pace.js';
import type { Rejections } from './rejections.js';

/** The newest word on what may leave, and why not everything. */
export type Permit = Omit<Extract<EngineEvent, { kind: 'permit' }>, 'kind'>;

/** What the gate knows besides the order itself; all of it as of the event being decided. */
export interface GateState {
  /** Of the event, venue ms. */
  readonly time: number;
  /** `undefined`: nobody said anything, so everything may leave. */
  readonly permit: Permit | undefined;
  readonly exposure: Pick<
    Exposure,
    'position' | 'workingBuys' | 'workingSells' | 'openOrders' | 'reservedUntil'
  >;
  /** Last trade's price, ticks; what a market order's margin is judged by. */
  readonly lastTicks: Ticks | undefined;
  /** Newest mark of a ticker, else the last trade's price; quote units. */
  readonly markPrice: number | undefined;
  /** The venue's newest word; `undefined` when it shows none. */
  readonly liquidationPrice: number | undefined;
  /** Cash, realised P&L and losses of the open position, quote units; undefined when the funds are not known. */
  readonly equity: number | undefined;
  /** What the account's other sessions have, where several share its limits. */
  readonly others?: AccountShare | undefined;
  readonly pace: Pick<Pace, 'ordersFreeAt' | 'hourFreeAt' | 'cancelsFreeAt' | 'lastOrderAt'>;
  readonly rejections: Pick<Rejections, 'pausedUntil'>;
  /** There is one where a limit asks for it. */
  readonly day: Pick<DailyLoss, 'bound' | 'isKnown' | 'tripped' | 'worst' | 'endsAt'> | undefined;
  readonly drawdown?: Pick<Drawdown, 'bound' | 'isKnown' | 'tripped' | 'worst'> | undefined;
  readonly streak?: Pick<LosingStreak, 'pausedUntil'> | undefined;
}
